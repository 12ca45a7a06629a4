-- Judged documents with what the ranking and the ideal ranking have gained down to their rank in the latter.
-- placed: rows of placed(judged)
-- level_end: the last ideal_rank of documents with this gain
CREATE OR REPLACE MACRO levelled(placed) AS TABLE
SELECT
    _p.*,
    max(_p.ideal_rank) OVER (PARTITION BY _p.run_id, _p.query_id, _p.own_gain) AS level_end
FROM query_table(placed) AS _p
WHERE _p.in_ideal = 1;
