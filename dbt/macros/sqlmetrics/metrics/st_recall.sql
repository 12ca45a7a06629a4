{#- The share of the subtopics that the first k documents cover. -#}
{% macro st_recall(j='j', k=none, subtopics='relevant') %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('subtopics', subtopics, {"must": "one of relevant, judged", "words": ["relevant", "judged"]}) %}
{{- return(adapter.dispatch('st_recall', 'sqlmetrics')(j, k, subtopics)) -}}
{% endmacro %}

{% macro default__st_recall(j, k, subtopics) -%}
coalesce(
    1e0 * sum(
        CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.hits' }} = 1 THEN {{ j ~ '.relevant' }} ELSE 0 END
    ) / nullif(sum({{ sqlmetrics.counted_subtopic(subtopics, j ~ '.ideal_rank', j ~ '.relevant') }}), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__st_recall(j, k, subtopics) -%}
coalesce(
    1e0::float8 * sum(
        CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.hits' }} = 1 THEN {{ j ~ '.relevant' }} ELSE 0 END
    ) / nullif(sum({{ sqlmetrics.counted_subtopic(subtopics, j ~ '.ideal_rank', j ~ '.relevant') }}), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__st_recall(j, k, subtopics) -%}
{{ exceptions.raise_compiler_error("st_recall cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__st_recall(j, k, subtopics) -%}
coalesce(
    1e0::FLOAT * sum(
        CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.hits' }} = 1 THEN {{ j ~ '.relevant' }} ELSE 0 END
    ) / nullif(sum({{ sqlmetrics.counted_subtopic(subtopics, j ~ '.ideal_rank', j ~ '.relevant') }}), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__st_recall(j, k, subtopics) -%}
{{ exceptions.raise_compiler_error("st_recall cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
