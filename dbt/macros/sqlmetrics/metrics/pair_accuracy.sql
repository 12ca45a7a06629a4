{#- The share of pairs of a relevant and another document, both among the first k, that are in order. -#}
{% macro pair_accuracy(j='j', k=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('pair_accuracy', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__pair_accuracy(j, k) -%}
coalesce(
    1e0 - 1e0 * sum(CASE WHEN {{ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ j ~ '.relevant' }} = 1 THEN {{ j ~ '.rank' }} - {{ j ~ '.hits' }} END) / nullif(
        sum(
            CASE
                WHEN {{ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ j ~ '.relevant' }} = 1
                THEN {{ sqlmetrics.retrieved_at(k, j ~ '.num_ret') }} + 1 - 2 * {{ j ~ '.hits' }}
            END /* hits is 1, 2, … f for f relevant among n documents; n + 1 - 2 · hits adds up to f · (n - f), all pairs */
        ),
        0
    ),
    {{ sqlmetrics.success_at(j, k=k) }}
)
{%- endmacro %}

{% macro postgres__pair_accuracy(j, k) -%}
coalesce(
    1e0::float8 - 1e0::float8 * sum(CASE WHEN {{ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ j ~ '.relevant' }} = 1 THEN {{ j ~ '.rank' }} - {{ j ~ '.hits' }} END) / nullif(
        sum(
            CASE
                WHEN {{ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ j ~ '.relevant' }} = 1
                THEN {{ sqlmetrics.retrieved_at(k, j ~ '.num_ret') }} + 1 - 2 * {{ j ~ '.hits' }}
            END /* hits is 1, 2, … f for f relevant among n documents; n + 1 - 2 · hits adds up to f · (n - f), all pairs */
        ),
        0
    ),
    {{ sqlmetrics.success_at(j, k=k) }}
)
{%- endmacro %}

{% macro clickhouse__pair_accuracy(j, k) -%}
{{ exceptions.raise_compiler_error("pair_accuracy cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__pair_accuracy(j, k) -%}
coalesce(
    1e0::FLOAT - 1e0::FLOAT * sum(CASE WHEN {{ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ j ~ '.relevant' }} = 1 THEN {{ j ~ '.rank' }} - {{ j ~ '.hits' }} END) / nullif(
        sum(
            CASE
                WHEN {{ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ j ~ '.relevant' }} = 1
                THEN {{ sqlmetrics.retrieved_at(k, j ~ '.num_ret') }} + 1 - 2 * {{ j ~ '.hits' }}
            END /* hits is 1, 2, … f for f relevant among n documents; n + 1 - 2 · hits adds up to f · (n - f), all pairs */
        ),
        0
    ),
    {{ sqlmetrics.success_at(j, k=k) }}
)
{%- endmacro %}

{% macro redshift__pair_accuracy(j, k) -%}
{{ exceptions.raise_compiler_error("pair_accuracy cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
