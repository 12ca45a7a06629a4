{#- Judged documents with what the ranking and the ideal ranking have gained down to their rank in the latter. -#}
{% macro levelled(placed) %}
{{- return(adapter.dispatch('levelled', 'sqlmetrics')(placed)) -}}
{% endmacro %}

{% macro default__levelled(placed) -%}
(
SELECT
    _p.*,
    max(_p.ideal_rank) OVER (PARTITION BY _p.run_id, _p.query_id, _p.own_gain) AS level_end
FROM {{ placed }} AS _p
WHERE
    _p.in_ideal = 1
)
{%- endmacro %}

{% macro clickhouse__levelled(placed) -%}
{{ exceptions.raise_compiler_error("levelled cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__levelled(placed) -%}
{{ exceptions.raise_compiler_error("levelled cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
