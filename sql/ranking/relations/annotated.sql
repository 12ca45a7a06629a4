-- The rows of judged, and with relevance -1 those of retrieved documents that are judged for another query only.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- rel: as for judged; lowest relevance that counts as relevant
-- ties: as for judged; order of documents of the same score
-- depth: as for judged; number of documents to keep per query
-- judged_only: as for judged; whether ranks skip documents without a judgment of 0 or more for their query
-- judgments: of all queries
-- refuses: unusable_judgments, repeated_judgments, judged_by_subtopic, unusable_documents, repeated_documents,
--     unjudged_runs
-- numbered: SELECT * FROM judged(qrels, run, rel := rel, ties := ties, depth := depth, judged_only := judged_only)
CREATE OR REPLACE MACRO annotated(
    qrels, run, rel DOUBLE := 1, ties VARCHAR := 'descending', depth BIGINT := NULL, judged_only BOOLEAN := FALSE
) AS TABLE
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
SELECT * FROM judged(_known, run, rel := rel, ties := ties, depth := depth, judged_only := judged_only);
