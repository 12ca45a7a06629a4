-- Items that cannot be ordered: they lack a number from one of the scorings, or appear twice.
-- severity: error
-- remedy: each item needs one row, with the numbers a and b
-- scorings: as for ordered
CREATE OR REPLACE MACRO unusable_scorings(scorings) AS TABLE
SELECT
    CAST(_s.item AS VARCHAR) AS item,
    CASE
        WHEN _s.item IS NULL THEN 'a row has no item'
        WHEN count(*) > 1 THEN concat('item ', _s.item, ' appears ', count(*), ' times')
        WHEN count(CASE WHEN isfinite(_s.a) THEN 1 END) = 0 THEN concat('item ', _s.item, ' has no number a')
        ELSE concat('item ', _s.item, ' has no number b')
    END AS problem
FROM with_columns(scorings, { 'segment': NULL }) AS _s
GROUP BY _s.segment, _s.item
HAVING
    count(*) <> count(CASE WHEN isfinite(_s.a) AND isfinite(_s.b) THEN 1 END) OR count(*) > 1 OR _s.item IS NULL;
