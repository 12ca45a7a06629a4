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
            _g.run_id,
            _g.query_id,
            _g.subtopic,
            _g.doc_id,
            _g.relevance,
            _g.rank,
            _g.has_results,
            sum(CASE WHEN _g.digit = 1 THEN _g.zeros ELSE 0 END) AS lower,
            sum(CASE WHEN _g.digit = 1 THEN _g.zeros_ret ELSE 0 END) AS lower_ret,
            sum(CASE WHEN _g.digit = 1 AND _g.rank IS NOT NULL THEN _g.zeros_after ELSE 0 END) AS lower_after
        FROM (
            -- of two levels in binary, the higher has a 1 where they first differ, the lower a 0
            SELECT
                _d.*,
                count(CASE WHEN _d.digit = 0 THEN 1 END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                ) AS zeros,
                count(CASE WHEN _d.digit = 0 THEN _d.rank END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                ) AS zeros_ret,
                count(CASE WHEN _d.digit = 0 THEN _d.rank END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                    ORDER BY _d.rank DESC NULLS LAST, _d.doc_id DESC NULLS LAST
                    ROWS UNBOUNDED PRECEDING
                ) AS zeros_after
            FROM (
                SELECT
                    _l.*,
                    _v.place_value,
                    _l.level - _l.level % (2 * _v.place_value) AS digits_before,
                    CASE
                        WHEN _l.relevance < 0 THEN NULL
                        WHEN _l.level % (2 * _v.place_value) >= _v.place_value THEN 1
                        ELSE 0
                    END AS digit
                FROM (
                    SELECT
                        _s.*,
                        dense_rank() OVER (
                            PARTITION BY _s.run_id, _s.query_id, _s.subtopic, _s.relevance >= 0
                            ORDER BY _s.relevance ASC NULLS LAST
                        ) - 1 AS level,
                        dense_rank() OVER (
                            PARTITION BY _s.run_id, _s.query_id, _s.subtopic, _s.relevance >= 0
                            ORDER BY _s.relevance DESC NULLS LAST
                        ) - 1 AS levels_above
                    FROM query_table(subtopics) AS _s
                ) AS _l
                INNER JOIN bit_values() AS _v
                    ON
                        _v.place_value
                        <= CASE WHEN _l.level + _l.levels_above > 1 THEN _l.level + _l.levels_above ELSE 1 END
            ) AS _d
        ) AS _g
        GROUP BY
            _g.run_id,
            _g.query_id,
            _g.subtopic,
            _g.doc_id,
            _g.relevance,
            _g.rank,
            _g.has_results
    ) AS _c
) AS _f;
