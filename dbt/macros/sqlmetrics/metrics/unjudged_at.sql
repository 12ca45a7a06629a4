{#- The share of the first k places that documents without judgment take up. -#}
{% macro unjudged_at(j='j', k=none) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('unjudged_at', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__unjudged_at(j, k) -%}
coalesce(
    1e0 * (
        sum(
            CASE
                WHEN {{ j ~ '.ideal_rank' }} = 1 AND {{ j ~ '.num_ret' }} > {% if k is none %}{{ j ~ '.num_ret' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
                THEN {{ sqlmetrics.literal(k) }}
                ELSE CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ j ~ '.num_ret' }} END
            END
        ) - sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevance' }} >= 0 THEN 1 ELSE 0 END)
    ) / nullif(sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {% if k is none %}{{ j ~ '.num_ret' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} END), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__unjudged_at(j, k) -%}
coalesce(
    1e0::float8 * (
        sum(
            CASE
                WHEN {{ j ~ '.ideal_rank' }} = 1 AND {{ j ~ '.num_ret' }} > {% if k is none %}{{ j ~ '.num_ret' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
                THEN {{ sqlmetrics.literal(k) }}
                ELSE CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ j ~ '.num_ret' }} END
            END
        ) - sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevance' }} >= 0 THEN 1 ELSE 0 END)
    ) / nullif(sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {% if k is none %}{{ j ~ '.num_ret' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} END), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__unjudged_at(j, k) -%}
{{ exceptions.raise_compiler_error("unjudged_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__unjudged_at(j, k) -%}
coalesce(
    1e0::FLOAT * (
        sum(
            CASE
                WHEN {{ j ~ '.ideal_rank' }} = 1 AND {{ j ~ '.num_ret' }} > {% if k is none %}{{ j ~ '.num_ret' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
                THEN {{ sqlmetrics.literal(k) }}
                ELSE CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ j ~ '.num_ret' }} END
            END
        ) - sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevance' }} >= 0 THEN 1 ELSE 0 END)
    ) / nullif(sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {% if k is none %}{{ j ~ '.num_ret' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} END), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__unjudged_at(j, k) -%}
{{ exceptions.raise_compiler_error("unjudged_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
