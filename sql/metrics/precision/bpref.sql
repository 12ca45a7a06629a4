-- For each relevant document, 1 less the share of non-relevant ones ranked above it; unjudged documents are passed over.
-- name: Bpref
-- aliases: BPref
-- formula: 1/R · Σ over relevant retrieved: 1 − min(non-relevant above, R) / min(N, R)
-- trec_eval: bpref; gm_bpref with over='geometric'
-- ir_measures: Bpref
-- nicknames: official bpref, all_trec
-- differs: ranx bpref counts what is judged below 0 as not relevant, and is no number where nothing is relevant or nothing is judged not relevant
-- relation: judged
-- range: 0 to 1
-- empty: 0
-- source: Buckley and Voorhees 2004, doi:10.1145/1008992.1009000, with the denominator min(R, N) of trec_eval since 8.0
CREATE OR REPLACE MACRO bpref(j) AS
    coalesce(
        sum(
            CASE
                WHEN j.rank IS NULL OR j.relevant = 0 THEN 0e0
                WHEN j.misses = 0 THEN 1e0
                ELSE
                    1e0 - 1e0 * CASE WHEN j.misses < j.num_rel THEN j.misses ELSE j.num_rel END
                    / CASE WHEN j.num_nonrel < j.num_rel THEN j.num_nonrel ELSE j.num_rel END
            END
        ) / nullif(max(j.num_rel), 0),
        0e0
    );
CREATE OR REPLACE MACRO bpref(qrels, run, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, bpref(j) AS bpref
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
