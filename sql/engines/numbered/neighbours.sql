-- The neighbours that an index returned beside the exact ones; the ids are numbers.
-- exact: not used here
-- found: table of these rows, with the columns that metrics ask for
-- epsilon, relative: not used here
CREATE OR REPLACE MACRO neighbours(exact, found, epsilon DOUBLE := 1e-3, relative BOOLEAN := FALSE) AS TABLE
SELECT * FROM query_table(found);
