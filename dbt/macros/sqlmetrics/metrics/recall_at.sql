{#- The share of the relevant documents that are among the first k. -#}
{% macro recall_at(j='j', k=none, denominator='relevant') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('denominator', denominator, {"must": "one of relevant, achievable, listed, cutoff, retrieved", "words": ["relevant", "achievable", "listed", "cutoff", "retrieved"]}) %}
{{- return(adapter.dispatch('recall_at', 'sqlmetrics')(j, k, denominator)) -}}
{% endmacro %}

{% macro default__recall_at(j, k, denominator) -%}
{{ sqlmetrics.ratio(sqlmetrics.tp(j, sqlmetrics.literal(k)), sqlmetrics.per_query(j, sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret'))) }}
{%- endmacro %}

{% macro clickhouse__recall_at(j, k, denominator) -%}
{{ exceptions.raise_compiler_error("recall_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__recall_at(j, k, denominator) -%}
{{ exceptions.raise_compiler_error("recall_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
