-- SlideFuse: how likely the document is to be relevant, by its rank in each run and those near it.
-- relation: learned_windows
-- formula: Σ over runs: share
-- source: Lillis, Toolan, Collier and Dunnion 2008, doi:10.1007/978-3-540-78646-7_33
CREATE OR REPLACE MACRO slidefuse(l) AS sorted_sum(l.share);
