{#- The precision at the rank of each relevant document, averaged over all relevant ones; one not found adds 0. -#}
{% macro ap(j='j', k=none, denominator='relevant') %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('denominator', denominator, {"must": "one of relevant, achievable, cutoff, listed, found", "words": ["relevant", "achievable", "cutoff", "listed", "found"]}) %}
{{- return(adapter.dispatch('ap', 'sqlmetrics')(j, k, denominator)) -}}
{% endmacro %}

{% macro default__ap(j, k, denominator) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevant' }} = 1
            THEN 1e0 * {{ j ~ '.hits' }} / {{ j ~ '.rank' }}
        END
    ) / nullif(sum({% if denominator == 'found' %}CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE {% if denominator != 'found' %}CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }} END{% else %}NULL{% endif %} END{% elif denominator != 'found' %}CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }} END{% else %}NULL{% endif %}), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__ap(j, k, denominator) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevant' }} = 1
            THEN 1e0::float8 * {{ j ~ '.hits' }} / {{ j ~ '.rank' }}
        END
    ) / nullif(sum({% if denominator == 'found' %}CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE {% if denominator != 'found' %}CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }} END{% else %}NULL{% endif %} END{% elif denominator != 'found' %}CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }} END{% else %}NULL{% endif %}), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__ap(j, k, denominator) -%}
{{ exceptions.raise_compiler_error("ap cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__ap(j, k, denominator) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevant' }} = 1
            THEN 1e0::FLOAT * {{ j ~ '.hits' }} / {{ j ~ '.rank' }}
        END
    ) / nullif(sum({% if denominator == 'found' %}CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE {% if denominator != 'found' %}CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }} END{% else %}NULL{% endif %} END{% elif denominator != 'found' %}CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }} END{% else %}NULL{% endif %}), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__ap(j, k, denominator) -%}
{{ exceptions.raise_compiler_error("ap cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
