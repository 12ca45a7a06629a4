{#- The expected gain of a user who goes on with probability beta, of subtopics covered, over that of a greedily built ideal ranking, which is rarely surpassed. -#}
{% macro nnrbp(j='j', k=none, beta=0.5) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('beta', beta, {"must": "a number from 0 to 1", "from": 0, "to": 1}) %}
{{- return(adapter.dispatch('nnrbp', 'sqlmetrics')(j, k, beta)) -}}
{% endmacro %}

{% macro default__nnrbp(j, k, beta) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " THEN " ~ j ~ '.gain' ~ " * power(1e0 * " ~ sqlmetrics.literal(beta) ~ ", " ~ j ~ '.rank' ~ " - 1) END"), sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.greedy_rank', sqlmetrics.literal(k)) ~ " THEN " ~ j ~ '.greedy_gain' ~ " * power(1e0 * " ~ sqlmetrics.literal(beta) ~ ", " ~ j ~ '.greedy_rank' ~ " - 1) END")) }}
{%- endmacro %}

{% macro postgres__nnrbp(j, k, beta) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " THEN " ~ j ~ '.gain' ~ " * CASE WHEN 1e0::float8 * " ~ sqlmetrics.literal(beta) ~ " = 0 THEN CASE WHEN " ~ j ~ '.rank' ~ " - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * " ~ sqlmetrics.literal(beta) ~ ", 0)) * (" ~ j ~ '.rank' ~ " - 1), -700)) END END"), sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.greedy_rank', sqlmetrics.literal(k)) ~ " THEN " ~ j ~ '.greedy_gain' ~ " * CASE WHEN 1e0::float8 * " ~ sqlmetrics.literal(beta) ~ " = 0 THEN CASE WHEN " ~ j ~ '.greedy_rank' ~ " - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * " ~ sqlmetrics.literal(beta) ~ ", 0)) * (" ~ j ~ '.greedy_rank' ~ " - 1), -700)) END END")) }}
{%- endmacro %}

{% macro clickhouse__nnrbp(j, k, beta) -%}
{{ exceptions.raise_compiler_error("nnrbp cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__nnrbp(j, k, beta) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " THEN " ~ j ~ '.gain' ~ " * power(1e0::FLOAT * " ~ sqlmetrics.literal(beta) ~ ", " ~ j ~ '.rank' ~ " - 1) END"), sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.greedy_rank', sqlmetrics.literal(k)) ~ " THEN " ~ j ~ '.greedy_gain' ~ " * power(1e0::FLOAT * " ~ sqlmetrics.literal(beta) ~ ", " ~ j ~ '.greedy_rank' ~ " - 1) END")) }}
{%- endmacro %}

{% macro redshift__nnrbp(j, k, beta) -%}
{{ exceptions.raise_compiler_error("nnrbp cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
