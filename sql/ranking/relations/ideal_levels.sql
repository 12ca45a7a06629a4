-- Judged documents with the gain of the ranking and of the ideal ranking down to their rank in the ideal ranking.
-- ranked_and_ideal: rows of ranked_and_ideal(judged)
-- returns level_end: 1 for the last document of the ideal ranking with this gain, if it is above 0, else 0
-- returns goes_on: 1 if the ranking has at least two more documents than have a gain, else 0
CREATE OR REPLACE MACRO ideal_levels(ranked_and_ideal) AS TABLE
SELECT
    _p.*,
    CASE
        WHEN
            _p.own_gain > 0
            AND coalesce(
                lead(_p.own_gain) OVER (PARTITION BY _p.run_id, _p.query_id ORDER BY _p.ideal_rank ASC NULLS LAST), 0e0
            ) < _p.own_gain
            THEN 1
        ELSE 0
    END AS level_end,
    CASE
        WHEN _p.num_ret > 1 + count(CASE WHEN _p.own_gain > 0 THEN 1 END) OVER (PARTITION BY _p.run_id, _p.query_id)
            THEN 1
        ELSE 0
    END AS goes_on
FROM query_table(ranked_and_ideal) AS _p
WHERE _p.in_ideal = 1;
