-- Judged documents for a user who reads from the top and stops at the first document that satisfies.
-- judged: rows of judged(qrels, run)
-- max_rel: above 0, or NULL; highest grade of the scale, which no relevance may exceed; NULL uses the highest of each
--     query
-- gain: 'exponential', 'linear' or 'probability'; probability that a document satisfies: (2^relevance - 1) / 2^max_rel,
--     relevance / (max_rel + 1), or the relevance itself, from 0 to 1, whatever max_rel is
-- returns stop: probability that this document satisfies
-- returns reach: probability that no document above it satisfies
-- returns ideal_reach: the same in the ideal ranking
CREATE OR REPLACE MACRO cascade(judged, max_rel DOUBLE := 4, gain VARCHAR := 'exponential') AS TABLE
SELECT
    _s.*,
    exp(coalesce(from_fixed(sum(to_fixed(ln(greatest(1e0 - _s.stop, 1e-300)))) OVER (
        PARTITION BY _s.run_id, _s.query_id
        ORDER BY _s.rank ASC NULLS LAST, _s.doc_id DESC NULLS LAST
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    )), 0e0)) AS reach,
    exp(coalesce(from_fixed(sum(to_fixed(ln(greatest(1e0 - _s.stop, 1e-300)))) OVER (
        PARTITION BY _s.run_id, _s.query_id
        ORDER BY _s.ideal_rank ASC NULLS LAST
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    )), 0e0)) AS ideal_reach
FROM (
    SELECT
        _g.*,
        CASE
            WHEN gain = 'probability' THEN graded_gain(_g.scaled, 'linear')
            ELSE graded_gain(_g.scaled, gain) / (graded_gain(_g.highest, gain) + 1e0)
        END AS stop
    FROM (
        SELECT
            _h.*,
            within_scale(_h.grade, _h.highest) AS scaled
        FROM (
            SELECT
                _j.*,
                CASE
                    WHEN gain = 'probability' THEN 1e0
                    ELSE coalesce(max_rel, max(_j.grade) OVER (PARTITION BY _j.run_id, _j.query_id))
                END AS highest
            FROM query_table(judged) AS _j
        ) AS _h
    ) AS _g
) AS _s;
