{#- The number of documents among the first k that are not judged relevant. -#}
{% macro fp_at(j='j', k=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('fp_at', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__fp_at(j, k) -%}
(1e0 * {{ sqlmetrics.fp(j, k) }})
{%- endmacro %}

{% macro postgres__fp_at(j, k) -%}
(1e0::float8 * {{ sqlmetrics.fp(j, k) }})
{%- endmacro %}

{% macro clickhouse__fp_at(j, k) -%}
{{ exceptions.raise_compiler_error("fp_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__fp_at(j, k) -%}
(1e0::FLOAT * {{ sqlmetrics.fp(j, k) }})
{%- endmacro %}

{% macro redshift__fp_at(j, k) -%}
{{ exceptions.raise_compiler_error("fp_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
