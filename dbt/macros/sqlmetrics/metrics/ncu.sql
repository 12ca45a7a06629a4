{#- The utility that users find who each stop at some relevant document: its blended ratio of documents and gain, by the share of users. -#}
{% macro ncu(j='j', stop='graded', beta=1.0, gamma=0.95, stops=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('stop', stop, {"must": "one of graded, rank-biased, uniform", "words": ["graded", "rank-biased", "uniform"]}) %}
{% do sqlmetrics.require('beta', beta, {"must": "a number, 0 or more", "from": 0, "to": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('gamma', gamma, {"must": "a number from 0 to 1", "from": 0, "to": 1}) %}
{% do sqlmetrics.require('stops', stops, {"must": "{relevance: gain, …} or none", "none": true, "gains": true}) %}
{{- return(adapter.dispatch('ncu', 'sqlmetrics')(j, stop, beta, gamma, stops)) -}}
{% endmacro %}

{% macro default__ncu(j, stop, beta, gamma, stops) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.relevant' ~ " = 1 THEN " ~ sqlmetrics.stop_weight(j, j ~ '.hits', stop, stops, gamma) ~ " * " ~ sqlmetrics.blended_ratio(j, beta) ~ " END"), (sqlmetrics.total("(" ~ j ~ '.relevant' ~ " * " ~ sqlmetrics.stop_weight(j, "NULL", stop, stops, gamma) ~ ")") if stop == 'graded' else sqlmetrics.total("CASE WHEN " ~ j ~ '.ideal_rank' ~ " <= " ~ j ~ '.num_rel' ~ " THEN " ~ sqlmetrics.stop_weight(j, j ~ '.ideal_rank', stop, stops, gamma) ~ " END"))) }}
{%- endmacro %}

{% macro clickhouse__ncu(j, stop, beta, gamma, stops) -%}
{{ exceptions.raise_compiler_error("ncu cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__ncu(j, stop, beta, gamma, stops) -%}
{{ exceptions.raise_compiler_error("ncu cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
