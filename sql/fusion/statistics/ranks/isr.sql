-- Inverse square rank: the square of each rank, and how many runs have the document.
-- relation: candidates
-- formula: runs · Σ over runs: weight / rank²
-- source: Mourão, Martins and Magalhães 2015, doi:10.1016/j.compmedimag.2014.05.006
CREATE OR REPLACE MACRO isr(c) AS
    count(*) * sorted_sum(c.weight / power(c.rank, 2));
