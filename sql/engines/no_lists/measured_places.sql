-- The place of each metric by its name, since tables of other engines have no order.
-- users: as for the other file of this name
CREATE OR REPLACE MACRO measured_places(users) AS TABLE
SELECT
    _u.metric,
    row_number() OVER (ORDER BY _u.metric ASC) AS place
FROM (SELECT DISTINCT _a.metric FROM assigned(users) AS _a) AS _u;
