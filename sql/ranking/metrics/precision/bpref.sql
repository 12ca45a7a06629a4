-- 1 minus the share of non-relevant documents ranked above each relevant one, averaged over the relevant ones; unjudged
--     documents are skipped.
-- name: Bpref
-- aliases: BPref
-- formula: 1/R · Σ over relevant retrieved: 1 − min(non-relevant above, R) / min(N, R)
-- differs: ranx's bpref counts documents judged below 0 as not relevant, and returns no number if nothing is relevant
--     or nothing is judged not relevant
-- relation: judged(rel)
-- range: 0 to 1
-- no relevant: 0
-- source: Buckley and Voorhees 2004, doi:10.1145/1008992.1009000, with the denominator min(R, N) of trec_eval since 8.0
-- most used: 11
CREATE OR REPLACE MACRO bpref(j) AS
    ratio(
        exact_sum(
            CASE
                WHEN j.rank IS NOT NULL AND j.relevant = 1
                    THEN 1e0 - ratio(least(j.false_positives, j.num_rel), least(j.num_nonrel, j.num_rel))
            END
        ),
        sum(j.relevant)
    );
