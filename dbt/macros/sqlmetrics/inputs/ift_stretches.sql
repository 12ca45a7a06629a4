{#- The stretches with the probability that a user of IFT goes on past each, and how many of its ranks are looked at, without lists: by sums of logarithms. -#}
{% macro ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) %}
{{- return(adapter.dispatch('ift_stretches', 'sqlmetrics')(cwl_stretches, T, b1, R1, A, b2, R2)) -}}
{% endmacro %}

{% macro default__ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) -%}
(
SELECT
    _c.*,
    CASE
        WHEN _c.until < _c.rank
        THEN 1e0
        ELSE CASE
            WHEN _c.wanting = 0e0
            THEN 0e0
            ELSE exp(reduce(CASE WHEN _c.rank <= _c.seen_until THEN sequence(_c.rank, _c.seen_until) END, 0e0, (_sum, _i) -> _sum + ln({{ sqlmetrics.ift_step("_i", "_c.gained", "_c.wanting", A, b2, R2) }}), _sum -> _sum))
        END
    END AS passed,
    CASE
        WHEN _c.until < _c.rank
        THEN 0e0
        ELSE CASE
            WHEN _c.wanting = 0e0
            THEN 1e0
            ELSE 1e0 + coalesce(
                reduce(CASE WHEN _c.rank <= _c.seen_until - 1 THEN sequence(_c.rank, _c.seen_until - 1) END, 0e0, (_sum, _last) -> _sum + exp(reduce(CASE WHEN _c.rank <= _last THEN sequence(_c.rank, _last) END, 0e0, (_sum, _i) -> _sum + ln({{ sqlmetrics.ift_step("_i", "_c.gained", "_c.wanting", A, b2, R2) }}), _sum -> _sum)), _sum -> _sum),
                0e0
            )
        END
    END AS span
FROM (
    SELECT
        _w.*,
        least(_w.until, coalesce(
            _w.rank + CAST(-46e0 / nullif(ln(nullif(greatest(_w.first_step, _w.last_step), 0e0)), 0e0) AS BIGINT),
            _w.until
        )) AS seen_until /* ranks that hardly any user gets to, less than one in 10^20, are left out */
    FROM (
        SELECT
            _v.*,
            {{ sqlmetrics.ift_step("_v.rank", "_v.gained", "_v.wanting", A, b2, R2) }} AS first_step,
            {{ sqlmetrics.ift_step("greatest(_v.rank, _v.until)", "_v.gained", "_v.wanting", A, b2, R2) }} AS last_step
        FROM (
            SELECT
                _s.*,
                coalesce(
                    1e0 - 1e0 / (1e0 + {{ sqlmetrics.literal(b1) }} * exp(1e0 * {{ sqlmetrics.literal(R1) }} * ({{ sqlmetrics.literal(T) }} - _s.gained))),
                    1e0
                ) AS wanting
            FROM {{ cwl_stretches }} AS _s
        ) AS _v
    ) AS _w
) AS _c
)
{%- endmacro %}

