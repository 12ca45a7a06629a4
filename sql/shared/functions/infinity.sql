-- Infinity.
-- sqlite: 9e999
CREATE OR REPLACE MACRO infinity() AS CAST('inf' AS DOUBLE);
