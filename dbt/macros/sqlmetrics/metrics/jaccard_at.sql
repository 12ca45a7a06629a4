{#- The relevant documents among the first k as a share of what is among the first k or relevant. -#}
{% macro jaccard_at(j='j', k=none) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('jaccard_at', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__jaccard_at(j, k) -%}
coalesce(
    1e0 * sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE 0 END) / nullif(
        sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ sqlmetrics.first_of(k, j ~ '.num_ret') }} END) + sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN 0 ELSE {{ j ~ '.relevant' }} END),
        0
    ),
    0e0
)
{%- endmacro %}

{% macro postgres__jaccard_at(j, k) -%}
coalesce(
    1e0::float8 * sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE 0 END) / nullif(
        sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ sqlmetrics.first_of(k, j ~ '.num_ret') }} END) + sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN 0 ELSE {{ j ~ '.relevant' }} END),
        0
    ),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__jaccard_at(j, k) -%}
{{ exceptions.raise_compiler_error("jaccard_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__jaccard_at(j, k) -%}
coalesce(
    1e0::FLOAT * sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE 0 END) / nullif(
        sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ sqlmetrics.first_of(k, j ~ '.num_ret') }} END) + sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN 0 ELSE {{ j ~ '.relevant' }} END),
        0
    ),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__jaccard_at(j, k) -%}
{{ exceptions.raise_compiler_error("jaccard_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
