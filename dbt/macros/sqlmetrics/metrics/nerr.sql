{#- ERR over that of the best ranking possible, all judged documents by relevance. -#}
{% macro nerr(j='j', k=none, discount='reciprocal', base=2) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('discount', discount, {"must": "one of reciprocal, log, clipped, none", "words": ["reciprocal", "log", "clipped", "none"]}) %}
{% do sqlmetrics.require('base', base, {"must": "a number above 1", "above": 1, "below": 1.7976931348623157e+308}) %}
{{- return(adapter.dispatch('nerr', 'sqlmetrics')(j, k, discount, base)) -}}
{% endmacro %}

{% macro default__nerr(j, k, discount, base) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
            THEN {{ j ~ '.reach' }} * {{ j ~ '.stop' }} / {{ sqlmetrics.rank_discount(j ~ '.rank', discount, base) }}
        END
    ) / nullif(
        sum(
            CASE
                WHEN {{ j ~ '.ideal_rank' }} <= {% if k is none %}{{ j ~ '.ideal_rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
                THEN {{ j ~ '.ideal_reach' }} * {{ j ~ '.stop' }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }}
            END
        ),
        0
    ),
    0e0
)
{%- endmacro %}

{% macro postgres__nerr(j, k, discount, base) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
            THEN {{ j ~ '.reach' }} * {{ j ~ '.stop' }} / {{ sqlmetrics.rank_discount(j ~ '.rank', discount, base) }}
        END
    ) / nullif(
        sum(
            CASE
                WHEN {{ j ~ '.ideal_rank' }} <= {% if k is none %}{{ j ~ '.ideal_rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
                THEN {{ j ~ '.ideal_reach' }} * {{ j ~ '.stop' }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }}
            END
        ),
        0
    ),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__nerr(j, k, discount, base) -%}
{{ exceptions.raise_compiler_error("nerr cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__nerr(j, k, discount, base) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
            THEN {{ j ~ '.reach' }} * {{ j ~ '.stop' }} / {{ sqlmetrics.rank_discount(j ~ '.rank', discount, base) }}
        END
    ) / nullif(
        sum(
            CASE
                WHEN {{ j ~ '.ideal_rank' }} <= {% if k is none %}{{ j ~ '.ideal_rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
                THEN {{ j ~ '.ideal_reach' }} * {{ j ~ '.stop' }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }}
            END
        ),
        0
    ),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__nerr(j, k, discount, base) -%}
{{ exceptions.raise_compiler_error("nerr cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
