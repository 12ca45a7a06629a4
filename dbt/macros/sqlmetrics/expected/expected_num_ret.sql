{#- The number of documents retrieved, which the order of tied documents does not change. -#}
{% macro expected_num_ret(j='j', k=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('expected_num_ret', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__expected_num_ret(j, k) -%}
(1e0 * {{ sqlmetrics.retrieved_at(k, "max(" ~ j ~ '.num_ret' ~ ")") }})
{%- endmacro %}

{% macro postgres__expected_num_ret(j, k) -%}
(1e0::float8 * {{ sqlmetrics.retrieved_at(k, "max(" ~ j ~ '.num_ret' ~ ")") }})
{%- endmacro %}

{% macro clickhouse__expected_num_ret(j, k) -%}
{{ exceptions.raise_compiler_error("expected_num_ret cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__expected_num_ret(j, k) -%}
(1e0::FLOAT * {{ sqlmetrics.retrieved_at(k, "max(" ~ j ~ '.num_ret' ~ ")") }})
{%- endmacro %}

{% macro redshift__expected_num_ret(j, k) -%}
{{ exceptions.raise_compiler_error("expected_num_ret cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