{% macro duckdb__ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) -%}
(
SELECT
    _c.*,
    CASE
        WHEN _c.until < _c.rank
        THEN 1e0
        ELSE CASE
            WHEN _c.wanting = 0e0
            THEN 0e0
            ELSE exp(list_sum(list_transform(range(_c.rank, _c.seen_until + 1), lambda _i: ln({{ sqlmetrics.ift_step("_i", "_c.gained", "_c.wanting", A, b2, R2) }}))))
        END
    END AS passed,
    CASE
        WHEN _c.until < _c.rank
        THEN 0e0
        ELSE CASE
            WHEN _c.wanting = 0e0
            THEN 1e0
            ELSE 1e0 + coalesce(
                list_sum(list_transform(range(_c.rank, _c.seen_until - 1 + 1), lambda _last: exp(list_sum(list_transform(range(_c.rank, _last + 1), lambda _i: ln({{ sqlmetrics.ift_step("_i", "_c.gained", "_c.wanting", A, b2, R2) }})))))),
                0e0
            )
        END
    END AS span
FROM (
    SELECT
        _w.*,
        least(_w.until, coalesce(
            _w.rank + CAST(-46e0 / nullif(ln(nullif(greatest(_w.first_step, _w.last_step), 0e0)), 0e0) AS BIGINT),
            _w.until
        )) AS seen_until /* ranks that hardly any user gets to, less than one in 10^20, are left out */
    FROM (
        SELECT
            _v.*,
            {{ sqlmetrics.ift_step("_v.rank", "_v.gained", "_v.wanting", A, b2, R2) }} AS first_step,
            {{ sqlmetrics.ift_step("greatest(_v.rank, _v.until)", "_v.gained", "_v.wanting", A, b2, R2) }} AS last_step
        FROM (
            SELECT
                _s.*,
                coalesce(
                    1e0 - 1e0 / (1e0 + {{ sqlmetrics.literal(b1) }} * exp(1e0 * {{ sqlmetrics.literal(R1) }} * ({{ sqlmetrics.literal(T) }} - _s.gained))),
                    1e0
                ) AS wanting
            FROM {{ cwl_stretches }} AS _s
        ) AS _v
    ) AS _w
) AS _c
)
{%- endmacro %}

{% macro spark__ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) -%}
(
SELECT
    _c.*,
    CASE
        WHEN _c.until < _c.rank
        THEN 1e0
        ELSE CASE
            WHEN _c.wanting = 0e0
            THEN 0e0
            ELSE exp(aggregate(CASE WHEN _c.rank <= _c.seen_until THEN sequence(_c.rank, _c.seen_until) END, 0e0, (_sum, _i) -> _sum + ln({{ sqlmetrics.ift_step("_i", "_c.gained", "_c.wanting", A, b2, R2) }})))
        END
    END AS passed,
    CASE
        WHEN _c.until < _c.rank
        THEN 0e0
        ELSE CASE
            WHEN _c.wanting = 0e0
            THEN 1e0
            ELSE 1e0 + coalesce(
                aggregate(CASE WHEN _c.rank <= _c.seen_until - 1 THEN sequence(_c.rank, _c.seen_until - 1) END, 0e0, (_sum, _last) -> _sum + exp(aggregate(CASE WHEN _c.rank <= _last THEN sequence(_c.rank, _last) END, 0e0, (_sum, _i) -> _sum + ln({{ sqlmetrics.ift_step("_i", "_c.gained", "_c.wanting", A, b2, R2) }})))),
                0e0
            )
        END
    END AS span
FROM (
    SELECT
        _w.*,
        least(_w.until, coalesce(
            _w.rank + CAST(-46e0 / nullif(ln(nullif(greatest(_w.first_step, _w.last_step), 0e0)), 0e0) AS BIGINT),
            _w.until
        )) AS seen_until /* ranks that hardly any user gets to, less than one in 10^20, are left out */
    FROM (
        SELECT
            _v.*,
            {{ sqlmetrics.ift_step("_v.rank", "_v.gained", "_v.wanting", A, b2, R2) }} AS first_step,
            {{ sqlmetrics.ift_step("greatest(_v.rank, _v.until)", "_v.gained", "_v.wanting", A, b2, R2) }} AS last_step
        FROM (
            SELECT
                _s.*,
                coalesce(
                    1e0 - 1e0 / (1e0 + {{ sqlmetrics.literal(b1) }} * exp(1e0 * {{ sqlmetrics.literal(R1) }} * ({{ sqlmetrics.literal(T) }} - _s.gained))),
                    1e0
                ) AS wanting
            FROM {{ cwl_stretches }} AS _s
        ) AS _v
    ) AS _w
) AS _c
)
{%- endmacro %}

