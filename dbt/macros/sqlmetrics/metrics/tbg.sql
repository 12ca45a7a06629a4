{#- The gain per document seen by users of whom half are left after each halflife: time-biased gain, per unit of time. -#}
{% macro tbg(j='j', halflife=224, k=1000, expected='utility') %}
{% do sqlmetrics.require('halflife', halflife, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('expected', expected, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('tbg', 'sqlmetrics')(j, halflife, k, expected)) -}}
{% endmacro %}

{% macro default__tbg(j, halflife, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'geometric', "(power(2e0, -1e0 / " ~ sqlmetrics.literal(halflife) ~ "))") ~ " END)", "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.patience_sum("1", sqlmetrics.literal(k), 'geometric', "(power(2e0, -1e0 / " ~ sqlmetrics.literal(halflife) ~ "))") ~ ")", "0e0", "0e0", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro postgres__tbg(j, halflife, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'geometric', "(power(2e0::float8, -1e0::float8 / " ~ sqlmetrics.literal(halflife) ~ "))") ~ " END)", "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.patience_sum("1", sqlmetrics.literal(k), 'geometric', "(power(2e0::float8, -1e0::float8 / " ~ sqlmetrics.literal(halflife) ~ "))") ~ ")", "0e0::float8", "0e0::float8", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro clickhouse__tbg(j, halflife, k, expected) -%}
{{ exceptions.raise_compiler_error("tbg cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__tbg(j, halflife, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'geometric', "(power(2e0::FLOAT, -1e0::FLOAT / " ~ sqlmetrics.literal(halflife) ~ "))") ~ " END)", "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.patience_sum("1", sqlmetrics.literal(k), 'geometric', "(power(2e0::FLOAT, -1e0::FLOAT / " ~ sqlmetrics.literal(halflife) ~ "))") ~ ")", "0e0::FLOAT", "0e0::FLOAT", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro redshift__tbg(j, halflife, k, expected) -%}
{{ exceptions.raise_compiler_error("tbg cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
