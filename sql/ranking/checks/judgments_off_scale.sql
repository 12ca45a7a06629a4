-- Judgments above the highest grade of the scale.
-- severity: error
-- qrels: as for judged; judgments
-- max_rel: highest grade of the scale
CREATE OR REPLACE MACRO judgments_off_scale(qrels, max_rel := NULL) AS TABLE
SELECT
    _q.query_id,
    _q.doc_id,
    _q.relevance,
    concat(document_of(_q.query_id, _q.doc_id), ' has relevance ', _q.relevance) AS problem
FROM judgments(qrels) AS _q
WHERE _q.relevance > max_rel;
