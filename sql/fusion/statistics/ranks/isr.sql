-- Inverse square rank: the sum of 1 / rank² over the runs, times the number of runs that have the document.
-- relation: candidates
-- formula: runs · Σ over runs: weight / rank²
-- source: Mourão, Martins and Magalhães 2015, doi:10.1016/j.compmedimag.2014.05.006
CREATE OR REPLACE MACRO isr(c) AS
    count(*) * sorted_sum(c.weight / power(c.rank, 2));
