{#- One over the rank of the first relevant document. -#}
{% macro rr(j='j', k=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('rr', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__rr(j, k) -%}
coalesce(1e0 / min(CASE WHEN {{ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ j ~ '.relevant' }} = 1 THEN {{ j ~ '.rank' }} END), 0e0)
{%- endmacro %}

{% macro postgres__rr(j, k) -%}
coalesce(
    1e0::float8 / min(CASE WHEN {{ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ j ~ '.relevant' }} = 1 THEN {{ j ~ '.rank' }} END),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__rr(j, k) -%}
{{ exceptions.raise_compiler_error("rr cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__rr(j, k) -%}
coalesce(
    1e0::FLOAT / min(CASE WHEN {{ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ j ~ '.relevant' }} = 1 THEN {{ j ~ '.rank' }} END),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__rr(j, k) -%}
{{ exceptions.raise_compiler_error("rr cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
