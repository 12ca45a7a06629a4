-- The documents that a log of clicks says were shown, one row each, and the pages that had none.
-- log: as for clicked
CREATE OR REPLACE MACRO shown(log) AS TABLE
SELECT _l.* FROM query_table(log) AS _l;
