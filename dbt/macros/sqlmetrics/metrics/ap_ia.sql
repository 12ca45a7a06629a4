{#- The average precision for each subtopic, averaged over the subtopics. -#}
{% macro ap_ia(j='j', k=none, subtopics='relevant') %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('subtopics', subtopics, {"must": "one of relevant, judged", "words": ["relevant", "judged"]}) %}
{{- return(adapter.dispatch('ap_ia', 'sqlmetrics')(j, k, subtopics)) -}}
{% endmacro %}

{% macro default__ap_ia(j, k, subtopics) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevant' }} = 1
            THEN 1e0 * {{ j ~ '.hits' }} / {{ j ~ '.rank' }} / {{ j ~ '.num_rel' }}
        END
    ) / nullif(sum({{ sqlmetrics.counted_subtopic(subtopics, j ~ '.ideal_rank', j ~ '.relevant') }}), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__ap_ia(j, k, subtopics) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevant' }} = 1
            THEN 1e0::float8 * {{ j ~ '.hits' }} / {{ j ~ '.rank' }} / {{ j ~ '.num_rel' }}
        END
    ) / nullif(sum({{ sqlmetrics.counted_subtopic(subtopics, j ~ '.ideal_rank', j ~ '.relevant') }}), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__ap_ia(j, k, subtopics) -%}
{{ exceptions.raise_compiler_error("ap_ia cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__ap_ia(j, k, subtopics) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevant' }} = 1
            THEN 1e0::FLOAT * {{ j ~ '.hits' }} / {{ j ~ '.rank' }} / {{ j ~ '.num_rel' }}
        END
    ) / nullif(sum({{ sqlmetrics.counted_subtopic(subtopics, j ~ '.ideal_rank', j ~ '.relevant') }}), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__ap_ia(j, k, subtopics) -%}
{{ exceptions.raise_compiler_error("ap_ia cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
