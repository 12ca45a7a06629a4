-- Every judgment of a document for a subtopic, next to the rows of restricted, with the counts that metrics use.
-- restricted: rows of restricted(qrels, run), one for each document
-- qrels: as for subtopics; judgments
-- rel: as for subtopics; lowest relevance that counts as relevant to the subtopic
CREATE OR REPLACE MACRO ranked_subtopics(restricted, qrels, rel DOUBLE := 1) AS TABLE
SELECT
    _j.*,
    row_number() OVER (
        PARTITION BY _j.run_id, _j.query_id, _j.subtopic
        ORDER BY _j.relevance DESC NULLS LAST, _j.doc_id DESC NULLS LAST
    ) AS ideal_rank,
    count(CASE WHEN _j.relevant = 1 THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id, _j.subtopic
    ) AS num_rel,
    count(CASE WHEN _j.relevant = 1 AND _j.rank IS NOT NULL THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id, _j.subtopic
        ORDER BY _j.rank ASC NULLS LAST, _j.doc_id DESC NULLS LAST
        ROWS UNBOUNDED PRECEDING
    ) AS hits
FROM (
    SELECT
        _d.run_id,
        _d.query_id,
        _s.subtopic,
        _d.doc_id,
        _s.relevance,
        _d.rank,
        _d.has_results,
        _d.num_ret,
        CASE WHEN _s.relevance >= rel THEN 1 ELSE 0 END AS relevant
    FROM query_table(restricted) AS _d
    INNER JOIN subtopic_judgments(qrels) AS _s
        ON _d.query_id = _s.query_id AND _d.doc_id = _s.doc_id
) AS _j;
