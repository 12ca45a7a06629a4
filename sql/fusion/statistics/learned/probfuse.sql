-- ProbFuse: how likely the document is to be relevant, by the part of each list that it is in.
-- relation: learned_parts
-- formula: Σ over runs: share / part
-- source: Lillis, Toolan, Collier and Dunnion 2006, doi:10.1145/1148170.1148197
CREATE OR REPLACE MACRO probfuse(l) AS sorted_sum(l.share / l.segment);
