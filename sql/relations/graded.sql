-- The rows of condensed with their grades, and the counts that metrics need.
-- condensed: rows of condensed(qrels, run)
-- rel: relevance from which a document counts as relevant, as for judged
-- gains: gain of each relevance, as for judged
CREATE OR REPLACE MACRO graded(condensed, rel := 1, gains := NULL) AS TABLE
SELECT
    _j.run_id,
    _j.query_id,
    _j.doc_id,
    _j.relevance,
    _j.grade,
    _j.rank,
    _j.first_rank,
    _j.last_rank,
    _j.num_tied,
    row_number() OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.grade DESC NULLS LAST, _j.doc_id DESC NULLS LAST
    ) AS ideal_rank,
    CASE
        WHEN _j.rank IS NOT NULL
            THEN row_number() OVER (
                PARTITION BY _j.run_id, _j.query_id, _j.retrieved
                ORDER BY _j.grade DESC NULLS LAST, _j.doc_id DESC NULLS LAST
            )
    END AS retrieved_ideal_rank,
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
        ORDER BY _j.rank ASC NULLS LAST
        ROWS UNBOUNDED PRECEDING
    ) AS hits,
    count(CASE WHEN _j.nonrelevant = 1 AND _j.rank IS NOT NULL THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.rank ASC NULLS LAST
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
    ) AS hits_tied,
    count(CASE WHEN _j.nonrelevant = 1 THEN _j.first_rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.first_rank ASC NULLS LAST
        RANGE UNBOUNDED PRECEDING
    ) - count(CASE WHEN _j.nonrelevant = 1 THEN _j.first_rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id, _j.first_rank
    ) AS misses_above,
    count(CASE WHEN _j.nonrelevant = 1 THEN _j.first_rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id, _j.first_rank
    ) AS misses_tied
FROM (
    SELECT
        _r.*,
        mapped_gain(_r.relevance, gains) AS grade,
        CASE WHEN _r.rank IS NOT NULL THEN 1 ELSE 0 END AS retrieved,
        CASE WHEN _r.relevance >= rel THEN 1 ELSE 0 END AS relevant,
        CASE WHEN _r.relevance >= 0 AND _r.relevance < rel THEN 1 ELSE 0 END AS nonrelevant
    FROM query_table(condensed) AS _r
) AS _j;
