-- The settings of the engines that fuse runs by a method, as JSON.
-- weights: a MAP of the weight of each run, in their order
-- method, normalization: as fuse names them
-- rank_constant: k of rrf, NULL where it is not given, for that of engines is 60, too; they take whole numbers from 1
-- depth: number of documents of each run to fuse
-- returns engine: one row each
-- returns setting: JSON; weights add up to 1, and the name of a run takes the place of its retriever
CREATE OR REPLACE MACRO set_engines(weights, method, normalization, rank_constant, depth) AS TABLE
SELECT
    _s.engine,
    replace(
        replace(
            replace(_s.setting, '$k', CAST(CAST(_s.k AS BIGINT) AS VARCHAR)),
            '$depth',
            CAST(depth AS VARCHAR)
        ),
        '$runs',
        array_to_string(
            list_transform(
                map_entries(weights),
                lambda _e: replace(
                    replace(_s.run, '$weight', CAST(_e.value / list_sum(map_values(weights)) AS VARCHAR)),
                    '$run',
                    CAST(to_json(_e.key) AS VARCHAR)
                )
            ),
            ', '
        )
    ) AS setting
FROM (
    SELECT
        _e.*,
        coalesce(rank_constant, 60) AS k
    FROM engine_settings() AS _e
) AS _s
WHERE
    _s.method = method AND _s.normalization = normalization
    AND _s.k >= 1 AND _s.k = floor(_s.k)
    AND list_min(map_values(weights)) >= 0 AND list_sum(map_values(weights)) > 0;
