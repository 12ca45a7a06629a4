{#- AP with graded relevance: the blended ratio of documents and gain at each relevant document, averaged over all relevant ones. -#}
{% macro q_measure(j='j', k=none, beta=1.0) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('beta', beta, {"must": "a number, 0 or more", "from": 0, "to": 1.7976931348623157e+308}) %}
{{- return(adapter.dispatch('q_measure', 'sqlmetrics')(j, k, beta)) -}}
{% endmacro %}

{% macro default__q_measure(j, k, beta) -%}
coalesce(
    sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevant' }} = 1 THEN {{ sqlmetrics.blended_ratio(j ~ '.hits', j ~ '.cg', j ~ '.rank', j ~ '.ideal_cg', beta) }} END) / nullif(
        sum(
            CASE
                WHEN {{ j ~ '.ideal_rank' }} = 1 AND {{ j ~ '.num_rel' }} > {{ sqlmetrics.literal(k) }}
                THEN {{ sqlmetrics.literal(k) }}
                ELSE CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ j ~ '.num_rel' }} END
            END
        ),
        0
    ),
    0e0
)
{%- endmacro %}

{% macro postgres__q_measure(j, k, beta) -%}
coalesce(
    sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevant' }} = 1 THEN {{ sqlmetrics.blended_ratio(j ~ '.hits', j ~ '.cg', j ~ '.rank', j ~ '.ideal_cg', beta) }} END) / nullif(
        sum(
            CASE
                WHEN {{ j ~ '.ideal_rank' }} = 1 AND {{ j ~ '.num_rel' }} > {{ sqlmetrics.literal(k) }}
                THEN {{ sqlmetrics.literal(k) }}
                ELSE CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ j ~ '.num_rel' }} END
            END
        ),
        0
    ),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__q_measure(j, k, beta) -%}
{{ exceptions.raise_compiler_error("q_measure cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__q_measure(j, k, beta) -%}
coalesce(
    sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} AND {{ j ~ '.relevant' }} = 1 THEN {{ sqlmetrics.blended_ratio(j ~ '.hits', j ~ '.cg', j ~ '.rank', j ~ '.ideal_cg', beta) }} END) / nullif(
        sum(
            CASE
                WHEN {{ j ~ '.ideal_rank' }} = 1 AND {{ j ~ '.num_rel' }} > {{ sqlmetrics.literal(k) }}
                THEN {{ sqlmetrics.literal(k) }}
                ELSE CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ j ~ '.num_rel' }} END
            END
        ),
        0
    ),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__q_measure(j, k, beta) -%}
{{ exceptions.raise_compiler_error("q_measure cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
