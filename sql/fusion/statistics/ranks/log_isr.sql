-- Inverse square rank with the logarithm of the number of runs; 0 for a document that only one run has.
-- relation: candidates
-- formula: ln(runs) · Σ over runs: weight / rank²
-- source: Mourão, Martins and Magalhães 2015, doi:10.1016/j.compmedimag.2014.05.006
CREATE OR REPLACE MACRO log_isr(c) AS
    ln(1e0 * count(*)) * sorted_sum(c.weight / power(c.rank, 2));
