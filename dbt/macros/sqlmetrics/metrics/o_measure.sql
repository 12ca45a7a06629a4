{#- RR with graded relevance: the blended ratio of documents and gain at the first relevant document. -#}
{% macro o_measure(j='j', beta=1.0) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('beta', beta, {"must": "a number, 0 or more", "from": 0, "to": 1.7976931348623157e+308}) %}
{{- return(adapter.dispatch('o_measure', 'sqlmetrics')(j, beta)) -}}
{% endmacro %}

{% macro default__o_measure(j, beta) -%}
coalesce(
    max(
        CASE
            WHEN {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits' }} = 1
            THEN (1e0 + {{ sqlmetrics.literal(beta) }} * {{ j ~ '.own_gain' }}) / ({{ j ~ '.rank' }} + {{ sqlmetrics.literal(beta) }} * {{ j ~ '.ideal_cg' }})
        END
    ),
    0e0
)
{%- endmacro %}

{% macro postgres__o_measure(j, beta) -%}
coalesce(
    max(
        CASE
            WHEN {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits' }} = 1
            THEN (1e0::float8 + {{ sqlmetrics.literal(beta) }} * {{ j ~ '.own_gain' }}) / ({{ j ~ '.rank' }} + {{ sqlmetrics.literal(beta) }} * {{ j ~ '.ideal_cg' }})
        END
    ),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__o_measure(j, beta) -%}
{{ exceptions.raise_compiler_error("o_measure cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__o_measure(j, beta) -%}
coalesce(
    max(
        CASE
            WHEN {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits' }} = 1
            THEN (1e0::FLOAT + {{ sqlmetrics.literal(beta) }} * {{ j ~ '.own_gain' }}) / ({{ j ~ '.rank' }} + {{ sqlmetrics.literal(beta) }} * {{ j ~ '.ideal_cg' }})
        END
    ),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__o_measure(j, beta) -%}
{{ exceptions.raise_compiler_error("o_measure cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
