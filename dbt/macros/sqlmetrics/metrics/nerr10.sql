{#- The gain per document seen by a user who stops at a document with a probability of its gain, else goes on with p, as in RBP. -#}
{% macro nerr10(j='j', p=0.9, k=1000, measure='utility') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('p', p, {"must": "a number between 0 and 1", "above": 0, "below": 1}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('measure', measure, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('nerr10', 'sqlmetrics')(j, p, k, measure)) -}}
{% endmacro %}

{% macro default__nerr10(j, p, k, measure) -%}
{{ sqlmetrics.cascade_user(j, measure, k, 'geometric', x=p, goes_on=true) }}
{%- endmacro %}

{% macro clickhouse__nerr10(j, p, k, measure) -%}
{{ exceptions.raise_compiler_error("nerr10 cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__nerr10(j, p, k, measure) -%}
{{ exceptions.raise_compiler_error("nerr10 cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
