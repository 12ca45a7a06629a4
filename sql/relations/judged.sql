-- Every judged document of every run, retrieved or not, with its rank and the counts that metrics need.
-- qrels: table or file of judgments: query_id, doc_id, relevance
-- run: table or file of retrieved documents: query_id, doc_id, score and, when it holds several runs, run_id
-- rel: number above 0; relevance from which a document counts as relevant
-- ties: 'descending', 'ascending', 'input', 'rank', 'best' or 'worst'; order of documents of the same score: by doc_id (bytes), as they stand in the run, by its column rank, or relevant ones first or last
-- depth: whole number, 1 or more, or NULL; how many documents of each query are kept, NULL keeps all
-- judged_only: TRUE or FALSE; whether ranks pass over documents without a judgment of 0 or more
-- run_id, query_id, doc_id: one row for each, as text; a run without run_id is called 'run'
-- relevance: the judgment; below 0 means pooled but not judged
-- rank: 1, 2, … by score descending, tied documents as ties says; NULL when not retrieved
-- first_rank, last_rank: the ranks within the depth that the documents of this score take up
-- num_tied: documents of this score, itself included; NULL with judged_only and a depth
-- ideal_rank: 1, 2, … by relevance descending
-- answered: 1 when the run retrieved anything for the query, else 0
-- num_ret: documents retrieved for the query, judged or not
-- relevant: 1 when relevance >= rel, else 0
-- num_rel: relevant documents of the query
-- num_nonrel: documents of the query judged 0 <= relevance < rel
-- hits: relevant documents retrieved at this rank or above
-- misses: documents judged not relevant and retrieved at this rank or above
-- hits_above: relevant documents retrieved with a higher score
-- hits_tied: relevant documents retrieved with this score
CREATE OR REPLACE MACRO judged(
    qrels, run, rel := 1, ties := 'descending', depth := NULL, judged_only := FALSE
) AS TABLE
SELECT
    _j.run_id,
    _j.query_id,
    _j.doc_id,
    _j.relevance,
    _j.rank,
    _j.first_rank,
    _j.last_rank,
    _j.num_tied,
    row_number() OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.relevance DESC NULLS LAST, _j.doc_id DESC NULLS LAST
    ) AS ideal_rank,
    _j.answered,
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
    ) AS misses,
    count(CASE WHEN _j.relevant = 1 THEN _j.first_rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.first_rank ASC NULLS LAST
        RANGE UNBOUNDED PRECEDING
    ) - count(CASE WHEN _j.relevant = 1 THEN _j.first_rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id, _j.first_rank
    ) AS hits_above,
    count(CASE WHEN _j.relevant = 1 THEN _j.first_rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id, _j.first_rank
    ) AS hits_tied
FROM (
    SELECT
        _r.*,
        CASE WHEN _r.relevance >= rel THEN 1 ELSE 0 END AS relevant,
        CASE WHEN _r.relevance >= 0 AND _r.relevance < rel THEN 1 ELSE 0 END AS nonrelevant
    FROM condensed(qrels, run, ties, depth, judged_only) AS _r
) AS _j;
