-- The expected gain per document seen by a user who continues to the next one with probability p.
-- name: RBP, RBP@k
-- formula: (1 − p) · Σ gain(i) · p^(i − 1)
-- relation: judged(rel, gains)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- p: between 0 and 1; probability that the user continues
-- gain: 'binary', 'linear' or 'exponential'; gain of a document: 1 if it is relevant, its relevance, or 2^relevance - 1
-- max_rel: above 0; highest grade of the scale, by whose gain all gains are divided, so that they are 1 at most:
--     relevance / max_rel, unless gain is exponential. NULL does not divide
-- scaled: whether to divide gains by the highest gain of any document judged for the query, in place of max_rel
-- denominator: 'endless', 'cutoff', 'relevant', 'achievable', 'retrieved' or 'listed'; which ranks have weights that
--     sum to 1: all ranks without end, the first k, the first R, min(k, R), min(k, documents retrieved), or min(k, R,
--     documents retrieved)
-- aggregate: mean or pooled
-- range: 0 to inf
-- no relevant: 0
-- differs: p is 0.9 in trec_eval and cwl_eval, 0.85 in lenskit, 0.5 in rankeval. trec_eval has RBP since version 10,
--     with p=0.9, gain='linear' and scaled=TRUE; the name rbp, in upper or lower case, means this only with preset
--     trec_eval-10, and otherwise RBP with our defaults; rbp_p=0.8, as trec_eval prints it, always means trec_eval's
-- source: Moffat and Zobel 2008, doi:10.1145/1416950.1416952
-- most used: 9
CREATE OR REPLACE MACRO rbp(
    j, k BIGINT := NULL, p DOUBLE := 8e-1, gain VARCHAR := 'binary', max_rel DOUBLE := NULL, scaled BOOLEAN := FALSE,
    denominator VARCHAR := 'endless'
) AS
    ratio(
        (1e0 - p) * exact_sum(
            CASE
                WHEN within_k(j.rank, k)
                    THEN power(1e0 * p, j.rank - 1) * rbp_gain(j.relevant, j.grade, gain, max_rel)
            END
        ),
        rbp_scale(j, k, p, gain, scaled, denominator)
    );
