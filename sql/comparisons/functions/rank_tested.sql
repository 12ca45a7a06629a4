-- Wilcoxon's signed-rank test of each pair of runs.
-- pairs: rows of paired
-- returns metric, segment, run_id, baseline: one row each
-- returns p: as of wilcoxon
CREATE OR REPLACE MACRO rank_tested(pairs) AS TABLE
SELECT
    _p.metric,
    _p.segment,
    _p.run_id,
    _p.baseline,
    wilcoxon(_p) AS p
FROM query_table(pairs) AS _p
GROUP BY _p.metric, _p.segment, _p.run_id, _p.baseline;
