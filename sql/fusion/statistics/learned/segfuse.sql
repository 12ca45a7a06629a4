-- SegFuse: how likely the document is to be relevant, by the segment of each list that it is in, and its score.
-- relation: learned_doubling
-- formula: Σ over runs: share · (1 + score)
-- differs: ranx gives nothing to documents beyond rank 5115
-- source: Shokouhi 2007, doi:10.1007/978-3-540-71496-5_19
CREATE OR REPLACE MACRO segfuse(l) AS sorted_sum(l.share * (1e0 + l.score));
