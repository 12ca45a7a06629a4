{#- Judged documents with the highest precision that there is from them on. -#}
{% macro interpolated(judged) %}
{{- return(adapter.dispatch('interpolated', 'sqlmetrics')(judged)) -}}
{% endmacro %}

{% macro default__interpolated(judged) -%}
(
SELECT
    _j.*,
    max(
        CASE WHEN _j.relevant = 1 AND _j.rank IS NOT NULL THEN 1e0 * _j.hits / _j.rank END
    ) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.rank DESC NULLS LAST, _j.doc_id DESC NULLS LAST
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS interpolated
FROM {{ judged }} AS _j
)
{%- endmacro %}

{% macro postgres__interpolated(judged) -%}
(
SELECT
    _j.*,
    max(
        CASE
            WHEN _j.relevant = 1 AND _j.rank IS NOT NULL
            THEN 1e0::float8 * _j.hits / _j.rank
        END
    ) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.rank DESC NULLS LAST, _j.doc_id DESC NULLS LAST
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS interpolated
FROM {{ judged }} AS _j
)
{%- endmacro %}

{% macro clickhouse__interpolated(judged) -%}
{{ exceptions.raise_compiler_error("interpolated cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__interpolated(judged) -%}
(
SELECT
    _j.*,
    max(
        CASE
            WHEN _j.relevant = 1 AND _j.rank IS NOT NULL
            THEN 1e0::FLOAT * _j.hits / _j.rank
        END
    ) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.rank DESC NULLS LAST, _j.doc_id DESC NULLS LAST
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS interpolated
FROM {{ judged }} AS _j
)
{%- endmacro %}

{% macro bigquery__interpolated(judged) -%}
(
SELECT
    _j.*,
    max(
        CASE WHEN _j.relevant = 1 AND _j.rank IS NOT NULL THEN 1e0 * _j.hits / _j.rank END
    ) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.rank DESC, _j.doc_id DESC
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS interpolated
FROM {{ judged }} AS _j
)
{%- endmacro %}

{% macro redshift__interpolated(judged) -%}
{{ exceptions.raise_compiler_error("interpolated cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
