-- A score between those of its list, as by OpenSearch: .001 for the lowest, 1 for the highest; all 1 if all are equal.
-- s: rows of scored_lists
-- formula: (score − lowest) / (highest − lowest), at least .001 for the lowest
CREATE OR REPLACE MACRO opensearch_min_max(s) AS
    CASE
        WHEN s.highest = s.lowest THEN 1e0
        WHEN s.score = s.lowest THEN 1e-3
        ELSE s.height
    END;
