{#- The stretches under a user who goes on while there is gain to be had: until the gain wanted is there, and as long as documents gain enough. -#}
{% macro ift_user(cwl_stretches, T=2, b1=0.9, R1=10, A=0.2, b2=0.9, R2=10) %}
{% do sqlmetrics.require('T', T, {"must": "a number above 0, or none", "none": true, "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('b1', b1, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('R1', R1, {"must": "a number", "from": -1.7976931348623157e+308, "to": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('A', A, {"must": "a number above 0, or none", "none": true, "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('b2', b2, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('R2', R2, {"must": "a number", "from": -1.7976931348623157e+308, "to": 1.7976931348623157e+308}) %}
{{- return(adapter.dispatch('ift_user', 'sqlmetrics')(cwl_stretches, T, b1, R1, A, b2, R2)) -}}
{% endmacro %}

{% macro default__ift_user(cwl_stretches, T, b1, R1, A, b2, R2) -%}
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
FROM {{ sqlmetrics.ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) }} AS _p
)
{%- endmacro %}

{% macro postgres__ift_user(cwl_stretches, T, b1, R1, A, b2, R2) -%}
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
FROM {{ sqlmetrics.ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) }} AS _p
)
{%- endmacro %}

{% macro clickhouse__ift_user(cwl_stretches, T, b1, R1, A, b2, R2) -%}
{{ exceptions.raise_compiler_error("ift_user cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__ift_user(cwl_stretches, T, b1, R1, A, b2, R2) -%}
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
FROM {{ sqlmetrics.ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) }} AS _p
)
{%- endmacro %}

{% macro bigquery__ift_user(cwl_stretches, T, b1, R1, A, b2, R2) -%}
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
FROM {{ sqlmetrics.ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) }} AS _p
)
{%- endmacro %}

{% macro redshift__ift_user(cwl_stretches, T, b1, R1, A, b2, R2) -%}
{{ exceptions.raise_compiler_error("ift_user cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
