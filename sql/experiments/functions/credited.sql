-- The clicks that two interleaved rankings earned, as rows of paired.
-- pages: a row for each page, with user_id, page_id, clicks_a and clicks_b
-- unit: 'page' or 'user'; what a row is for
-- returns metric, segment, run_id, baseline, query_id, score, baseline_score, difference, outcome, scale: as in paired
CREATE OR REPLACE MACRO credited(pages, unit) AS TABLE
SELECT
    'clicks' AS metric,
    CAST(NULL AS VARCHAR) AS segment,
    'b' AS run_id,
    'a' AS baseline,
    CASE WHEN unit = 'user' THEN _p.user_id ELSE _p.page_id END AS query_id,
    CAST(sum(_p.clicks_b) AS DOUBLE) AS score,
    CAST(sum(_p.clicks_a) AS DOUBLE) AS baseline_score,
    CAST(sum(_p.clicks_b) - sum(_p.clicks_a) AS DOUBLE) AS difference,
    CAST(sign(sum(_p.clicks_b) - sum(_p.clicks_a)) AS INTEGER) AS outcome,
    power_of_2(max(greatest(sum(_p.clicks_b), sum(_p.clicks_a))) OVER ()) AS scale
FROM query_table(pages) AS _p
GROUP BY CASE WHEN unit = 'user' THEN _p.user_id ELSE _p.page_id END;
