-- A score between those of its list, as by Weaviate: 0 for the lowest, 1 for the highest; all 1 if all are equal.
-- s: rows of scored_lists
-- formula: (score − lowest) / (highest − lowest)
CREATE OR REPLACE MACRO relative_score(s) AS CASE WHEN s.highest = s.lowest THEN 1e0 ELSE s.height END;
