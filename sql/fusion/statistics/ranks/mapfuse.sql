-- MAPFuse: reciprocal ranks, weighted by how good each run is: its weight is its mean AP for other queries.
-- relation: candidates
-- formula: Σ over runs: weight / rank
-- source: Lillis et al. 2010, doi:10.1145/1835449.1835508
CREATE OR REPLACE MACRO mapfuse(c) AS sorted_sum(c.weight / c.rank);
