-- Judged documents under a user who reads from the top and stops at a document that satisfies.
-- judged: rows of judged(qrels, run)
-- max_rel: number above 0; highest grade of the scale, which no relevance may exceed
-- stop: probability that this document satisfies, (2^relevance - 1) / 2^max_rel
-- reach: probability that nothing ranked above it has
CREATE OR REPLACE MACRO cascade(judged, max_rel := 4) AS TABLE
SELECT
    _s.*,
    exp(coalesce(sum(ln(1e0 - _s.stop)) OVER (
        PARTITION BY _s.run_id, _s.query_id
        ORDER BY _s.rank ASC NULLS LAST, _s.doc_id DESC NULLS LAST
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), 0e0)) AS reach
FROM (
    SELECT
        _j.*,
        graded_gain(within_scale(_j.relevance, max_rel), 'exponential') / power(2e0, max_rel) AS stop
    FROM query_table(judged) AS _j
) AS _s;
