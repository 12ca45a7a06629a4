{#- The gain per document seen by a user who stops at a document with a probability of its gain, else goes on as in INSQ. -#}
{% macro nerr11(j='j', T=1, k=1000, measure='utility') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('T', T, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('measure', measure, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('nerr11', 'sqlmetrics')(j, T, k, measure)) -}}
{% endmacro %}

{% macro default__nerr11(j, T, k, measure) -%}
{{ sqlmetrics.cascade_user(j, measure, k, 'squared', x=T, goes_on=true) }}
{%- endmacro %}

{% macro clickhouse__nerr11(j, T, k, measure) -%}
{{ exceptions.raise_compiler_error("nerr11 cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__nerr11(j, T, k, measure) -%}
{{ exceptions.raise_compiler_error("nerr11 cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
