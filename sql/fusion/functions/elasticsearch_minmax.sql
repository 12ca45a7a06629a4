-- A score between those of its list, as by Elasticsearch: 0 for the lowest, 1 for the highest; as they are if all are
--     equal.
-- s: rows of scored_lists
-- formula: (score − lowest) / (highest − lowest)
CREATE OR REPLACE MACRO elasticsearch_minmax(s) AS CASE WHEN s.highest = s.lowest THEN s.score ELSE s.height END;
