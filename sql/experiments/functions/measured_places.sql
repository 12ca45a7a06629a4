-- The place of each metric in the order in which users have them.
-- users: as for assigned
-- returns metric, place: one row each
CREATE OR REPLACE MACRO measured_places(users) AS TABLE
SELECT
    _u.metric,
    min(_u.place) AS place
FROM (SELECT _a.metric, row_number() OVER () AS place FROM assigned(users) AS _a) AS _u
GROUP BY _u.metric;
