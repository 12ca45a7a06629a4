{#- The gain of subtopics covered divided by the rank, less each time one is covered again, over that of a greedily built ideal ranking, which is rarely surpassed. -#}
{% macro nerr_ia(j='j', k=none) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('nerr_ia', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__nerr_ia(j, k) -%}
coalesce(
    sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.gain' }} / {{ j ~ '.rank' }} END) / nullif(sum(CASE WHEN {{ j ~ '.greedy_rank' }} <= {% if k is none %}{{ j ~ '.greedy_rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.greedy_gain' }} / {{ j ~ '.greedy_rank' }} END), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__nerr_ia(j, k) -%}
coalesce(
    sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.gain' }} / {{ j ~ '.rank' }} END) / nullif(sum(CASE WHEN {{ j ~ '.greedy_rank' }} <= {% if k is none %}{{ j ~ '.greedy_rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.greedy_gain' }} / {{ j ~ '.greedy_rank' }} END), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__nerr_ia(j, k) -%}
{{ exceptions.raise_compiler_error("nerr_ia cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__nerr_ia(j, k) -%}
coalesce(
    sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.gain' }} / {{ j ~ '.rank' }} END) / nullif(sum(CASE WHEN {{ j ~ '.greedy_rank' }} <= {% if k is none %}{{ j ~ '.greedy_rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.greedy_gain' }} / {{ j ~ '.greedy_rank' }} END), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__nerr_ia(j, k) -%}
{{ exceptions.raise_compiler_error("nerr_ia cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
