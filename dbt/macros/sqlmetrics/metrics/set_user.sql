{#- The gain per document seen by a user to whom the first i documents are worth i^beta: the economic model of search. -#}
{% macro set_user(j='j', beta=0.5, k=1000, measure='utility') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('beta', beta, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('measure', measure, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('set_user', 'sqlmetrics')(j, beta, k, measure)) -}}
{% endmacro %}

{% macro default__set_user(j, beta, k, measure) -%}
{{ sqlmetrics.position_user(j, measure, sqlmetrics.literal(k), 'power', x=sqlmetrics.literal(beta)) }}
{%- endmacro %}

{% macro clickhouse__set_user(j, beta, k, measure) -%}
{{ exceptions.raise_compiler_error("set_user cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__set_user(j, beta, k, measure) -%}
{{ exceptions.raise_compiler_error("set_user cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
