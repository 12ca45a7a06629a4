-- Judgments, with the preferences for each document over those of its subtopic with a lower relevance.
-- subtopics: rows of subtopics(qrels, run)
-- pairs: 'judged', 'either' or 'both'; which preferences count: all, those with at least one document retrieved, or
--     those with both retrieved
-- returns lower, lower_ret, lower_after: documents with a lower relevance, but not below 0: all; those retrieved; those
--     retrieved after this one
-- returns possible: preferences that count
-- returns fulfilled: those of them where this document is retrieved, and the other is ranked lower or not retrieved
-- returns group_possible: preferences of the subtopic that count
-- returns group_place: 1, 2, … within the subtopic; NULL for a relevance below 0
CREATE OR REPLACE MACRO preferences(subtopics, pairs VARCHAR := 'judged') AS TABLE
SELECT
    _f.*,
    sum(_f.possible) OVER (PARTITION BY _f.run_id, _f.query_id, _f.subtopic) AS group_possible,
    CASE
        WHEN _f.relevance >= 0
            THEN row_number() OVER (
                PARTITION BY _f.run_id, _f.query_id, _f.subtopic
                ORDER BY _f.relevance DESC NULLS LAST, _f.doc_id DESC NULLS LAST
            )
    END AS group_place
FROM (
    SELECT
        _c.*,
        counted_preferences(pairs, _c.rank, _c.lower, _c.lower_ret) AS possible,
        fulfilled_preferences(pairs, _c.rank, _c.lower, _c.lower_ret, _c.lower_after) AS fulfilled
    FROM (
        SELECT
            _s.run_id,
            _s.query_id,
            _s.subtopic,
            _s.doc_id,
            _s.relevance,
            _s.rank,
            _s.has_results,
            count_lower(_s, CASE WHEN _s.relevance >= 0 THEN 1 END) AS lower,
            count_lower(_s, CASE WHEN _s.relevance >= 0 THEN _s.rank END) AS lower_ret,
            coalesce(_a.lower_after, 0) AS lower_after
        FROM query_table(subtopics) AS _s
        LEFT JOIN (
            SELECT
                _h.run_id,
                _h.query_id,
                _h.subtopic,
                _h.doc_id,
                count(*) AS lower_after
            FROM query_table(subtopics) AS _h
            INNER JOIN query_table(subtopics) AS _l
                ON
                    _h.run_id = _l.run_id
                    AND _h.query_id = _l.query_id
                    AND _h.subtopic = _l.subtopic
                    AND _h.relevance > _l.relevance
                    AND _h.rank < _l.rank
            WHERE _l.relevance >= 0
            GROUP BY _h.run_id, _h.query_id, _h.subtopic, _h.doc_id
        ) AS _a
            ON
                _s.run_id = _a.run_id
                AND _s.query_id = _a.query_id
                AND _s.subtopic = _a.subtopic
                AND _s.doc_id = _a.doc_id
    ) AS _c
) AS _f;
