{#- The gain per document seen by a user who looks at the first k documents, at each rank less surely: scaled DCG. -#}
{% macro sdcg(j='j', k=1000, expected='utility') %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('expected', expected, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('sdcg', 'sqlmetrics')(j, k, expected)) -}}
{% endmacro %}

{% macro default__sdcg(j, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'log', "NULL") ~ " END)", "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.patience_sum("1", sqlmetrics.literal(k), 'log', "NULL") ~ ")", "0e0", "0e0", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro postgres__sdcg(j, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'log', "NULL") ~ " END)", "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.patience_sum("1", sqlmetrics.literal(k), 'log', "NULL") ~ ")", "0e0::float8", "0e0::float8", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro clickhouse__sdcg(j, k, expected) -%}
{{ exceptions.raise_compiler_error("sdcg cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__sdcg(j, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'log', "NULL") ~ " END)", "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.patience_sum("1", sqlmetrics.literal(k), 'log', "NULL") ~ ")", "0e0::FLOAT", "0e0::FLOAT", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro redshift__sdcg(j, k, expected) -%}
{{ exceptions.raise_compiler_error("sdcg cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
