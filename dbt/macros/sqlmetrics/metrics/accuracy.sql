{#- The share of pairs of a relevant and another document, both among the first k, that are in order. -#}
{% macro accuracy(j='j', k=none) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('accuracy', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__accuracy(j, k) -%}
coalesce(
    1e0 - 1e0 * sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevant' }} = 1
            THEN {{ j ~ '.rank' }} - {{ j ~ '.hits' }}
        END
    ) / nullif(
        sum(
            CASE
                WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevant' }} = 1
                THEN CASE WHEN {{ sqlmetrics.literal(k) }} < {{ j ~ '.num_ret' }} THEN {{ sqlmetrics.literal(k) }} ELSE {{ j ~ '.num_ret' }} END + 1 - 2 * {{ j ~ '.hits' }}
            END
        ),
        0
    ),
    1e0 * max(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE 0 END)
)
{%- endmacro %}

{% macro postgres__accuracy(j, k) -%}
coalesce(
    1e0::float8 - 1e0::float8 * sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevant' }} = 1
            THEN {{ j ~ '.rank' }} - {{ j ~ '.hits' }}
        END
    ) / nullif(
        sum(
            CASE
                WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevant' }} = 1
                THEN CASE WHEN {{ sqlmetrics.literal(k) }} < {{ j ~ '.num_ret' }} THEN {{ sqlmetrics.literal(k) }} ELSE {{ j ~ '.num_ret' }} END + 1 - 2 * {{ j ~ '.hits' }}
            END
        ),
        0
    ),
    1e0::float8 * max(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE 0 END)
)
{%- endmacro %}

{% macro clickhouse__accuracy(j, k) -%}
{{ exceptions.raise_compiler_error("accuracy cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__accuracy(j, k) -%}
coalesce(
    1e0::FLOAT - 1e0::FLOAT * sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevant' }} = 1
            THEN {{ j ~ '.rank' }} - {{ j ~ '.hits' }}
        END
    ) / nullif(
        sum(
            CASE
                WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevant' }} = 1
                THEN CASE WHEN {{ sqlmetrics.literal(k) }} < {{ j ~ '.num_ret' }} THEN {{ sqlmetrics.literal(k) }} ELSE {{ j ~ '.num_ret' }} END + 1 - 2 * {{ j ~ '.hits' }}
            END
        ),
        0
    ),
    1e0::FLOAT * max(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE 0 END)
)
{%- endmacro %}

{% macro redshift__accuracy(j, k) -%}
{{ exceptions.raise_compiler_error("accuracy cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
