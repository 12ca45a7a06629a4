{#- The gain per document seen by a user who looks at the first k documents, at each rank less surely: scaled DCG. -#}
{% macro sdcg(j='j', k=1000, measure='utility') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('measure', measure, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('sdcg', 'sqlmetrics')(j, k, measure)) -}}
{% endmacro %}

{% macro default__sdcg(j, k, measure) -%}
{{ sqlmetrics.position_user(j, measure, sqlmetrics.literal(k), 'log') }}
{%- endmacro %}

{% macro clickhouse__sdcg(j, k, measure) -%}
{{ exceptions.raise_compiler_error("sdcg cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__sdcg(j, k, measure) -%}
{{ exceptions.raise_compiler_error("sdcg cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
