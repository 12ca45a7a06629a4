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
    _r.run_id,
    _r.query_id,
    _r.doc_id,
    _r.relevance,
    _r.rank,
    row_number() OVER (
        PARTITION BY _r.run_id, _r.query_id
        ORDER BY _r.relevance DESC NULLS LAST, _r.doc_id DESC NULLS LAST
    ) AS ideal_rank,
    _r.num_ret,
    CASE WHEN _r.relevance >= rel THEN 1 ELSE 0 END AS relevant,
    count(CASE WHEN _r.relevance >= rel THEN 1 END) OVER (
        PARTITION BY _r.run_id, _r.query_id
    ) AS num_rel,
    count(CASE WHEN _r.relevance >= 0 AND _r.relevance < rel THEN 1 END) OVER (
        PARTITION BY _r.run_id, _r.query_id
    ) AS num_nonrel,
    count(CASE WHEN _r.rank IS NOT NULL AND _r.relevance >= rel THEN 1 END) OVER (
        PARTITION BY _r.run_id, _r.query_id
        ORDER BY _r.rank ASC NULLS LAST, _r.doc_id DESC NULLS LAST
        ROWS UNBOUNDED PRECEDING
    ) AS hits,
    count(CASE WHEN _r.rank IS NOT NULL AND _r.relevance >= 0 AND _r.relevance < rel THEN 1 END) OVER (
        PARTITION BY _r.run_id, _r.query_id
        ORDER BY _r.rank ASC NULLS LAST, _r.doc_id DESC NULLS LAST
        ROWS UNBOUNDED PRECEDING
    ) AS misses
FROM ranked(qrels, run) AS _r;
