{#- The gain per document seen by users who stop at an even rate down to rank L: the U-measure, per unit of text. -#}
{% macro u_measure(j='j', L=1000, k=1000, measure='utility') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('L', L, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 2 or more", "from": 2, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('measure', measure, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('u_measure', 'sqlmetrics')(j, L, k, measure)) -}}
{% endmacro %}

{% macro default__u_measure(j, L, k, measure) -%}
{{ sqlmetrics.position_user(j, measure, "(" ~ sqlmetrics.literal(k) ~ " - 1)", 'linear', x=sqlmetrics.literal(L)) }}
{%- endmacro %}

{% macro clickhouse__u_measure(j, L, k, measure) -%}
{{ exceptions.raise_compiler_error("u_measure cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__u_measure(j, L, k, measure) -%}
{{ exceptions.raise_compiler_error("u_measure cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
