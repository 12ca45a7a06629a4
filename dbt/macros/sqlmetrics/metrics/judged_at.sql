{#- The share of the first k documents that have a judgment. -#}
{% macro judged_at(j='j', k=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('judged_at', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__judged_at(j, k) -%}
{{ sqlmetrics.ratio(sqlmetrics.num_judged(j, k), sqlmetrics.retrieved_at(k, "max(" ~ j ~ '.num_ret' ~ ")")) }}
{%- endmacro %}

{% macro clickhouse__judged_at(j, k) -%}
{{ exceptions.raise_compiler_error("judged_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__judged_at(j, k) -%}
{{ exceptions.raise_compiler_error("judged_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
