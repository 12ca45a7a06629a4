{#- The share of the collection that is rightly among the first k or rightly not. -#}
{% macro accuracy_at(j='j', k=none, corpus_size=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('corpus_size', corpus_size, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('accuracy_at', 'sqlmetrics')(j, k, corpus_size)) -}}
{% endmacro %}

{% macro default__accuracy_at(j, k, corpus_size) -%}
(({{ sqlmetrics.tp(j, sqlmetrics.literal(k)) }} + {{ sqlmetrics.tn(j, k, corpus_size) }}) / (1e0 * {{ sqlmetrics.per_query(j, sqlmetrics.literal(corpus_size)) }}))
{%- endmacro %}

{% macro postgres__accuracy_at(j, k, corpus_size) -%}
(({{ sqlmetrics.tp(j, sqlmetrics.literal(k)) }} + {{ sqlmetrics.tn(j, k, corpus_size) }}) / (1e0::float8 * {{ sqlmetrics.per_query(j, sqlmetrics.literal(corpus_size)) }}))
{%- endmacro %}

{% macro clickhouse__accuracy_at(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("accuracy_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__accuracy_at(j, k, corpus_size) -%}
(({{ sqlmetrics.tp(j, sqlmetrics.literal(k)) }} + {{ sqlmetrics.tn(j, k, corpus_size) }}) / (1e0::FLOAT * {{ sqlmetrics.per_query(j, sqlmetrics.literal(corpus_size)) }}))
{%- endmacro %}

{% macro redshift__accuracy_at(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("accuracy_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
