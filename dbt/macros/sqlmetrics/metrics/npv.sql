{#- The gain per document seen by a user whose interest sinks at a fixed rate from document to document: net present value. -#}
{% macro npv(j='j', rate=0.1, k=1000, expected='utility') %}
{% do sqlmetrics.require('rate', rate, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('expected', expected, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('npv', 'sqlmetrics')(j, rate, k, expected)) -}}
{% endmacro %}

{% macro default__npv(j, rate, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'geometric', "(1e0 / (1e0 + " ~ sqlmetrics.literal(rate) ~ "))") ~ " END)", "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.patience_sum("1", sqlmetrics.literal(k), 'geometric', "(1e0 / (1e0 + " ~ sqlmetrics.literal(rate) ~ "))") ~ ")", "(sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " END) * " ~ sqlmetrics.patience("(" ~ sqlmetrics.literal(k) ~ " + 1)", 'geometric', "(1e0 / (1e0 + " ~ sqlmetrics.literal(rate) ~ "))") ~ ")", "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.literal(k) ~ " * " ~ sqlmetrics.patience("(" ~ sqlmetrics.literal(k) ~ " + 1)", 'geometric', "(1e0 / (1e0 + " ~ sqlmetrics.literal(rate) ~ "))") ~ ")", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro postgres__npv(j, rate, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'geometric', "(1e0::float8 / (1e0::float8 + " ~ sqlmetrics.literal(rate) ~ "))") ~ " END)", "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.patience_sum("1", sqlmetrics.literal(k), 'geometric', "(1e0::float8 / (1e0::float8 + " ~ sqlmetrics.literal(rate) ~ "))") ~ ")", "(sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " END) * " ~ sqlmetrics.patience("(" ~ sqlmetrics.literal(k) ~ " + 1)", 'geometric', "(1e0::float8 / (1e0::float8 + " ~ sqlmetrics.literal(rate) ~ "))") ~ ")", "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.literal(k) ~ " * " ~ sqlmetrics.patience("(" ~ sqlmetrics.literal(k) ~ " + 1)", 'geometric', "(1e0::float8 / (1e0::float8 + " ~ sqlmetrics.literal(rate) ~ "))") ~ ")", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro clickhouse__npv(j, rate, k, expected) -%}
{{ exceptions.raise_compiler_error("npv cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__npv(j, rate, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'geometric', "(1e0::FLOAT / (1e0::FLOAT + " ~ sqlmetrics.literal(rate) ~ "))") ~ " END)", "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.patience_sum("1", sqlmetrics.literal(k), 'geometric', "(1e0::FLOAT / (1e0::FLOAT + " ~ sqlmetrics.literal(rate) ~ "))") ~ ")", "(sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " END) * " ~ sqlmetrics.patience("(" ~ sqlmetrics.literal(k) ~ " + 1)", 'geometric', "(1e0::FLOAT / (1e0::FLOAT + " ~ sqlmetrics.literal(rate) ~ "))") ~ ")", "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.literal(k) ~ " * " ~ sqlmetrics.patience("(" ~ sqlmetrics.literal(k) ~ " + 1)", 'geometric', "(1e0::FLOAT / (1e0::FLOAT + " ~ sqlmetrics.literal(rate) ~ "))") ~ ")", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro redshift__npv(j, rate, k, expected) -%}
{{ exceptions.raise_compiler_error("npv cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
