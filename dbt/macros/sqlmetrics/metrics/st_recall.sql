{#- The share of the subtopics that the first k documents cover. -#}
{% macro st_recall(j='j', k=none, subtopics='relevant') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('subtopics', subtopics, {"must": "one of relevant, judged", "words": ["relevant", "judged"]}) %}
{{- return(adapter.dispatch('st_recall', 'sqlmetrics')(j, k, subtopics)) -}}
{% endmacro %}

{% macro default__st_recall(j, k, subtopics) -%}
{{ sqlmetrics.ratio("sum(CASE WHEN " ~ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.hits' ~ " = 1 THEN " ~ j ~ '.relevant' ~ " END)", sqlmetrics.per_subtopic(j, "1", subtopics=subtopics)) }}
{%- endmacro %}

{% macro clickhouse__st_recall(j, k, subtopics) -%}
{{ exceptions.raise_compiler_error("st_recall cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__st_recall(j, k, subtopics) -%}
{{ exceptions.raise_compiler_error("st_recall cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
