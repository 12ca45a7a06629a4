-- The judgments beside every run, with the rank that the run gave to each: sorts the run.
-- qrels: judgments, as for judged
-- run: retrieved documents, as for judged
-- run_id, query_id, doc_id: one row per run and judgment
-- relevance: the judgment
-- rank: 1, 2, … by score descending, ties by doc_id descending; NULL when not retrieved
-- num_ret: documents retrieved for the query, judged or not
CREATE OR REPLACE MACRO ranked(qrels, run) AS TABLE
SELECT
    u.run_id,
    q.query_id,
    q.doc_id,
    q.relevance,
    r.rank,
    coalesce(n.num_ret, 0) AS num_ret
FROM judgments(qrels) AS q
CROSS JOIN (SELECT DISTINCT d.run_id FROM retrieved(run) AS d) AS u
LEFT JOIN (
    SELECT
        d.run_id,
        d.query_id,
        d.doc_id,
        row_number() OVER (
            PARTITION BY d.run_id, d.query_id
            ORDER BY d.score DESC NULLS LAST, d.doc_id DESC NULLS LAST
        ) AS rank
    FROM retrieved(run) AS d
) AS r
    ON u.run_id = r.run_id AND q.query_id = r.query_id AND q.doc_id = r.doc_id
LEFT JOIN (
    SELECT d.run_id, d.query_id, count(*) AS num_ret
    FROM retrieved(run) AS d
    GROUP BY d.run_id, d.query_id
) AS n
    ON u.run_id = n.run_id AND q.query_id = n.query_id;
