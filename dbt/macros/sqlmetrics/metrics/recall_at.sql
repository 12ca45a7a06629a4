{#- The share of the relevant documents that are among the first k. -#}
{% macro recall_at(j='j', k=none, denominator='relevant') %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('denominator', denominator, {"must": "one of relevant, achievable, listed, cutoff, retrieved", "words": ["relevant", "achievable", "listed", "cutoff", "retrieved"]}) %}
{{- return(adapter.dispatch('recall_at', 'sqlmetrics')(j, k, denominator)) -}}
{% endmacro %}

{% macro default__recall_at(j, k, denominator) -%}
coalesce(
    1e0 * sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE 0 END) / nullif(sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }} END), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__recall_at(j, k, denominator) -%}
coalesce(
    1e0::float8 * sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE 0 END) / nullif(sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }} END), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__recall_at(j, k, denominator) -%}
{{ exceptions.raise_compiler_error("recall_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__recall_at(j, k, denominator) -%}
coalesce(
    1e0::FLOAT * sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE 0 END) / nullif(sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }} END), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__recall_at(j, k, denominator) -%}
{{ exceptions.raise_compiler_error("recall_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
