{#- The expected gain of a user who goes on with probability beta, of subtopics covered, less each time one is covered again. -#}
{% macro nrbp(j='j', k=none, alpha=0.5, beta=0.5) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('alpha', alpha, {"must": "a number from 0 to 1", "from": 0, "to": 1}) %}
{% do sqlmetrics.require('beta', beta, {"must": "a number from 0 to 1", "from": 0, "to": 1}) %}
{{- return(adapter.dispatch('nrbp', 'sqlmetrics')(j, k, alpha, beta)) -}}
{% endmacro %}

{% macro default__nrbp(j, k, alpha, beta) -%}
((1e0 - (1e0 - {{ sqlmetrics.literal(alpha) }}) * {{ sqlmetrics.literal(beta) }}) * {{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN power(1e0 - " ~ sqlmetrics.literal(alpha) ~ ", " ~ j ~ '.hits' ~ " - 1) * power(1e0 * " ~ sqlmetrics.literal(beta) ~ ", " ~ j ~ '.rank' ~ " - 1) END"), sqlmetrics.per_subtopic(j, "1")) }})
{%- endmacro %}

{% macro postgres__nrbp(j, k, alpha, beta) -%}
((1e0::float8 - (1e0::float8 - {{ sqlmetrics.literal(alpha) }}) * {{ sqlmetrics.literal(beta) }}) * {{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN CASE WHEN 1e0::float8 - " ~ sqlmetrics.literal(alpha) ~ " = 0 THEN CASE WHEN " ~ j ~ '.hits' ~ " - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 - " ~ sqlmetrics.literal(alpha) ~ ", 0)) * (" ~ j ~ '.hits' ~ " - 1), -700)) END * CASE WHEN 1e0::float8 * " ~ sqlmetrics.literal(beta) ~ " = 0 THEN CASE WHEN " ~ j ~ '.rank' ~ " - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * " ~ sqlmetrics.literal(beta) ~ ", 0)) * (" ~ j ~ '.rank' ~ " - 1), -700)) END END"), sqlmetrics.per_subtopic(j, "1")) }})
{%- endmacro %}

{% macro clickhouse__nrbp(j, k, alpha, beta) -%}
{{ exceptions.raise_compiler_error("nrbp cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__nrbp(j, k, alpha, beta) -%}
((1e0::FLOAT - (1e0::FLOAT - {{ sqlmetrics.literal(alpha) }}) * {{ sqlmetrics.literal(beta) }}) * {{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN power(1e0::FLOAT - " ~ sqlmetrics.literal(alpha) ~ ", " ~ j ~ '.hits' ~ " - 1) * power(1e0::FLOAT * " ~ sqlmetrics.literal(beta) ~ ", " ~ j ~ '.rank' ~ " - 1) END"), sqlmetrics.per_subtopic(j, "1")) }})
{%- endmacro %}

{% macro redshift__nrbp(j, k, alpha, beta) -%}
{{ exceptions.raise_compiler_error("nrbp cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
