-- The rows of subtopics next to an ideal ranking in greedy order: the next document is the one that gains most given
--     those above it.
-- subtopics: rows of subtopics(qrels, run)
-- alpha: from 0 to 1; share of the gain lost each time a subtopic is covered again
-- returns gain: (1 - alpha) to the power of how often documents ranked above cover the subtopic; NULL if not relevant
--     or not retrieved
-- returns greedy_rank: rank of the document in the ideal ranking; of equal gains, the larger doc_id (bytes) comes
--     first; NULL if relevant to no subtopic
-- returns greedy_gain: the gain in the ideal ranking; NULL if not relevant
CREATE OR REPLACE MACRO greedy(subtopics, alpha DOUBLE := 5e-1) AS TABLE
SELECT
    _t.*,
    CASE WHEN _t.relevant = 1 AND _t.rank IS NOT NULL THEN power(1e0 - alpha, _t.hits - 1) END AS gain,
    _i.greedy_rank,
    CASE
        WHEN _t.relevant = 1
            THEN power(1e0 - alpha, row_number() OVER (
                PARTITION BY _t.run_id, _t.query_id, _t.subtopic, _t.relevant
                ORDER BY _i.greedy_rank ASC NULLS LAST
            ) - 1)
    END AS greedy_gain
FROM query_table(subtopics) AS _t
LEFT JOIN greedy_ranking(subtopics, alpha) AS _i
    ON _t.query_id = _i.query_id AND _t.doc_id = _i.doc_id;
