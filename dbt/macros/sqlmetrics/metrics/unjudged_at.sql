{#- The share of the first k places that documents without judgment take up. -#}
{% macro unjudged_at(j='j', k=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('unjudged_at', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__unjudged_at(j, k) -%}
{{ sqlmetrics.ratio("(" ~ sqlmetrics.per_query(j, sqlmetrics.retrieved_at(k, j ~ '.num_ret')) ~ " - " ~ sqlmetrics.num_judged(j, k) ~ ")", sqlmetrics.per_query(j, (j ~ '.num_ret' if k is none else sqlmetrics.literal(k)))) }}
{%- endmacro %}

{% macro clickhouse__unjudged_at(j, k) -%}
{{ exceptions.raise_compiler_error("unjudged_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__unjudged_at(j, k) -%}
{{ exceptions.raise_compiler_error("unjudged_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
