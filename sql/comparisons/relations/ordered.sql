-- Two scorings of the same items, such as runs scored by two metrics: a row for each item.
-- scorings: table or file with the columns item, a and b; a higher number is better, and a is the reference. With a
--     column segment, of any type, each segment is by itself
-- refuses: unusable_scorings
-- groups: segment
-- once: item
-- all: num_items
-- returns segment: NULL if the scorings have none
-- returns item: the item, once
-- returns rank_a, rank_b: its rank by each, the mean rank of tied items
-- returns first_a, last_a, first_b, last_b: the first and the last rank of the items that are tied with it
-- returns above_b: items that b puts above it
-- returns tied_b: items that b ties with it
-- returns agreed_above: how many of those above by b are above by a; one that a ties counts half
-- returns agreed_tied: the same of those that b ties
-- returns num_items: how many items there are
-- returns concordance: pairs with it that both put in the same order, minus those in a different order
-- returns untied_a, untied_b: pairs with it that each does not tie
CREATE OR REPLACE MACRO ordered(scorings) AS TABLE
SELECT
    _x.segment,
    CAST(_x.item AS VARCHAR) AS item,
    1 + sum(CASE WHEN _y.a > _x.a THEN 1e0 WHEN _y.a = _x.a AND _y.item <> _x.item THEN 5e-1 ELSE 0e0 END) AS rank_a,
    1 + sum(CASE WHEN _y.b > _x.b THEN 1e0 WHEN _y.b = _x.b AND _y.item <> _x.item THEN 5e-1 ELSE 0e0 END) AS rank_b,
    1 + count(CASE WHEN _y.a > _x.a THEN 1 END) AS first_a,
    count(CASE WHEN _y.a >= _x.a THEN 1 END) AS last_a,
    1 + count(CASE WHEN _y.b > _x.b THEN 1 END) AS first_b,
    count(CASE WHEN _y.b >= _x.b THEN 1 END) AS last_b,
    count(CASE WHEN _y.b > _x.b THEN 1 END) AS above_b,
    count(CASE WHEN _y.b = _x.b AND _y.item <> _x.item THEN 1 END) AS tied_b,
    sum(CASE WHEN _y.b > _x.b THEN (1 + sign(_y.a - _x.a)) / 2e0 ELSE 0e0 END) AS agreed_above,
    sum(CASE WHEN _y.b = _x.b AND _y.item <> _x.item THEN (1 + sign(_y.a - _x.a)) / 2e0 ELSE 0e0 END) AS agreed_tied,
    count(*) AS num_items,
    sum(sign(_y.a - _x.a) * sign(_y.b - _x.b)) AS concordance,
    sum(abs(sign(_y.a - _x.a))) AS untied_a,
    sum(abs(sign(_y.b - _x.b))) AS untied_b
FROM with_columns(scorings, { 'segment': NULL }) AS _x
INNER JOIN with_columns(scorings, { 'segment': NULL }) AS _y ON _x.segment IS NOT DISTINCT FROM _y.segment
GROUP BY _x.segment, _x.item;
