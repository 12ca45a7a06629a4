-- The gain per document seen by a user who stops when the documents have gained T, or at rank k: the Bejeweled Player
--     Model.
-- name: BPM, BPM@k
-- formula: Σ gain(i) / n over the first n, n = min(k, first rank with a gain of T so far), continues with C(i) = 1
--     before
-- relation: cwl_stretches(min_rel, max_rel, unjudged, rel, gains)
-- T: above 0; total gain the user wants
-- k: 1 or more; number of ranks to see, as for cwl_stretches
-- measure: as for cwl_measure
-- aggregate: mean or pooled
-- range: 0 to 1
-- no relevant: 0
-- differs: gains are summed as grades, so that three thirds make 1; cwl_eval sums fractions, which may fall short of T
--     by rounding. ir_measures caps a relevance above max_rel, which is an error here
-- source: Zhang et al. 2017, doi:10.1145/3077136.3080841, the static model
CREATE OR REPLACE MACRO bpm(j, T DOUBLE := 1, k BIGINT := 1000, measure VARCHAR := 'utility') AS
    cwl_measure(
        j,
        measure,
        exact_sum(CASE WHEN j.rank <= k AND j.gained_above < T THEN j.gain END),
        sum(
            CASE
                WHEN j.rank > k OR j.gained_above >= T THEN 0
                WHEN j.gained >= T THEN 1
                WHEN j.until < k THEN j.until - j.rank + 1
                ELSE k - j.rank + 1
            END
        )
    );
