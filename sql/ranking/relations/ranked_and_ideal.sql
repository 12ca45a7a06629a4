-- Each judged document at its rank and at its rank in the ideal ranking, with the gain of both rankings down to there.
-- judged: rows of judged(qrels, run)
-- gain: 'binary', 'linear' or 'exponential'; gain of a document: 1 if its grade is above 0, its grade, or 2^grade - 1;
--     nothing if its grade is below 0
-- returns own_gain: gain of the document
-- returns highest: the largest own_gain of the query
-- returns in_ideal: 0 for its place in the ranking, 1 for its place in the ideal ranking
-- returns place: rank or ideal_rank; NULL if not retrieved
-- returns got, best: own_gain where it counts for the ranking, and for the ideal ranking, else 0
-- returns cg, ideal_cg: gain of the ranking, and of the ideal ranking, down to this place; in total, if there is none
-- returns dcg, ideal_dcg: the same with gains divided by log2(place + 1)
-- returns ideal_surplus: gain of the documents of the ideal ranking beyond 1 each, down to this place
CREATE OR REPLACE MACRO ranked_and_ideal(judged, gain VARCHAR := 'linear') AS TABLE
SELECT
    _g.*,
    down_to_place(_g, _g.got) AS cg,
    down_to_place(_g, _g.best) AS ideal_cg,
    down_to_place(_g, _g.got / rank_discount(_g.place, 'log', 2)) AS dcg,
    down_to_place(_g, _g.best / rank_discount(_g.place, 'log', 2)) AS ideal_dcg,
    down_to_place(_g, CASE WHEN _g.best > 1 THEN _g.best - 1e0 ELSE 0e0 END) AS ideal_surplus
FROM (
    SELECT
        _p.*,
        CASE WHEN _p.in_ideal = 0 AND _p.place IS NOT NULL THEN _p.own_gain ELSE 0e0 END AS got,
        CASE WHEN _p.in_ideal = 1 THEN _p.own_gain ELSE 0e0 END AS best
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
    ) AS _p
) AS _g;
