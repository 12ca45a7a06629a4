-- The share of the first k places that documents without judgment take up.
-- name: Unjudged@k, Unjudged
-- formula: unjudged@k / k
-- trec_eval: unj_{k} by 5, 10, 20
-- beir: Hole@{k}
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, which divides even when fewer documents were retrieved. NULL takes all that were
-- range: 0 to 1
-- empty: the share all the same
-- differs: BEIR's and mteb's Hole@k does not count documents that have a judgment for another query
-- source: trec_eval 10
CREATE OR REPLACE MACRO unjudged_at(j, k := NULL) AS
    coalesce(
        1e0 * (
            sum(
                CASE
                    WHEN j.ideal_rank = 1 AND j.num_ret > coalesce(k, j.num_ret) THEN k
                    WHEN j.ideal_rank = 1 THEN j.num_ret
                END
            )
            - sum(CASE WHEN j.rank <= coalesce(k, j.rank) AND j.relevance >= 0 THEN 1 ELSE 0 END)
        )
        / nullif(sum(CASE WHEN j.ideal_rank = 1 THEN coalesce(k, j.num_ret) END), 0),
        0e0
    );
CREATE OR REPLACE MACRO unjudged_at(qrels, run, k := NULL) AS TABLE
SELECT j.run_id, j.query_id, unjudged_at(j, k := k) AS unjudged_at
FROM judged(qrels, run) AS j
GROUP BY j.run_id, j.query_id;
