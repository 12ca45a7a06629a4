{#- The share of the first k documents that are relevant to a subtopic, averaged over the subtopics. -#}
{% macro precision_ia(j='j', k=none, subtopics='relevant') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('subtopics', subtopics, {"must": "one of relevant, judged", "words": ["relevant", "judged"]}) %}
{{- return(adapter.dispatch('precision_ia', 'sqlmetrics')(j, k, subtopics)) -}}
{% endmacro %}

{% macro default__precision_ia(j, k, subtopics) -%}
{{ sqlmetrics.ratio(sqlmetrics.tp(j, sqlmetrics.literal(k)), sqlmetrics.per_subtopic(j, (j ~ '.num_ret' if k is none else sqlmetrics.literal(k)), subtopics=subtopics)) }}
{%- endmacro %}

{% macro clickhouse__precision_ia(j, k, subtopics) -%}
{{ exceptions.raise_compiler_error("precision_ia cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__precision_ia(j, k, subtopics) -%}
{{ exceptions.raise_compiler_error("precision_ia cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
