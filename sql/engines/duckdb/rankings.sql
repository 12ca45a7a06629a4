-- Every retrieved document of every run, judged or not, with its rank: sorts each list rather than all rows.
-- run: as for judged; retrieved documents, whose scores are numbers
-- depth: as for judged; number of documents to keep per query
CREATE OR REPLACE MACRO rankings(run, depth := NULL) AS TABLE
SELECT
    _u.run_id,
    _u.query_id,
    _u.document.doc_id,
    _u.document.score,
    _u.rank,
    _u.num_ret
FROM (
    SELECT
        _l.run_id,
        _l.query_id,
        unnest(_l.documents) AS document,
        unnest(range(1, len(_l.documents) + 1)) AS rank,
        len(_l.documents) AS num_ret
    FROM (
        SELECT
            _r.run_id,
            _r.query_id,
            list_slice(
                list_reverse_sort(list(struct_pack(score := _r.score, doc_id := _r.doc_id))),
                1, coalesce(depth, count(*))
            ) AS documents
        FROM retrieved(run) AS _r
        GROUP BY _r.run_id, _r.query_id
    ) AS _l
) AS _u;
