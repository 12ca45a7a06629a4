{#- The gain per document seen by a user who wants a gain of T and goes on the more readily, the further down. -#}
{% macro insq(j='j', T=1, k=1000, measure='utility') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('T', T, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('measure', measure, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('insq', 'sqlmetrics')(j, T, k, measure)) -}}
{% endmacro %}

{% macro default__insq(j, T, k, measure) -%}
{{ sqlmetrics.position_user(j, measure, sqlmetrics.literal(k), 'squared', x=sqlmetrics.literal(T), goes_on=true) }}
{%- endmacro %}

{% macro clickhouse__insq(j, T, k, measure) -%}
{{ exceptions.raise_compiler_error("insq cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__insq(j, T, k, measure) -%}
{{ exceptions.raise_compiler_error("insq cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
