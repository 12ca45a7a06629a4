{#- The gain per document seen by a user who stops at a document with a probability of its gain, and at rank k at the latest. -#}
{% macro nerr8(j='j', k=1000, measure='utility') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('measure', measure, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('nerr8', 'sqlmetrics')(j, k, measure)) -}}
{% endmacro %}

{% macro default__nerr8(j, k, measure) -%}
{{ sqlmetrics.cascade_user(j, measure, k, 'endless') }}
{%- endmacro %}

{% macro clickhouse__nerr8(j, k, measure) -%}
{{ exceptions.raise_compiler_error("nerr8 cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__nerr8(j, k, measure) -%}
{{ exceptions.raise_compiler_error("nerr8 cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
