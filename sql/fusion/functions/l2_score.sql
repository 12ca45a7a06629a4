-- A score divided by the length of its list as a vector, as by OpenSearch and Elasticsearch.
-- s: rows of scored_lists
-- formula: score / √ Σ score²
CREATE OR REPLACE MACRO l2_score(s) AS ratio(s.share, sqrt(s.share_squares));