{% macro postgres__ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) -%}
(
SELECT
    _c.*,
    CASE
        WHEN _c.until < _c.rank
        THEN 1e0::float8
        ELSE CASE
            WHEN _c.wanting = 0e0::float8
            THEN 0e0::float8
            ELSE exp(least(greatest((SELECT sum(ln({{ sqlmetrics.ift_step("_i", "_c.gained", "_c.wanting", A, b2, R2) }})) FROM generate_series(_c.rank, _c.seen_until) AS _series_i (_i)), -700), 700))
        END
    END AS passed,
    CASE
        WHEN _c.until < _c.rank
        THEN 0e0::float8
        ELSE CASE
            WHEN _c.wanting = 0e0::float8
            THEN 1e0::float8
            ELSE 1e0::float8 + coalesce(
                (SELECT sum(exp(least(greatest((SELECT sum(ln({{ sqlmetrics.ift_step("_i", "_c.gained", "_c.wanting", A, b2, R2) }})) FROM generate_series(_c.rank, _last) AS _series_i (_i)), -700), 700))) FROM generate_series(_c.rank, _c.seen_until - 1) AS _series_last (_last)),
                0e0::float8
            )
        END
    END AS span
FROM (
    SELECT
        _w.*,
        least(_w.until, coalesce(
            _w.rank + CAST(-46e0::float8 / nullif(ln(nullif(greatest(_w.first_step, _w.last_step), 0e0::float8)), 0e0::float8) AS BIGINT),
            _w.until
        )) AS seen_until /* ranks that hardly any user gets to, less than one in 10^20, are left out */
    FROM (
        SELECT
            _v.*,
            {{ sqlmetrics.ift_step("_v.rank", "_v.gained", "_v.wanting", A, b2, R2) }} AS first_step,
            {{ sqlmetrics.ift_step("greatest(_v.rank, _v.until)", "_v.gained", "_v.wanting", A, b2, R2) }} AS last_step
        FROM (
            SELECT
                _s.*,
                coalesce(
                    1e0::float8 - 1e0::float8 / (1e0::float8 + {{ sqlmetrics.literal(b1) }} * exp(least(greatest(1e0::float8 * {{ sqlmetrics.literal(R1) }} * ({{ sqlmetrics.literal(T) }} - _s.gained), -700), 700))),
                    1e0::float8
                ) AS wanting
            FROM {{ cwl_stretches }} AS _s
        ) AS _v
    ) AS _w
) AS _c
)
{%- endmacro %}

{% macro sqlite__ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) -%}
(
SELECT
    _c.*,
    CASE
        WHEN _c.until < _c.rank
        THEN 1e0
        ELSE CASE
            WHEN _c.wanting = 0e0
            THEN 0e0
            ELSE exp((WITH RECURSIVE _series_i (_i) AS (SELECT _c.rank WHERE _c.rank <= _c.seen_until UNION ALL SELECT _i + 1 FROM _series_i WHERE _i < _c.seen_until) SELECT sum(ln({{ sqlmetrics.ift_step("_i", "_c.gained", "_c.wanting", A, b2, R2) }})) FROM _series_i))
        END
    END AS passed,
    CASE
        WHEN _c.until < _c.rank
        THEN 0e0
        ELSE CASE
            WHEN _c.wanting = 0e0
            THEN 1e0
            ELSE 1e0 + coalesce(
                (WITH RECURSIVE _series_last (_last) AS (SELECT _c.rank WHERE _c.rank <= _c.seen_until - 1 UNION ALL SELECT _last + 1 FROM _series_last WHERE _last < _c.seen_until - 1) SELECT sum(exp((WITH RECURSIVE _series_i (_i) AS (SELECT _c.rank WHERE _c.rank <= _last UNION ALL SELECT _i + 1 FROM _series_i WHERE _i < _last) SELECT sum(ln({{ sqlmetrics.ift_step("_i", "_c.gained", "_c.wanting", A, b2, R2) }})) FROM _series_i))) FROM _series_last),
                0e0
            )
        END
    END AS span
FROM (
    SELECT
        _w.*,
        min(_w.until, coalesce(
            _w.rank + CAST(-46e0 / nullif(ln(nullif(max(_w.first_step, _w.last_step), 0e0)), 0e0) AS INTEGER),
            _w.until
        )) AS seen_until /* ranks that hardly any user gets to, less than one in 10^20, are left out */
    FROM (
        SELECT
            _v.*,
            {{ sqlmetrics.ift_step("_v.rank", "_v.gained", "_v.wanting", A, b2, R2) }} AS first_step,
            {{ sqlmetrics.ift_step("max(_v.rank, _v.until)", "_v.gained", "_v.wanting", A, b2, R2) }} AS last_step
        FROM (
            SELECT
                _s.*,
                coalesce(
                    1e0 - 1e0 / (1e0 + {{ sqlmetrics.literal(b1) }} * exp(1e0 * {{ sqlmetrics.literal(R1) }} * ({{ sqlmetrics.literal(T) }} - _s.gained))),
                    1e0
                ) AS wanting
            FROM {{ cwl_stretches }} AS _s
        ) AS _v
    ) AS _w
) AS _c
)
{%- endmacro %}

