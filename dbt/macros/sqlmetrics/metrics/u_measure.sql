{#- The gain per document seen by users who stop at an even rate down to rank L: the U-measure, per unit of text. -#}
{% macro u_measure(j='j', L=1000, k=1000, expected='utility') %}
{% do sqlmetrics.require('L', L, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 2 or more", "from": 2, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('expected', expected, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('u_measure', 'sqlmetrics')(j, L, k, expected)) -}}
{% endmacro %}

{% macro default__u_measure(j, L, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum(CASE WHEN " ~ j ~ '.rank' ~ " < " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'linear', sqlmetrics.literal(L)) ~ " END)", "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.patience_sum("1", "(" ~ sqlmetrics.literal(k) ~ " - 1)", 'linear', sqlmetrics.literal(L)) ~ ")", "0e0", "0e0", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro postgres__u_measure(j, L, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum(CASE WHEN " ~ j ~ '.rank' ~ " < " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'linear', sqlmetrics.literal(L)) ~ " END)", "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.patience_sum("1", "(" ~ sqlmetrics.literal(k) ~ " - 1)", 'linear', sqlmetrics.literal(L)) ~ ")", "0e0::float8", "0e0::float8", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro clickhouse__u_measure(j, L, k, expected) -%}
{{ exceptions.raise_compiler_error("u_measure cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__u_measure(j, L, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum(CASE WHEN " ~ j ~ '.rank' ~ " < " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'linear', sqlmetrics.literal(L)) ~ " END)", "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.patience_sum("1", "(" ~ sqlmetrics.literal(k) ~ " - 1)", 'linear', sqlmetrics.literal(L)) ~ ")", "0e0::FLOAT", "0e0::FLOAT", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro redshift__u_measure(j, L, k, expected) -%}
{{ exceptions.raise_compiler_error("u_measure cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
