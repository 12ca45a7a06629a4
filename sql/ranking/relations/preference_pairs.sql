-- The rows of preferences, with those of several subtopics over the same two documents as parts of one.
-- preferences: rows of preferences(subtopics)
-- pairs: 'judged', 'either' or 'both'; which preferences count: all, those with at least one document retrieved, or
--     those with both retrieved
-- returns run_id, query_id: one row per row of preferences, and one that subtracts what all preferences count twice
--     or more
-- returns has_results: 1 if the run retrieved anything for the query, else 0
-- returns pair_possible, pair_fulfilled: as in preferences; in the sum, each of n preferences between two documents, in
--     either direction, counts 1/n
CREATE OR REPLACE MACRO preference_pairs(preferences, pairs VARCHAR := 'judged') AS TABLE
WITH _repeated AS (
    -- only documents with several subtopics can be in the same pair twice
    SELECT *
    FROM (
        SELECT
            _p.*,
            dense_rank() OVER (
                PARTITION BY _p.run_id, _p.query_id
                ORDER BY _p.doc_id ASC NULLS LAST
            ) AS doc_number,
            count(*) OVER (PARTITION BY _p.run_id, _p.query_id, _p.doc_id) AS num_subtopics
        FROM query_table(preferences) AS _p
        WHERE _p.relevance >= 0
    ) AS _n
    WHERE _n.num_subtopics > 1
)
SELECT
    _f.run_id,
    _f.query_id,
    _f.has_results,
    1e0 * _f.possible AS pair_possible,
    1e0 * _f.fulfilled AS pair_fulfilled
FROM query_table(preferences) AS _f
UNION ALL
SELECT
    _t.run_id,
    _t.query_id,
    _t.has_results,
    exact_sum(_t.possible * (1e0 / _t.preferences - 1e0)) AS pair_possible,
    exact_sum(_t.fulfilled * (1e0 / _t.preferences - 1e0)) AS pair_fulfilled
FROM (
    SELECT
        _a.run_id,
        _a.query_id,
        _a.has_results,
        CASE WHEN _a.doc_number < _b.doc_number THEN _a.doc_number ELSE _b.doc_number END AS doc_number,
        CASE WHEN _a.doc_number > _b.doc_number THEN _a.doc_number ELSE _b.doc_number END AS other_number,
        count(*) AS preferences,
        sum(counted_preferences(pairs, _a.rank, 1, CASE WHEN _b.rank IS NOT NULL THEN 1 ELSE 0 END)) AS possible,
        sum(fulfilled_preferences(
            pairs,
            _a.rank,
            1,
            CASE WHEN _b.rank IS NOT NULL THEN 1 ELSE 0 END,
            CASE WHEN _b.rank > _a.rank THEN 1 ELSE 0 END
        )) AS fulfilled
    FROM _repeated AS _a
    INNER JOIN _repeated AS _b
        ON
            _a.run_id = _b.run_id AND _a.query_id = _b.query_id AND _a.subtopic = _b.subtopic
            AND _a.relevance > _b.relevance
    GROUP BY
        _a.run_id,
        _a.query_id,
        _a.has_results,
        CASE WHEN _a.doc_number < _b.doc_number THEN _a.doc_number ELSE _b.doc_number END,
        CASE WHEN _a.doc_number > _b.doc_number THEN _a.doc_number ELSE _b.doc_number END
) AS _t
GROUP BY _t.run_id, _t.query_id, _t.has_results;
