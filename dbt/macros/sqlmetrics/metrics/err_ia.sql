{#- The gain of subtopics covered divided by the rank, less each time one is covered again, over that of documents that all cover every subtopic. -#}
{% macro err_ia(j='j', k=none, alpha=0.5) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('alpha', alpha, {"must": "a number from 0 to 1", "from": 0, "to": 1}) %}
{{- return(adapter.dispatch('err_ia', 'sqlmetrics')(j, k, alpha)) -}}
{% endmacro %}

{% macro default__err_ia(j, k, alpha) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN power(1e0 - " ~ sqlmetrics.literal(alpha) ~ ", " ~ j ~ '.hits' ~ " - 1) / " ~ j ~ '.rank' ~ " END"), sqlmetrics.per_subtopic(j, sqlmetrics.repeated_gain((j ~ '.num_ret' if k is none else sqlmetrics.literal(k)), alpha, 'reciprocal'))) }}
{%- endmacro %}

{% macro postgres__err_ia(j, k, alpha) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN CASE WHEN 1e0::float8 - " ~ sqlmetrics.literal(alpha) ~ " = 0 THEN CASE WHEN " ~ j ~ '.hits' ~ " - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 - " ~ sqlmetrics.literal(alpha) ~ ", 0)) * (" ~ j ~ '.hits' ~ " - 1), -700)) END / " ~ j ~ '.rank' ~ " END"), sqlmetrics.per_subtopic(j, sqlmetrics.repeated_gain((j ~ '.num_ret' if k is none else sqlmetrics.literal(k)), alpha, 'reciprocal'))) }}
{%- endmacro %}

{% macro clickhouse__err_ia(j, k, alpha) -%}
{{ exceptions.raise_compiler_error("err_ia cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__err_ia(j, k, alpha) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN power(1e0::FLOAT - " ~ sqlmetrics.literal(alpha) ~ ", " ~ j ~ '.hits' ~ " - 1) / " ~ j ~ '.rank' ~ " END"), sqlmetrics.per_subtopic(j, sqlmetrics.repeated_gain((j ~ '.num_ret' if k is none else sqlmetrics.literal(k)), alpha, 'reciprocal'))) }}
{%- endmacro %}

{% macro redshift__err_ia(j, k, alpha) -%}
{{ exceptions.raise_compiler_error("err_ia cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
