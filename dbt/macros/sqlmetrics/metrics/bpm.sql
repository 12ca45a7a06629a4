{#- The gain per document seen by a user who stops when the documents have gained T, and at rank k at the latest: the Bejeweled Player Model. -#}
{% macro bpm(j='j', T=1, k=1000, measure='utility') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('T', T, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('measure', measure, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('bpm', 'sqlmetrics')(j, T, k, measure)) -}}
{% endmacro %}

{% macro default__bpm(j, T, k, measure) -%}
{{ sqlmetrics.cwl_measure(j, measure, sqlmetrics.total("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " AND " ~ j ~ '.gained_above' ~ " < " ~ sqlmetrics.literal(T) ~ " THEN " ~ j ~ '.gain' ~ " END"), "sum( CASE WHEN " ~ j ~ '.rank' ~ " > " ~ sqlmetrics.literal(k) ~ " OR " ~ j ~ '.gained_above' ~ " >= " ~ sqlmetrics.literal(T) ~ " THEN 0 ELSE CASE WHEN " ~ j ~ '.gained' ~ " >= " ~ sqlmetrics.literal(T) ~ " THEN 1 ELSE CASE WHEN " ~ j ~ '.until' ~ " < " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.until' ~ " - " ~ j ~ '.rank' ~ " + 1 ELSE " ~ sqlmetrics.literal(k) ~ " - " ~ j ~ '.rank' ~ " + 1 END END END )") }}
{%- endmacro %}

{% macro clickhouse__bpm(j, T, k, measure) -%}
{{ exceptions.raise_compiler_error("bpm cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__bpm(j, T, k, measure) -%}
{{ exceptions.raise_compiler_error("bpm cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
