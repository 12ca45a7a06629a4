{#- The gain per document seen by users of whom half are left after each halflife: time-biased gain, per unit of time. -#}
{% macro tbg(j='j', halflife=224, k=1000, measure='utility') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('halflife', halflife, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('measure', measure, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('tbg', 'sqlmetrics')(j, halflife, k, measure)) -}}
{% endmacro %}

{% macro default__tbg(j, halflife, k, measure) -%}
{{ sqlmetrics.position_user(j, measure, sqlmetrics.literal(k), 'geometric', x="(power(2e0, -1e0 / " ~ sqlmetrics.literal(halflife) ~ "))") }}
{%- endmacro %}

{% macro postgres__tbg(j, halflife, k, measure) -%}
{{ sqlmetrics.position_user(j, measure, sqlmetrics.literal(k), 'geometric', x="(power(2e0::float8, -1e0::float8 / " ~ sqlmetrics.literal(halflife) ~ "))") }}
{%- endmacro %}

{% macro clickhouse__tbg(j, halflife, k, measure) -%}
{{ exceptions.raise_compiler_error("tbg cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__tbg(j, halflife, k, measure) -%}
{{ sqlmetrics.position_user(j, measure, sqlmetrics.literal(k), 'geometric', x="(power(2e0::FLOAT, -1e0::FLOAT / " ~ sqlmetrics.literal(halflife) ~ "))") }}
{%- endmacro %}

{% macro redshift__tbg(j, halflife, k, measure) -%}
{{ exceptions.raise_compiler_error("tbg cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
