-- The vector of each item, of length 1, by dimension.
-- items: as for exposed, with the column features
-- returns doc_id, dimension: one row each; items without a vector, or with one of zeros, have none
-- returns value: that of the vector, divided by its length
CREATE OR REPLACE MACRO item_features(items) AS TABLE
SELECT
    _v.doc_id,
    unnest(range(len(_v.features))) AS dimension,
    unnest(list_transform(_v.features, LAMBDA _x: _x / _v.length)) AS value
FROM (
    SELECT DISTINCT
        _i.doc_id,
        _i.features,
        sqrt(list_inner_product(_i.features, _i.features)) AS length
    FROM listed_features(items) AS _i
    WHERE _i.features IS NOT NULL
) AS _v
WHERE _v.length > 0;
