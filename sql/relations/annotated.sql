-- Retrieved documents that are judged for any query, with their rank, next to the judgments of their own.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- ties: as for judged; order of documents of the same score
-- depth: as for judged; number of documents to keep per query
-- refuses: unusable_judgments, repeated_judgments, judged_by_subtopic, unusable_documents, repeated_documents,
--     unjudged_runs
-- returns run_id, query_id, doc_id: one row each, for queries that are judged
-- returns rank: 1, 2, … by score descending, among all retrieved documents; NULL if not retrieved
-- returns has_results: 1 if the run retrieved anything for the query, else 0
-- returns num_ret: documents retrieved for the query, judged or not
CREATE OR REPLACE MACRO annotated(qrels, run, ties VARCHAR := 'descending', depth BIGINT := NULL) AS TABLE
WITH _known AS (
    SELECT
        _q.query_id,
        _q.doc_id,
        _q.relevance
    FROM judgments(qrels) AS _q
    UNION ALL
    SELECT DISTINCT
        _d.query_id,
        _d.doc_id,
        -1e0 AS relevance
    FROM retrieved(run) AS _d
    INNER JOIN (SELECT DISTINCT _a.query_id FROM judgments(qrels) AS _a) AS _u
        ON _d.query_id = _u.query_id
    INNER JOIN (SELECT DISTINCT _b.doc_id FROM judgments(qrels) AS _b) AS _v
        ON _d.doc_id = _v.doc_id
    LEFT JOIN judgments(qrels) AS _o
        ON _d.query_id = _o.query_id AND _d.doc_id = _o.doc_id
    WHERE _o.doc_id IS NULL
)
SELECT
    _r.run_id,
    _r.query_id,
    _r.doc_id,
    _r.rank,
    _r.has_results,
    _r.num_ret
FROM restricted(_known, run, ties := ties, depth := depth) AS _r;
