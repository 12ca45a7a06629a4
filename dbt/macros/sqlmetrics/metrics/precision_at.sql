{#- The share of the first k documents that are relevant. -#}
{% macro precision_at(j='j', k=none, denominator='cutoff') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('denominator', denominator, {"must": "one of cutoff, retrieved, achievable, listed, relevant", "words": ["cutoff", "retrieved", "achievable", "listed", "relevant"]}) %}
{{- return(adapter.dispatch('precision_at', 'sqlmetrics')(j, k, denominator)) -}}
{% endmacro %}

{% macro default__precision_at(j, k, denominator) -%}
{{ sqlmetrics.ratio(sqlmetrics.tp(j, sqlmetrics.literal(k)), sqlmetrics.per_query(j, sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret'))) }}
{%- endmacro %}

{% macro clickhouse__precision_at(j, k, denominator) -%}
{{ exceptions.raise_compiler_error("precision_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__precision_at(j, k, denominator) -%}
{{ exceptions.raise_compiler_error("precision_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
