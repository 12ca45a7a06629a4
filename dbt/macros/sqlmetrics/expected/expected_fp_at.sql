{#- False positives in expectation: each place that tied documents take up holds any of them with the same probability. -#}
{% macro expected_fp_at(j='j', k=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('expected_fp_at', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__expected_fp_at(j, k) -%}
(1e0 * {{ sqlmetrics.expected_fp(j, k) }})
{%- endmacro %}

{% macro postgres__expected_fp_at(j, k) -%}
(1e0::float8 * {{ sqlmetrics.expected_fp(j, k) }})
{%- endmacro %}

{% macro clickhouse__expected_fp_at(j, k) -%}
{{ exceptions.raise_compiler_error("expected_fp_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__expected_fp_at(j, k) -%}
(1e0::FLOAT * {{ sqlmetrics.expected_fp(j, k) }})
{%- endmacro %}

{% macro redshift__expected_fp_at(j, k) -%}
{{ exceptions.raise_compiler_error("expected_fp_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
