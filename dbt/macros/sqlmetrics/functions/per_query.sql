{#- What is the same in all rows of a query, once for each query. -#}
{% macro per_query(j, value) %}
{{- return(adapter.dispatch('per_query', 'sqlmetrics')(j, value)) -}}
{% endmacro %}

{% macro default__per_query(j, value) -%}
sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ value }} END)
{%- endmacro %}

{% macro clickhouse__per_query(j, value) -%}
{{ exceptions.raise_compiler_error("per_query cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__per_query(j, value) -%}
{{ exceptions.raise_compiler_error("per_query cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
