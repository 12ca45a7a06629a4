{#- Judged documents with what the ranking and the ideal ranking have gained down to the same rank. -#}
{% macro cumulated(ranked_and_ideal) %}
{{- return(adapter.dispatch('cumulated', 'sqlmetrics')(ranked_and_ideal)) -}}
{% endmacro %}

{% macro default__cumulated(ranked_and_ideal) -%}
(
SELECT
    _p.*,
    first_value(CASE WHEN _p.own_gain > 0 THEN _p.rank END) OVER (
        PARTITION BY _p.run_id, _p.query_id
        ORDER BY CASE WHEN _p.rank IS NOT NULL THEN _p.own_gain END DESC NULLS LAST, _p.rank ASC NULLS LAST, _p.doc_id DESC NULLS LAST
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS preferred_rank
FROM {{ ranked_and_ideal }} AS _p
WHERE
    _p.in_ideal = 0
)
{%- endmacro %}

{% macro clickhouse__cumulated(ranked_and_ideal) -%}
{{ exceptions.raise_compiler_error("cumulated cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro bigquery__cumulated(ranked_and_ideal) -%}
(
SELECT
    _p.*,
    first_value(CASE WHEN _p.own_gain > 0 THEN _p.rank END) OVER (
        PARTITION BY _p.run_id, _p.query_id
        ORDER BY CASE WHEN _p.rank IS NOT NULL THEN _p.own_gain END DESC, CASE WHEN _p.rank IS NULL THEN 1 ELSE 0 END ASC, _p.rank ASC, _p.doc_id DESC
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS preferred_rank
FROM {{ ranked_and_ideal }} AS _p
WHERE
    _p.in_ideal = 0
)
{%- endmacro %}

{% macro redshift__cumulated(ranked_and_ideal) -%}
{{ exceptions.raise_compiler_error("cumulated cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
