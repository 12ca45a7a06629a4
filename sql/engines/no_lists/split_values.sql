-- The values of each item: those that a cell has between bars, one row each, without lists.
-- listed: as for the other file of this name, which returns the same rows
CREATE OR REPLACE MACRO split_values(listed) AS TABLE
WITH _digits AS (
    SELECT _n.digit FROM range(10) AS _n (digit)
)
SELECT
    _v.doc_id,
    nullif(trim(_v.value), '') COLLATE C AS value
FROM (
    SELECT
        _l.doc_id,
        CAST(_l.value AS VARCHAR) AS value
    FROM query_table(listed) AS _l
    WHERE coalesce(strpos(CAST(_l.value AS VARCHAR), '|'), 0) = 0
    UNION ALL
    SELECT
        _s.doc_id,
        CASE
            WHEN length(_s.value) > 250
                THEN CAST(error(concat(
                    'item ', _s.doc_id, ' has a cell of several values with more than 250 characters'
                )) AS VARCHAR)
            ELSE substr(_s.value, _s.place, strpos(substr(_s.value, _s.place) || '|', '|') - 1)
        END AS value
    FROM (
        SELECT
            _l.doc_id,
            CAST(_l.value AS VARCHAR) AS value,
            -- where an engine counts bytes, a character may take four of them
            1 + _a.digit + 10 * _b.digit + 100 * _c.digit AS place
        FROM query_table(listed) AS _l
        CROSS JOIN _digits AS _c
        CROSS JOIN _digits AS _b
        CROSS JOIN _digits AS _a
        WHERE
            strpos(CAST(_l.value AS VARCHAR), '|') > 0
            AND 100 * _c.digit < 4 * length(CAST(_l.value AS VARCHAR))
            AND 100 * _c.digit + 10 * _b.digit < 4 * length(CAST(_l.value AS VARCHAR))
    ) AS _s
    WHERE substr('|' || _s.value, _s.place, 1) = '|'
) AS _v;
