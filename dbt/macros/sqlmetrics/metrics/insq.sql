{#- The gain per document seen by a user who wants a gain of T and goes on the more readily, the further down. -#}
{% macro insq(j='j', T=1, k=1000, expected='utility') %}
{% do sqlmetrics.require('T', T, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('expected', expected, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('insq', 'sqlmetrics')(j, T, k, expected)) -}}
{% endmacro %}

{% macro default__insq(j, T, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'squared', sqlmetrics.literal(T)) ~ " END)", "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.patience_sum("1", sqlmetrics.literal(k), 'squared', sqlmetrics.literal(T)) ~ ")", "(sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " END) * " ~ sqlmetrics.patience("(" ~ sqlmetrics.literal(k) ~ " + 1)", 'squared', sqlmetrics.literal(T)) ~ ")", "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.literal(k) ~ " * " ~ sqlmetrics.patience("(" ~ sqlmetrics.literal(k) ~ " + 1)", 'squared', sqlmetrics.literal(T)) ~ ")", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro clickhouse__insq(j, T, k, expected) -%}
{{ exceptions.raise_compiler_error("insq cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__insq(j, T, k, expected) -%}
{{ exceptions.raise_compiler_error("insq cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
