-- Inverse square rank with the logarithm of the number of runs, which also orders documents that only one run has.
-- relation: candidates
-- sigma: from 0 to 1; what is added to the number of runs
-- tried: sigma 0.01, 0.5, 1
-- formula: ln(runs + sigma) · Σ over runs: weight / rank²
-- source: Mourão, Martins and Magalhães 2015, doi:10.1016/j.compmedimag.2014.05.006
CREATE OR REPLACE MACRO logn_isr(c, sigma DOUBLE := 0.01) AS
    ln(count(*) + sigma) * sorted_sum(c.weight / power(c.rank, 2));
