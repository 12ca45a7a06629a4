{#- The highest precision at any rank where at least this recall is reached. -#}
{% macro iprec(j='j', recall=none, rounding=0.9) %}
{% do sqlmetrics.require('recall', recall, {"must": "a number from 0 to 1, or none", "none": true, "from": 0, "to": 1}) %}
{% do sqlmetrics.require('rounding', rounding, {"must": "a number from 0 to 1", "from": 0, "to": 1}) %}
{{- return(adapter.dispatch('iprec', 'sqlmetrics')(j, recall, rounding)) -}}
{% endmacro %}

{% macro default__iprec(j, recall, rounding) -%}
coalesce(
    max(
        CASE
            WHEN {{ j ~ '.rank' }} IS NOT NULL
            AND {{ j ~ '.relevant' }} = 1
            AND {{ j ~ '.hits' }} >= floor(1e0 * {% if recall is none %}0{% else %}{{ sqlmetrics.literal(recall) }}{% endif %} * {{ j ~ '.num_rel' }} + {{ sqlmetrics.literal(rounding) }})
            THEN 1e0 * {{ j ~ '.hits' }} / {{ j ~ '.rank' }}
        END
    ),
    0e0
)
{%- endmacro %}

{% macro postgres__iprec(j, recall, rounding) -%}
coalesce(
    max(
        CASE
            WHEN {{ j ~ '.rank' }} IS NOT NULL
            AND {{ j ~ '.relevant' }} = 1
            AND {{ j ~ '.hits' }} >= floor(1e0::float8 * {% if recall is none %}0{% else %}{{ sqlmetrics.literal(recall) }}{% endif %} * {{ j ~ '.num_rel' }} + {{ sqlmetrics.literal(rounding) }})
            THEN 1e0::float8 * {{ j ~ '.hits' }} / {{ j ~ '.rank' }}
        END
    ),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__iprec(j, recall, rounding) -%}
{{ exceptions.raise_compiler_error("iprec cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__iprec(j, recall, rounding) -%}
coalesce(
    max(
        CASE
            WHEN {{ j ~ '.rank' }} IS NOT NULL
            AND {{ j ~ '.relevant' }} = 1
            AND {{ j ~ '.hits' }} >= floor(1e0::FLOAT * {% if recall is none %}0{% else %}{{ sqlmetrics.literal(recall) }}{% endif %} * {{ j ~ '.num_rel' }} + {{ sqlmetrics.literal(rounding) }})
            THEN 1e0::FLOAT * {{ j ~ '.hits' }} / {{ j ~ '.rank' }}
        END
    ),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__iprec(j, recall, rounding) -%}
{{ exceptions.raise_compiler_error("iprec cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
