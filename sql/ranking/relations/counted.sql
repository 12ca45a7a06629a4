-- Judged documents with their grades, and the counts that metrics need.
-- restricted: rows of restricted(qrels, run)
-- rel: as for judged; lowest relevance that counts as relevant
-- gains: as for judged; gain of each relevance
CREATE OR REPLACE MACRO counted(restricted, rel DOUBLE := 1, gains MAP (DOUBLE, DOUBLE) := NULL) AS TABLE
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
            THEN count(_j.rank) OVER (
                PARTITION BY _j.run_id, _j.query_id
                ORDER BY _j.grade DESC NULLS LAST, _j.doc_id DESC NULLS LAST
                ROWS UNBOUNDED PRECEDING
            )
    END AS retrieved_ideal_rank,
    _j.has_results,
    _j.num_ret,
    _j.relevant,
    count(CASE WHEN _j.relevant = 1 THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id
    ) AS num_rel,
    count(CASE WHEN _j.nonrelevant = 1 THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id
    ) AS num_nonrel,
    -- ties are in the order of their ranks, so that both are counted in one sort
    count(CASE WHEN _j.relevant = 1 THEN _j.rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.first_rank ASC NULLS LAST, _j.rank ASC NULLS LAST
        ROWS UNBOUNDED PRECEDING
    ) AS hits,
    count(CASE WHEN _j.nonrelevant = 1 THEN _j.rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.first_rank ASC NULLS LAST, _j.rank ASC NULLS LAST
        ROWS UNBOUNDED PRECEDING
    ) AS false_positives,
    count(CASE WHEN _j.relevant = 1 THEN _j.first_rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.first_rank ASC NULLS LAST
        RANGE UNBOUNDED PRECEDING
    ) - count(CASE WHEN _j.relevant = 1 THEN _j.first_rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.first_rank ASC NULLS LAST
        RANGE BETWEEN CURRENT ROW AND CURRENT ROW
    ) AS hits_above,
    count(CASE WHEN _j.relevant = 1 THEN _j.first_rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.first_rank ASC NULLS LAST
        RANGE BETWEEN CURRENT ROW AND CURRENT ROW
    ) AS hits_tied,
    count(CASE WHEN _j.nonrelevant = 1 THEN _j.first_rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.first_rank ASC NULLS LAST
        RANGE UNBOUNDED PRECEDING
    ) - count(CASE WHEN _j.nonrelevant = 1 THEN _j.first_rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.first_rank ASC NULLS LAST
        RANGE BETWEEN CURRENT ROW AND CURRENT ROW
    ) AS false_positives_above,
    count(CASE WHEN _j.nonrelevant = 1 THEN _j.first_rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.first_rank ASC NULLS LAST
        RANGE BETWEEN CURRENT ROW AND CURRENT ROW
    ) AS false_positives_tied
FROM (
    SELECT
        _r.*,
        mapped_gain(_r.relevance, gains) AS grade,
        CASE WHEN _r.relevance >= rel THEN 1 ELSE 0 END AS relevant,
        CASE WHEN _r.relevance >= 0 AND _r.relevance < rel THEN 1 ELSE 0 END AS nonrelevant
    FROM query_table(restricted) AS _r
) AS _j;
