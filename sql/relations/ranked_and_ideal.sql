-- Each judged document at its rank and at its rank in the ideal ranking, with the gain of both rankings down to there.
-- judged: rows of judged(qrels, run)
-- gain: 'binary', 'linear' or 'exponential'; gain of a document: 1 if its grade is above 0, its grade, or 2^grade - 1;
--     nothing if its grade is below 0
-- returns own_gain: gain of the document
-- returns highest: the largest own_gain of the query
-- returns in_ideal: 0 for its place in the ranking, 1 for its place in the ideal ranking
-- returns place: rank or ideal_rank; NULL if not retrieved
-- returns cg, ideal_cg: gain of the ranking, and of the ideal ranking, down to this place; in total, if there is none
-- returns dcg, ideal_dcg: the same with gains divided by log2(place + 1)
-- returns ideal_surplus: gain of the documents of the ideal ranking beyond 1 each, down to this place
CREATE OR REPLACE MACRO ranked_and_ideal(judged, gain VARCHAR := 'linear') AS TABLE
SELECT
    _p.*,
    from_fixed(sum(
        to_fixed(CASE WHEN _p.in_ideal = 0 AND _p.place IS NOT NULL THEN _p.own_gain ELSE 0e0 END, _p.highest)
    ) OVER (
        PARTITION BY _p.run_id, _p.query_id
        ORDER BY _p.place ASC NULLS LAST
        RANGE UNBOUNDED PRECEDING
    ), _p.highest) AS cg,
    from_fixed(sum(to_fixed(CASE WHEN _p.in_ideal = 1 THEN _p.own_gain ELSE 0e0 END, _p.highest)) OVER (
        PARTITION BY _p.run_id, _p.query_id
        ORDER BY _p.place ASC NULLS LAST
        RANGE UNBOUNDED PRECEDING
    ), _p.highest) AS ideal_cg,
    from_fixed(sum(to_fixed(
        CASE
            WHEN _p.in_ideal = 0 AND _p.place IS NOT NULL THEN _p.own_gain / rank_discount(_p.place, 'log', 2)
            ELSE 0e0
        END,
        _p.highest
    )) OVER (
        PARTITION BY _p.run_id, _p.query_id
        ORDER BY _p.place ASC NULLS LAST
        RANGE UNBOUNDED PRECEDING
    ), _p.highest) AS dcg,
    from_fixed(sum(to_fixed(
        CASE WHEN _p.in_ideal = 1 THEN _p.own_gain / rank_discount(_p.place, 'log', 2) ELSE 0e0 END, _p.highest
    )) OVER (
        PARTITION BY _p.run_id, _p.query_id
        ORDER BY _p.place ASC NULLS LAST
        RANGE UNBOUNDED PRECEDING
    ), _p.highest) AS ideal_dcg,
    from_fixed(sum(
        to_fixed(CASE WHEN _p.in_ideal = 1 AND _p.own_gain > 1 THEN _p.own_gain - 1e0 ELSE 0e0 END, _p.highest)
    ) OVER (
        PARTITION BY _p.run_id, _p.query_id
        ORDER BY _p.place ASC NULLS LAST
        RANGE UNBOUNDED PRECEDING
    ), _p.highest) AS ideal_surplus
FROM (
    SELECT
        _j.*,
        graded_gain(_j.grade, gain) AS own_gain,
        max(graded_gain(_j.grade, gain)) OVER (PARTITION BY _j.run_id, _j.query_id) AS highest,
        _k.in_ideal,
        CASE WHEN _k.in_ideal = 1 THEN _j.ideal_rank ELSE _j.rank END AS place
    FROM query_table(judged) AS _j
    CROSS JOIN (
        SELECT 0 AS in_ideal
        UNION ALL
        SELECT 1 AS in_ideal
    ) AS _k
) AS _p;
