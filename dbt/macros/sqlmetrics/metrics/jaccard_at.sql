{#- The relevant documents among the first k as a share of what is among the first k or relevant. -#}
{% macro jaccard_at(j='j', k=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('jaccard_at', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__jaccard_at(j, k) -%}
{{ sqlmetrics.ratio(sqlmetrics.tp(j, sqlmetrics.literal(k)), "(" ~ sqlmetrics.tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.fp(j, k) ~ " + " ~ sqlmetrics.fn(j, k) ~ ")") }}
{%- endmacro %}

{% macro clickhouse__jaccard_at(j, k) -%}
{{ exceptions.raise_compiler_error("jaccard_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__jaccard_at(j, k) -%}
{{ exceptions.raise_compiler_error("jaccard_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
