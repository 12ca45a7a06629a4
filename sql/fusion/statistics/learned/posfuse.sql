-- PosFuse: how likely the document is to be relevant, by its rank in each run.
-- relation: learned_ranks
-- formula: Σ over runs: share
-- source: Lillis et al. 2010, doi:10.1145/1835449.1835508
CREATE OR REPLACE MACRO posfuse(l) AS sorted_sum(l.share);
