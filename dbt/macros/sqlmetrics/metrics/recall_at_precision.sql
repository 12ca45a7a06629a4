{#- The highest recall at a rank where precision is p or more. -#}
{% macro recall_at_precision(j='j', k=none, p=0.8) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('p', p, {"must": "a number from 0 to 1", "from": 0, "to": 1}) %}
{{- return(adapter.dispatch('recall_at_precision', 'sqlmetrics')(j, k, p)) -}}
{% endmacro %}

{% macro default__recall_at_precision(j, k, p) -%}
coalesce(
    max(CASE WHEN {{ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ sqlmetrics.precision_at_rank(j) }} >= {{ sqlmetrics.literal(p) }} THEN {{ sqlmetrics.ratio(j ~ '.hits', j ~ '.num_rel') }} END),
    0e0
)
{%- endmacro %}

{% macro postgres__recall_at_precision(j, k, p) -%}
coalesce(
    max(CASE WHEN {{ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ sqlmetrics.precision_at_rank(j) }} >= {{ sqlmetrics.literal(p) }} THEN {{ sqlmetrics.ratio(j ~ '.hits', j ~ '.num_rel') }} END),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__recall_at_precision(j, k, p) -%}
{{ exceptions.raise_compiler_error("recall_at_precision cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__recall_at_precision(j, k, p) -%}
coalesce(
    max(CASE WHEN {{ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ sqlmetrics.precision_at_rank(j) }} >= {{ sqlmetrics.literal(p) }} THEN {{ sqlmetrics.ratio(j ~ '.hits', j ~ '.num_rel') }} END),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__recall_at_precision(j, k, p) -%}
{{ exceptions.raise_compiler_error("recall_at_precision cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
