{#- The share of the first k documents that are relevant to a subtopic, averaged over the subtopics. -#}
{% macro precision_ia(j='j', k=none, subtopics='relevant') %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('subtopics', subtopics, {"must": "one of relevant, judged", "words": ["relevant", "judged"]}) %}
{{- return(adapter.dispatch('precision_ia', 'sqlmetrics')(j, k, subtopics)) -}}
{% endmacro %}

{% macro default__precision_ia(j, k, subtopics) -%}
coalesce(
    1e0 * sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE 0 END) / nullif(sum({{ sqlmetrics.counted_subtopic(subtopics, j ~ '.ideal_rank', j ~ '.relevant') }} * {% if k is none %}{{ j ~ '.num_ret' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__precision_ia(j, k, subtopics) -%}
coalesce(
    1e0::float8 * sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE 0 END) / nullif(sum({{ sqlmetrics.counted_subtopic(subtopics, j ~ '.ideal_rank', j ~ '.relevant') }} * {% if k is none %}{{ j ~ '.num_ret' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__precision_ia(j, k, subtopics) -%}
{{ exceptions.raise_compiler_error("precision_ia cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__precision_ia(j, k, subtopics) -%}
coalesce(
    1e0::FLOAT * sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE 0 END) / nullif(sum({{ sqlmetrics.counted_subtopic(subtopics, j ~ '.ideal_rank', j ~ '.relevant') }} * {% if k is none %}{{ j ~ '.num_ret' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__precision_ia(j, k, subtopics) -%}
{{ exceptions.raise_compiler_error("precision_ia cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
