-- Judged documents with their place in the ideal ranking closest to the run, and where the two rankings share them.
-- judged: rows of judged(qrels, run)
-- returns agreed_rank: 1, 2, … among the relevant documents by grade descending, within a grade in the order of the
--     run; likewise among the others
-- returns shared_rank: the rank from which on both rankings have this relevant document; NULL if it was not retrieved
-- returns num_shared: number of relevant documents that both rankings have from there on, until the next one
-- returns shared_until: last rank with this many, in the longer ranking
-- returns longest: length of the longer ranking
CREATE OR REPLACE MACRO rbo_overlap(judged) AS TABLE
SELECT
    _s.*,
    row_number() OVER (
        PARTITION BY _s.run_id, _s.query_id
        ORDER BY _s.shared_rank ASC NULLS LAST, _s.doc_id DESC NULLS LAST
    ) AS num_shared,
    coalesce(
        lead(_s.shared_rank) OVER (
            PARTITION BY _s.run_id, _s.query_id
            ORDER BY _s.shared_rank ASC NULLS LAST, _s.doc_id DESC NULLS LAST
        ) - 1,
        _s.longest
    ) AS shared_until
FROM (
    SELECT
        _a.*,
        CASE
            WHEN _a.relevant = 0 OR _a.rank IS NULL THEN NULL
            WHEN _a.rank > _a.agreed_rank THEN _a.rank
            ELSE _a.agreed_rank
        END AS shared_rank
    FROM (
        SELECT
            _j.*,
            CASE WHEN _j.num_ret > _j.num_rel THEN _j.num_ret ELSE _j.num_rel END AS longest,
            row_number() OVER (
                PARTITION BY _j.run_id, _j.query_id, _j.relevant
                ORDER BY _j.grade DESC NULLS LAST, _j.rank ASC NULLS LAST, _j.doc_id DESC NULLS LAST
            ) AS agreed_rank
        FROM query_table(judged) AS _j
    ) AS _a
) AS _s;
