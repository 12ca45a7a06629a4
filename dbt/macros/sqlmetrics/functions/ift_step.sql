{#- The probability that a user of IFT goes on from a rank. -#}
{% macro ift_step(rank, gained, wanting, A, b2, R2) %}
{{- return(adapter.dispatch('ift_step', 'sqlmetrics')(rank, gained, wanting, A, b2, R2)) -}}
{% endmacro %}

{% macro default__ift_step(rank, gained, wanting, A, b2, R2) -%}
(
    {{ wanting }} / coalesce(
        1e0 + {{ sqlmetrics.literal(b2) }} * exp(1e0 * {{ sqlmetrics.literal(R2) }} * ({{ sqlmetrics.literal(A) }} - {{ gained }} / {{ rank }})),
        1e0
    )
)
{%- endmacro %}

{% macro postgres__ift_step(rank, gained, wanting, A, b2, R2) -%}
(
    {{ wanting }} / coalesce(
        1e0::float8 + {{ sqlmetrics.literal(b2) }} * exp(least(greatest(1e0::float8 * {{ sqlmetrics.literal(R2) }} * ({{ sqlmetrics.literal(A) }} - {{ gained }} / {{ rank }}), -700), 700)),
        1e0::float8
    )
)
{%- endmacro %}

{% macro clickhouse__ift_step(rank, gained, wanting, A, b2, R2) -%}
{{ exceptions.raise_compiler_error("ift_step cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__ift_step(rank, gained, wanting, A, b2, R2) -%}
(
    {{ wanting }} / coalesce(
        1e0::FLOAT + {{ sqlmetrics.literal(b2) }} * exp(1e0::FLOAT * {{ sqlmetrics.literal(R2) }} * ({{ sqlmetrics.literal(A) }} - {{ gained }} / {{ rank }})),
        1e0::FLOAT
    )
)
{%- endmacro %}

{% macro redshift__ift_step(rank, gained, wanting, A, b2, R2) -%}
{{ exceptions.raise_compiler_error("ift_step cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
