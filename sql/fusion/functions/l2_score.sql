-- A score divided by the length of its list as a vector, as by OpenSearch and Elasticsearch.
-- s: rows of scored_lists
-- formula: score / √ Σ score²
CREATE OR REPLACE MACRO l2_score(s) AS
    ratio(
        ratio(s.score, farthest_score(s)),
        sqrt(
            s.num_ret * power(ratio(s.lowest + (s.highest - s.lowest) * s.mean, farthest_score(s)), 2)
            + s.squares * power(ratio(s.highest - s.lowest, farthest_score(s)), 2)
        )
    );
