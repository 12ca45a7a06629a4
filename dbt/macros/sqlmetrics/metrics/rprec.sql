{#- The precision at rank R, where R is the number of relevant documents, or at a multiple of it. -#}
{% macro rprec(j='j', multiple=1) %}
{% do sqlmetrics.require('multiple', multiple, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{{- return(adapter.dispatch('rprec', 'sqlmetrics')(j, multiple)) -}}
{% endmacro %}

{% macro default__rprec(j, multiple) -%}
coalesce(
    1e0 * sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= floor(1e0 * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1)
            THEN {{ j ~ '.relevant' }}
            ELSE 0
        END
    ) / nullif(
        sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN floor(1e0 * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1) END),
        0
    ),
    0e0
)
{%- endmacro %}

{% macro postgres__rprec(j, multiple) -%}
coalesce(
    1e0::float8 * sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= floor(1e0::float8 * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1::float8)
            THEN {{ j ~ '.relevant' }}
            ELSE 0
        END
    ) / nullif(
        sum(
            CASE
                WHEN {{ j ~ '.ideal_rank' }} = 1
                THEN floor(1e0::float8 * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1::float8)
            END
        ),
        0
    ),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__rprec(j, multiple) -%}
{{ exceptions.raise_compiler_error("rprec cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__rprec(j, multiple) -%}
coalesce(
    1e0::FLOAT * sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= floor(1e0::FLOAT * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1::FLOAT)
            THEN {{ j ~ '.relevant' }}
            ELSE 0
        END
    ) / nullif(
        sum(
            CASE
                WHEN {{ j ~ '.ideal_rank' }} = 1
                THEN floor(1e0::FLOAT * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1::FLOAT)
            END
        ),
        0
    ),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__rprec(j, multiple) -%}
{{ exceptions.raise_compiler_error("rprec cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
