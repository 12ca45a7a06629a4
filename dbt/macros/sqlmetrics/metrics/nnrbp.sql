{#- The expected gain of a user who goes on with probability beta, of subtopics covered, over that of a greedily built ideal ranking, which is rarely surpassed. -#}
{% macro nnrbp(j='j', k=none, beta=0.5) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('beta', beta, {"must": "a number from 0 to 1", "from": 0, "to": 1}) %}
{{- return(adapter.dispatch('nnrbp', 'sqlmetrics')(j, k, beta)) -}}
{% endmacro %}

{% macro default__nnrbp(j, k, beta) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
            THEN {{ j ~ '.gain' }} * power(1e0 * {{ sqlmetrics.literal(beta) }}, {{ j ~ '.rank' }} - 1)
        END
    ) / nullif(
        sum(
            CASE
                WHEN {{ j ~ '.greedy_rank' }} <= {% if k is none %}{{ j ~ '.greedy_rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
                THEN {{ j ~ '.greedy_gain' }} * power(1e0 * {{ sqlmetrics.literal(beta) }}, {{ j ~ '.greedy_rank' }} - 1)
            END
        ),
        0
    ),
    0e0
)
{%- endmacro %}

{% macro postgres__nnrbp(j, k, beta) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
            THEN {{ j ~ '.gain' }} * CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(beta) }} = 0 THEN CASE WHEN {{ j ~ '.rank' }} - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(beta) }}, 0)) * ({{ j ~ '.rank' }} - 1), -700)) END
        END
    ) / nullif(
        sum(
            CASE
                WHEN {{ j ~ '.greedy_rank' }} <= {% if k is none %}{{ j ~ '.greedy_rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
                THEN {{ j ~ '.greedy_gain' }} * CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(beta) }} = 0 THEN CASE WHEN {{ j ~ '.greedy_rank' }} - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(beta) }}, 0)) * ({{ j ~ '.greedy_rank' }} - 1), -700)) END
            END
        ),
        0
    ),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__nnrbp(j, k, beta) -%}
{{ exceptions.raise_compiler_error("nnrbp cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__nnrbp(j, k, beta) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
            THEN {{ j ~ '.gain' }} * power(1e0::FLOAT * {{ sqlmetrics.literal(beta) }}, {{ j ~ '.rank' }} - 1)
        END
    ) / nullif(
        sum(
            CASE
                WHEN {{ j ~ '.greedy_rank' }} <= {% if k is none %}{{ j ~ '.greedy_rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
                THEN {{ j ~ '.greedy_gain' }} * power(1e0::FLOAT * {{ sqlmetrics.literal(beta) }}, {{ j ~ '.greedy_rank' }} - 1)
            END
        ),
        0
    ),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__nnrbp(j, k, beta) -%}
{{ exceptions.raise_compiler_error("nnrbp cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
