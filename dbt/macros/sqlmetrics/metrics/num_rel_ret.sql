{#- The number of relevant documents retrieved, or among the first k. -#}
{% macro num_rel_ret(j='j', k=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('num_rel_ret', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__num_rel_ret(j, k) -%}
(1e0 * {{ sqlmetrics.tp(j, sqlmetrics.literal(k)) }})
{%- endmacro %}

{% macro postgres__num_rel_ret(j, k) -%}
(1e0::float8 * {{ sqlmetrics.tp(j, sqlmetrics.literal(k)) }})
{%- endmacro %}

{% macro clickhouse__num_rel_ret(j, k) -%}
{{ exceptions.raise_compiler_error("num_rel_ret cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__num_rel_ret(j, k) -%}
(1e0::FLOAT * {{ sqlmetrics.tp(j, sqlmetrics.literal(k)) }})
{%- endmacro %}

{% macro redshift__num_rel_ret(j, k) -%}
{{ exceptions.raise_compiler_error("num_rel_ret cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
