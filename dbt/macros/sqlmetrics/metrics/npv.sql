{#- The gain per document seen by a user whose interest sinks at a fixed rate from document to document: net present value. -#}
{% macro npv(j='j', rate=0.1, k=1000, measure='utility') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('rate', rate, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('measure', measure, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('npv', 'sqlmetrics')(j, rate, k, measure)) -}}
{% endmacro %}

{% macro default__npv(j, rate, k, measure) -%}
{{ sqlmetrics.position_user(j, measure, sqlmetrics.literal(k), 'geometric', x="(1e0 / (1e0 + " ~ sqlmetrics.literal(rate) ~ "))", goes_on=true) }}
{%- endmacro %}

{% macro postgres__npv(j, rate, k, measure) -%}
{{ sqlmetrics.position_user(j, measure, sqlmetrics.literal(k), 'geometric', x="(1e0::float8 / (1e0::float8 + " ~ sqlmetrics.literal(rate) ~ "))", goes_on=true) }}
{%- endmacro %}

{% macro clickhouse__npv(j, rate, k, measure) -%}
{{ exceptions.raise_compiler_error("npv cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__npv(j, rate, k, measure) -%}
{{ sqlmetrics.position_user(j, measure, sqlmetrics.literal(k), 'geometric', x="(1e0::FLOAT / (1e0::FLOAT + " ~ sqlmetrics.literal(rate) ~ "))", goes_on=true) }}
{%- endmacro %}

{% macro redshift__npv(j, rate, k, measure) -%}
{{ exceptions.raise_compiler_error("npv cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
