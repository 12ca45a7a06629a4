-- p-MRR of a query: whether documents excluded by its changed instruction drop (up to 1) or rise (down to -1).
-- relation: moved
-- formula: mean over documents of 1 - before / after if it fell, after / before - 1 if it rose; these are ranks
-- range: -1 to 1
-- same as: mteb's p-MRR, whose score of a run is the mean over its queries
-- source: Weller et al. 2024, arXiv:2403.15246
CREATE OR REPLACE MACRO query_p_mrr(p) AS avg(p.change);
