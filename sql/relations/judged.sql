-- Every judged document of every run, retrieved or not, with its rank and the counts that metrics need.
-- qrels: table or file of judgments: query_id, doc_id, relevance
-- run: table or file of retrieved documents: query_id, doc_id, score and, when it holds several runs, run_id
-- rel: number above 0; relevance from which a document counts as relevant
-- run_id, query_id, doc_id: one row for each, as text; a run without run_id is called 'run'
-- relevance: the judgment; below 0 means pooled but not judged
-- rank: 1, 2, … by score descending, ties by doc_id descending; NULL when not retrieved
-- ideal_rank: 1, 2, … by relevance descending
-- num_ret: documents retrieved for the query, judged or not
-- relevant: 1 when relevance >= rel, else 0
-- num_rel: relevant documents of the query
-- num_nonrel: documents of the query judged 0 <= relevance < rel
-- hits: relevant documents retrieved at this rank or above
-- misses: documents judged not relevant and retrieved at this rank or above
CREATE OR REPLACE MACRO judged(qrels, run, rel := 1) AS TABLE
SELECT
    _j.run_id,
    _j.query_id,
    _j.doc_id,
    _j.relevance,
    _j.rank,
    row_number() OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.relevance DESC NULLS LAST, _j.doc_id DESC NULLS LAST
    ) AS ideal_rank,
    _j.num_ret,
    _j.relevant,
    count(CASE WHEN _j.relevant = 1 THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id
    ) AS num_rel,
    count(CASE WHEN _j.nonrelevant = 1 THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id
    ) AS num_nonrel,
    count(CASE WHEN _j.relevant = 1 AND _j.rank IS NOT NULL THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.rank ASC NULLS LAST, _j.doc_id DESC NULLS LAST
        ROWS UNBOUNDED PRECEDING
    ) AS hits,
    count(CASE WHEN _j.nonrelevant = 1 AND _j.rank IS NOT NULL THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.rank ASC NULLS LAST, _j.doc_id DESC NULLS LAST
        ROWS UNBOUNDED PRECEDING
    ) AS misses
FROM (
    SELECT
        _r.*,
        CASE WHEN _r.relevance >= rel THEN 1 ELSE 0 END AS relevant,
        CASE WHEN _r.relevance >= 0 AND _r.relevance < rel THEN 1 ELSE 0 END AS nonrelevant
    FROM ranked(qrels, run) AS _r
) AS _j;
