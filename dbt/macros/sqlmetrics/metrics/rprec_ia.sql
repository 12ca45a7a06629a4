{#- The precision at a multiple of the number of documents relevant to a subtopic, averaged over the subtopics. -#}
{% macro rprec_ia(j='j', multiple=1, subtopics='relevant') %}
{% do sqlmetrics.require('multiple', multiple, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('subtopics', subtopics, {"must": "one of relevant, judged", "words": ["relevant", "judged"]}) %}
{{- return(adapter.dispatch('rprec_ia', 'sqlmetrics')(j, multiple, subtopics)) -}}
{% endmacro %}

{% macro default__rprec_ia(j, multiple, subtopics) -%}
coalesce(
    1e0 * sum(
        CASE
            WHEN {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.rank' }} <= floor(1e0 * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1)
            THEN 1e0 / floor(1e0 * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1)
        END
    ) / nullif(sum({{ sqlmetrics.counted_subtopic(subtopics, j ~ '.ideal_rank', j ~ '.relevant') }}), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__rprec_ia(j, multiple, subtopics) -%}
coalesce(
    1e0::float8 * sum(
        CASE
            WHEN {{ j ~ '.relevant' }} = 1
            AND {{ j ~ '.rank' }} <= floor(1e0::float8 * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1::float8)
            THEN 1e0::float8 / floor(1e0::float8 * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1::float8)
        END
    ) / nullif(sum({{ sqlmetrics.counted_subtopic(subtopics, j ~ '.ideal_rank', j ~ '.relevant') }}), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__rprec_ia(j, multiple, subtopics) -%}
{{ exceptions.raise_compiler_error("rprec_ia cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__rprec_ia(j, multiple, subtopics) -%}
coalesce(
    1e0::FLOAT * sum(
        CASE
            WHEN {{ j ~ '.relevant' }} = 1
            AND {{ j ~ '.rank' }} <= floor(1e0::FLOAT * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1::FLOAT)
            THEN 1e0::FLOAT / floor(1e0::FLOAT * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1::FLOAT)
        END
    ) / nullif(sum({{ sqlmetrics.counted_subtopic(subtopics, j ~ '.ideal_rank', j ~ '.relevant') }}), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__rprec_ia(j, multiple, subtopics) -%}
{{ exceptions.raise_compiler_error("rprec_ia cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
