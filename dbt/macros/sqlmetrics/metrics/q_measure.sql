{#- AP with graded relevance: the blended ratio of documents and gain at each relevant document, averaged over all relevant ones. -#}
{% macro q_measure(j='j', k=none, beta=1.0) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('beta', beta, {"must": "a number, 0 or more", "from": 0, "to": 1.7976931348623157e+308}) %}
{{- return(adapter.dispatch('q_measure', 'sqlmetrics')(j, k, beta)) -}}
{% endmacro %}

{% macro default__q_measure(j, k, beta) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN " ~ sqlmetrics.blended_ratio(j, beta) ~ " END"), sqlmetrics.per_query(j, "CASE WHEN " ~ j ~ '.num_rel' ~ " > " ~ sqlmetrics.literal(k) ~ " THEN " ~ sqlmetrics.literal(k) ~ " ELSE " ~ j ~ '.num_rel' ~ " END")) }}
{%- endmacro %}

{% macro clickhouse__q_measure(j, k, beta) -%}
{{ exceptions.raise_compiler_error("q_measure cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__q_measure(j, k, beta) -%}
{{ exceptions.raise_compiler_error("q_measure cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
