{#- The stretches under a user who wants a certain gain and goes on the less readily, the nearer it is. -#}
{% macro inst_user(cwl_stretches, T=1) %}
{% do sqlmetrics.require('T', T, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{{- return(adapter.dispatch('inst_user', 'sqlmetrics')(cwl_stretches, T)) -}}
{% endmacro %}

{% macro default__inst_user(cwl_stretches, T) -%}
(
SELECT
    _p.*,
    CASE
        WHEN coalesce(
            min(_p.passed) OVER (
                PARTITION BY _p.run_id, _p.query_id
                ORDER BY _p.rank ASC NULLS LAST, _p.opening DESC NULLS LAST
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ),
            1e0
        ) = 0e0
        THEN 0e0
        ELSE exp(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(nullif(_p.passed, 0e0))") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY _p.rank ASC NULLS LAST, _p.opening DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )") }}, 0e0))
    END AS reach,
    CASE
        WHEN min(_p.passed) OVER (PARTITION BY _p.run_id, _p.query_id) = 0e0
        THEN 0e0
        ELSE exp(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(nullif(_p.passed, 0e0))") ~ ") OVER (PARTITION BY _p.run_id, _p.query_id)") }}, 0e0))
    END AS reach_beyond
FROM (
    SELECT
        _a.*,
        power((_a.rank - 1 + _a.aim) / (_a.until + _a.aim), 2) AS passed, /* the product over the stretch of C(i) = ((i - 1 + aim) / (i + aim))^2 */
        {{ sqlmetrics.inst_span("_a.rank", "_a.until", "_a.aim") }} AS span
    FROM (
        SELECT
            _s.*,
            2e0 * {{ sqlmetrics.literal(T) }} - _s.gained AS aim
        FROM {{ cwl_stretches }} AS _s
    ) AS _a
) AS _p
)
{%- endmacro %}

{% macro postgres__inst_user(cwl_stretches, T) -%}
(
SELECT
    _p.*,
    CASE
        WHEN coalesce(
            min(_p.passed) OVER (
                PARTITION BY _p.run_id, _p.query_id
                ORDER BY _p.rank ASC NULLS LAST, _p.opening DESC NULLS LAST
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ),
            1e0::float8
        ) = 0e0::float8
        THEN 0e0::float8
        ELSE exp(least(greatest(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(nullif(_p.passed, 0e0::float8))") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY _p.rank ASC NULLS LAST, _p.opening DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )") }}, 0e0::float8), -700), 700))
    END AS reach,
    CASE
        WHEN min(_p.passed) OVER (PARTITION BY _p.run_id, _p.query_id) = 0e0::float8
        THEN 0e0::float8
        ELSE exp(least(greatest(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(nullif(_p.passed, 0e0::float8))") ~ ") OVER (PARTITION BY _p.run_id, _p.query_id)") }}, 0e0::float8), -700), 700))
    END AS reach_beyond
FROM (
    SELECT
        _a.*,
        power((_a.rank - 1 + _a.aim) / (_a.until + _a.aim), 2) AS passed, /* the product over the stretch of C(i) = ((i - 1 + aim) / (i + aim))^2 */
        {{ sqlmetrics.inst_span("_a.rank", "_a.until", "_a.aim") }} AS span
    FROM (
        SELECT
            _s.*,
            2e0::float8 * {{ sqlmetrics.literal(T) }} - _s.gained AS aim
        FROM {{ cwl_stretches }} AS _s
    ) AS _a
) AS _p
)
{%- endmacro %}

{% macro clickhouse__inst_user(cwl_stretches, T) -%}
{{ exceptions.raise_compiler_error("inst_user cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__inst_user(cwl_stretches, T) -%}
(
SELECT
    _p.*,
    CASE
        WHEN coalesce(
            min(_p.passed) OVER (
                PARTITION BY _p.run_id, _p.query_id
                ORDER BY _p.rank ASC NULLS LAST, _p.opening DESC NULLS LAST
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ),
            1e0::FLOAT
        ) = 0e0::FLOAT
        THEN 0e0::FLOAT
        ELSE exp(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(nullif(_p.passed, 0e0::FLOAT))") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY _p.rank ASC NULLS LAST, _p.opening DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )") }}, 0e0::FLOAT))
    END AS reach,
    CASE
        WHEN min(_p.passed) OVER (PARTITION BY _p.run_id, _p.query_id) = 0e0::FLOAT
        THEN 0e0::FLOAT
        ELSE exp(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(nullif(_p.passed, 0e0::FLOAT))") ~ ") OVER (PARTITION BY _p.run_id, _p.query_id)") }}, 0e0::FLOAT))
    END AS reach_beyond
FROM (
    SELECT
        _a.*,
        power((_a.rank - 1 + _a.aim) / (_a.until + _a.aim), 2) AS passed, /* the product over the stretch of C(i) = ((i - 1 + aim) / (i + aim))^2 */
        {{ sqlmetrics.inst_span("_a.rank", "_a.until", "_a.aim") }} AS span
    FROM (
        SELECT
            _s.*,
            2e0::FLOAT * {{ sqlmetrics.literal(T) }} - _s.gained AS aim
        FROM {{ cwl_stretches }} AS _s
    ) AS _a
) AS _p
)
{%- endmacro %}

{% macro bigquery__inst_user(cwl_stretches, T) -%}
(
SELECT
    _p.*,
    CASE
        WHEN coalesce(
            min(_p.passed) OVER (
                PARTITION BY _p.run_id, _p.query_id
                ORDER BY CASE WHEN _p.rank IS NULL THEN 1 ELSE 0 END ASC, _p.rank ASC, _p.opening DESC
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ),
            1e0
        ) = 0e0
        THEN 0e0
        ELSE exp(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(nullif(_p.passed, 0e0))") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY CASE WHEN _p.rank IS NULL THEN 1 ELSE 0 END ASC, _p.rank ASC, _p.opening DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )") }}, 0e0))
    END AS reach,
    CASE
        WHEN min(_p.passed) OVER (PARTITION BY _p.run_id, _p.query_id) = 0e0
        THEN 0e0
        ELSE exp(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(nullif(_p.passed, 0e0))") ~ ") OVER (PARTITION BY _p.run_id, _p.query_id)") }}, 0e0))
    END AS reach_beyond
FROM (
    SELECT
        _a.*,
        power((_a.rank - 1 + _a.aim) / (_a.until + _a.aim), 2) AS passed, /* the product over the stretch of C(i) = ((i - 1 + aim) / (i + aim))^2 */
        {{ sqlmetrics.inst_span("_a.rank", "_a.until", "_a.aim") }} AS span
    FROM (
        SELECT
            _s.*,
            2e0 * {{ sqlmetrics.literal(T) }} - _s.gained AS aim
        FROM {{ cwl_stretches }} AS _s
    ) AS _a
) AS _p
)
{%- endmacro %}

{% macro redshift__inst_user(cwl_stretches, T) -%}
{{ exceptions.raise_compiler_error("inst_user cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
