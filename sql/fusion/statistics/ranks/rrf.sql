-- Reciprocal rank fusion: a document near the top of many runs comes first.
-- relation: candidates
-- k: 0 or more; the larger, the smaller the advantage of top ranks
-- tried: k 1, 10, 30, 60, 100
-- formula: Σ over runs: weight / (k + rank)
-- source: Cormack, Clarke and Büttcher 2009, doi:10.1145/1571941.1572114
CREATE OR REPLACE MACRO rrf(c, k DOUBLE := 60) AS
    sorted_sum(c.weight / (k + c.rank));
