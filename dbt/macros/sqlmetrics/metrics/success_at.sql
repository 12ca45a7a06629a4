{#- 1 when a relevant document is among the first k, else 0. -#}
{% macro success_at(j='j', k=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('success_at', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__success_at(j, k) -%}
(1e0 * max(CASE WHEN {{ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) }} THEN {{ j ~ '.relevant' }} ELSE 0 END))
{%- endmacro %}

{% macro postgres__success_at(j, k) -%}
(1e0::float8 * max(CASE WHEN {{ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) }} THEN {{ j ~ '.relevant' }} ELSE 0 END))
{%- endmacro %}

{% macro clickhouse__success_at(j, k) -%}
{{ exceptions.raise_compiler_error("success_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__success_at(j, k) -%}
(1e0::FLOAT * max(CASE WHEN {{ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) }} THEN {{ j ~ '.relevant' }} ELSE 0 END))
{%- endmacro %}

{% macro redshift__success_at(j, k) -%}
{{ exceptions.raise_compiler_error("success_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
