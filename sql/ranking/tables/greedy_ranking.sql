-- The relevant documents of each query in greedy order: the next is the one that gains most given those above it.
-- subtopics: rows of subtopics(qrels, run)
-- alpha: as for greedy; share of the gain lost each time a subtopic is covered again
-- returns greedy_rank: 1, 2, …; of equal gains, the larger doc_id (bytes) comes first
CREATE OR REPLACE MACRO greedy_ranking(subtopics, alpha) AS TABLE
WITH RECURSIVE _steps AS (
    SELECT
        _q.query_id,
        0 AS greedy_rank,
        CAST(NULL AS VARCHAR) AS doc_id,
        -- the documents not yet ranked, and the gain of each subtopic from the next document
        _q.documents,
        list_transform(range(_q.num_subtopics), lambda _n: 1e0) AS gains
    FROM (
        SELECT
            _d.query_id,
            max(_d.num_subtopics) AS num_subtopics,
            list(struct_pack(doc_id := _d.doc_id, subtopics := _d.subtopics) ORDER BY _d.doc_id DESC) AS documents
        FROM (
            SELECT
                _n.query_id,
                _n.doc_id,
                max(_n.subtopic_number) AS num_subtopics,
                list(_n.subtopic_number ORDER BY _n.subtopic_number ASC) AS subtopics
            FROM (
                SELECT
                    _s.*,
                    dense_rank() OVER (PARTITION BY _s.query_id ORDER BY _s.subtopic ASC) AS subtopic_number
                FROM (
                    -- the same judgments appear with each run
                    SELECT DISTINCT
                        _u.query_id,
                        _u.subtopic,
                        _u.doc_id
                    FROM query_table(subtopics) AS _u
                    WHERE _u.relevant = 1
                ) AS _s
            ) AS _n
            GROUP BY _n.query_id, _n.doc_id
        ) AS _d
        GROUP BY _d.query_id
    ) AS _q
    UNION ALL
    SELECT
        _b.query_id,
        _b.greedy_rank + 1 AS greedy_rank,
        _b.documents[_b.place].doc_id AS doc_id,
        list_concat(
            list_slice(_b.documents, 1, _b.place - 1),
            list_slice(_b.documents, _b.place + 1, len(_b.documents))
        ) AS documents,
        list_transform(
            range(1, len(_b.gains) + 1),
            lambda _n: CASE
                WHEN list_contains(_b.documents[_b.place].subtopics, _n) THEN (1e0 - alpha) * _b.gains[_n]
                ELSE _b.gains[_n]
            END
        ) AS gains
    FROM (
        SELECT
            _g.query_id,
            _g.greedy_rank,
            _g.documents,
            _g.gains,
            list_position(_g.sums, list_max(_g.sums)) AS place
        FROM (
            SELECT
                _r.query_id,
                _r.greedy_rank,
                _r.documents,
                _r.gains,
                list_transform(
                    _r.documents,
                    -- sums of the same gains in a different order may differ in their last digits
                    lambda _d: round(list_sum(list_transform(_d.subtopics, lambda _n: _r.gains[_n])), 12)
                ) AS sums
            FROM _steps AS _r
            WHERE len(_r.documents) > 0
        ) AS _g
    ) AS _b
)
SELECT
    _i.query_id,
    _i.doc_id,
    _i.greedy_rank
FROM _steps AS _i
WHERE _i.greedy_rank > 0;
