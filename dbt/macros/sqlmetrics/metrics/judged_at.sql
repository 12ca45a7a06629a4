{#- The share of the first k documents that have a judgment. -#}
{% macro judged_at(j='j', k=none) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('judged_at', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__judged_at(j, k) -%}
coalesce(
    1e0 * sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevance' }} >= 0 THEN 1 ELSE 0 END) / nullif(
        CASE WHEN {{ sqlmetrics.literal(k) }} < max({{ j ~ '.num_ret' }}) THEN {{ sqlmetrics.literal(k) }} ELSE max({{ j ~ '.num_ret' }}) END,
        0
    ),
    0e0
)
{%- endmacro %}

{% macro postgres__judged_at(j, k) -%}
coalesce(
    1e0::float8 * sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevance' }} >= 0 THEN 1 ELSE 0 END) / nullif(
        CASE WHEN {{ sqlmetrics.literal(k) }} < max({{ j ~ '.num_ret' }}) THEN {{ sqlmetrics.literal(k) }} ELSE max({{ j ~ '.num_ret' }}) END,
        0
    ),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__judged_at(j, k) -%}
{{ exceptions.raise_compiler_error("judged_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__judged_at(j, k) -%}
coalesce(
    1e0::FLOAT * sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevance' }} >= 0 THEN 1 ELSE 0 END) / nullif(
        CASE WHEN {{ sqlmetrics.literal(k) }} < max({{ j ~ '.num_ret' }}) THEN {{ sqlmetrics.literal(k) }} ELSE max({{ j ~ '.num_ret' }}) END,
        0
    ),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__judged_at(j, k) -%}
{{ exceptions.raise_compiler_error("judged_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
