{#- The average precision for each subtopic, averaged over the subtopics. -#}
{% macro ap_ia(j='j', k=none, subtopics='relevant') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('subtopics', subtopics, {"must": "one of relevant, judged", "words": ["relevant", "judged"]}) %}
{{- return(adapter.dispatch('ap_ia', 'sqlmetrics')(j, k, subtopics)) -}}
{% endmacro %}

{% macro default__ap_ia(j, k, subtopics) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0 * " ~ j ~ '.hits' ~ " / " ~ j ~ '.rank' ~ " / " ~ j ~ '.num_rel' ~ " END"), sqlmetrics.per_subtopic(j, "1", subtopics=subtopics)) }}
{%- endmacro %}

{% macro postgres__ap_ia(j, k, subtopics) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0::float8 * " ~ j ~ '.hits' ~ " / " ~ j ~ '.rank' ~ " / " ~ j ~ '.num_rel' ~ " END"), sqlmetrics.per_subtopic(j, "1", subtopics=subtopics)) }}
{%- endmacro %}

{% macro clickhouse__ap_ia(j, k, subtopics) -%}
{{ exceptions.raise_compiler_error("ap_ia cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__ap_ia(j, k, subtopics) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0::FLOAT * " ~ j ~ '.hits' ~ " / " ~ j ~ '.rank' ~ " / " ~ j ~ '.num_rel' ~ " END"), sqlmetrics.per_subtopic(j, "1", subtopics=subtopics)) }}
{%- endmacro %}

{% macro redshift__ap_ia(j, k, subtopics) -%}
{{ exceptions.raise_compiler_error("ap_ia cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
