{#- R-precision in expectation: each place that tied documents take up holds any of them with the same probability. -#}
{% macro expected_rprec(j='j', multiple=1) %}
{% do sqlmetrics.require('multiple', multiple, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{{- return(adapter.dispatch('expected_rprec', 'sqlmetrics')(j, multiple)) -}}
{% endmacro %}

{% macro default__expected_rprec(j, multiple) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= least(1e0 * {{ j ~ '.last_rank' }}, floor(1e0 * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1))
            THEN 1e0 * {{ j ~ '.relevant' }} * (least(1e0 * {{ j ~ '.last_rank' }}, floor(1e0 * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1)) - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
        END
    ) / nullif(floor(1e0 * {{ sqlmetrics.literal(multiple) }} * max({{ j ~ '.num_rel' }}) + 9e-1), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__expected_rprec(j, multiple) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= least(1e0::float8 * {{ j ~ '.last_rank' }}, floor(1e0::float8 * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1::float8))
            THEN 1e0::float8 * {{ j ~ '.relevant' }} * (least(1e0::float8 * {{ j ~ '.last_rank' }}, floor(1e0::float8 * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1::float8)) - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
        END
    ) / nullif(floor(1e0::float8 * {{ sqlmetrics.literal(multiple) }} * max({{ j ~ '.num_rel' }}) + 9e-1::float8), 0),
    0e0::float8
)
{%- endmacro %}

{% macro sqlite__expected_rprec(j, multiple) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= min(1e0 * {{ j ~ '.last_rank' }}, floor(1e0 * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1))
            THEN 1e0 * {{ j ~ '.relevant' }} * (min(1e0 * {{ j ~ '.last_rank' }}, floor(1e0 * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1)) - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
        END
    ) / nullif(floor(1e0 * {{ sqlmetrics.literal(multiple) }} * max({{ j ~ '.num_rel' }}) + 9e-1), 0),
    0e0
)
{%- endmacro %}

{% macro clickhouse__expected_rprec(j, multiple) -%}
{{ exceptions.raise_compiler_error("expected_rprec cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__expected_rprec(j, multiple) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= least(1e0::FLOAT * {{ j ~ '.last_rank' }}, floor(1e0::FLOAT * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1::FLOAT))
            THEN 1e0::FLOAT * {{ j ~ '.relevant' }} * (least(1e0::FLOAT * {{ j ~ '.last_rank' }}, floor(1e0::FLOAT * {{ sqlmetrics.literal(multiple) }} * {{ j ~ '.num_rel' }} + 9e-1::FLOAT)) - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
        END
    ) / nullif(floor(1e0::FLOAT * {{ sqlmetrics.literal(multiple) }} * max({{ j ~ '.num_rel' }}) + 9e-1::FLOAT), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__expected_rprec(j, multiple) -%}
{{ exceptions.raise_compiler_error("expected_rprec cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
