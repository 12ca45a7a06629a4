{#- The gain of subtopics covered divided by the rank, less each time one is covered again, over that of a greedily built ideal ranking, which is rarely surpassed. -#}
{% macro nerr_ia(j='j', k=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('nerr_ia', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__nerr_ia(j, k) -%}
{{ sqlmetrics.ratio(sqlmetrics.discounted_sum(j ~ '.gain', j ~ '.rank', sqlmetrics.literal(k), 'reciprocal'), sqlmetrics.discounted_sum(j ~ '.greedy_gain', j ~ '.greedy_rank', sqlmetrics.literal(k), 'reciprocal')) }}
{%- endmacro %}

{% macro clickhouse__nerr_ia(j, k) -%}
{{ exceptions.raise_compiler_error("nerr_ia cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__nerr_ia(j, k) -%}
{{ exceptions.raise_compiler_error("nerr_ia cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