{% macro clickhouse__ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) -%}
{{ exceptions.raise_compiler_error("ift_stretches cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) -%}
{{ exceptions.raise_compiler_error("ift_stretches cannot be computed by snowflake: it has no sums over a number of ranks that is not fixed") }}
{%- endmacro %}

{% macro bigquery__ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) -%}
(
SELECT
    _c.*,
    CASE
        WHEN _c.until < _c.rank
        THEN 1e0
        ELSE CASE
            WHEN _c.wanting = 0e0
            THEN 0e0
            ELSE exp((SELECT sum(ln({{ sqlmetrics.ift_step("_i", "_c.gained", "_c.wanting", A, b2, R2) }})) FROM UNNEST(GENERATE_ARRAY(_c.rank, _c.seen_until)) AS _i))
        END
    END AS passed,
    CASE
        WHEN _c.until < _c.rank
        THEN 0e0
        ELSE CASE
            WHEN _c.wanting = 0e0
            THEN 1e0
            ELSE 1e0 + coalesce(
                (SELECT sum(exp((SELECT sum(ln({{ sqlmetrics.ift_step("_i", "_c.gained", "_c.wanting", A, b2, R2) }})) FROM UNNEST(GENERATE_ARRAY(_c.rank, _last)) AS _i))) FROM UNNEST(GENERATE_ARRAY(_c.rank, _c.seen_until - 1)) AS _last),
                0e0
            )
        END
    END AS span
FROM (
    SELECT
        _w.*,
        least(_w.until, coalesce(
            _w.rank + CAST(-46e0 / nullif(ln(nullif(greatest(_w.first_step, _w.last_step), 0e0)), 0e0) AS INT64),
            _w.until
        )) AS seen_until /* ranks that hardly any user gets to, less than one in 10^20, are left out */
    FROM (
        SELECT
            _v.*,
            {{ sqlmetrics.ift_step("_v.rank", "_v.gained", "_v.wanting", A, b2, R2) }} AS first_step,
            {{ sqlmetrics.ift_step("greatest(_v.rank, _v.until)", "_v.gained", "_v.wanting", A, b2, R2) }} AS last_step
        FROM (
            SELECT
                _s.*,
                coalesce(
                    1e0 - 1e0 / (1e0 + {{ sqlmetrics.literal(b1) }} * exp(1e0 * {{ sqlmetrics.literal(R1) }} * ({{ sqlmetrics.literal(T) }} - _s.gained))),
                    1e0
                ) AS wanting
            FROM {{ cwl_stretches }} AS _s
        ) AS _v
    ) AS _w
) AS _c
)
{%- endmacro %}

{% macro redshift__ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) -%}
{{ exceptions.raise_compiler_error("ift_stretches cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
