{#- Judged documents with the number of pooled documents above them that nobody judged. -#}
{% macro sampled(judged) %}
{{- return(adapter.dispatch('sampled', 'sqlmetrics')(judged)) -}}
{% endmacro %}

{% macro default__sampled(judged) -%}
(
SELECT
    _j.*,
    count(CASE WHEN _j.relevance < 0 AND _j.rank IS NOT NULL THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.rank ASC NULLS LAST, _j.doc_id DESC NULLS LAST
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS skips
FROM {{ judged }} AS _j
)
{%- endmacro %}

{% macro clickhouse__sampled(judged) -%}
{{ exceptions.raise_compiler_error("sampled cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro bigquery__sampled(judged) -%}
(
SELECT
    _j.*,
    count(CASE WHEN _j.relevance < 0 AND _j.rank IS NOT NULL THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY CASE WHEN _j.rank IS NULL THEN 1 ELSE 0 END ASC, _j.rank ASC, _j.doc_id DESC
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS skips
FROM {{ judged }} AS _j
)
{%- endmacro %}

{% macro redshift__sampled(judged) -%}
{{ exceptions.raise_compiler_error("sampled cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
