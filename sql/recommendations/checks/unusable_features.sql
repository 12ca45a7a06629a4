-- Vectors that cannot be compared: they have other lengths, values that are not numbers, or an item has two.
-- severity: error
-- column: features
-- remedy: give each item one list of numbers, of the same length for all
-- items: as for exposed
CREATE OR REPLACE MACRO unusable_features(items) AS TABLE
SELECT
    _u.doc_id,
    _u.problem
FROM (
    SELECT
        _f.doc_id,
        CASE
            WHEN _f.vectors > 1 THEN concat('item ', _f.doc_id, ' has two vectors')
            WHEN list_bool_or(list_transform(_f.features, LAMBDA _v: coalesce(NOT isfinite(_v), TRUE)))
                THEN concat('a value of the vector of item ', _f.doc_id, ' is not a number')
            WHEN len(_f.features) <> _f.most
                THEN concat(
                    'the vector of item ', _f.doc_id, ' has ', len(_f.features), ' numbers, and that of another item ',
                    _f.most
                )
        END AS problem
    FROM (
        SELECT
            _c.doc_id,
            any_value(_c.features) AS features,
            count(DISTINCT _c.features) AS vectors,
            max(max(len(_c.features))) OVER () AS most
        FROM listed_features(items) AS _c
        WHERE _c.features IS NOT NULL
        GROUP BY _c.doc_id
    ) AS _f
    UNION ALL
    SELECT
        _g.doc_id,
        concat('the vector of item ', _g.doc_id, ' is not a list of numbers: ', left(_g.given, 40)) AS problem
    FROM listed_features(items) AS _g
    WHERE _g.features IS NULL AND _g.given IS NOT NULL
    UNION ALL
    SELECT
        NULL AS doc_id,
        'no item has features' AS problem
    FROM listed_features(items) AS _c
    HAVING count(_c.given) = 0
) AS _u
WHERE _u.problem IS NOT NULL;
