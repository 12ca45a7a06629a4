{#- The correlation, over the collection, of being among the first k with being relevant. -#}
{% macro mcc_at(j='j', k=none, corpus_size=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('corpus_size', corpus_size, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('mcc_at', 'sqlmetrics')(j, k, corpus_size)) -}}
{% endmacro %}

{% macro default__mcc_at(j, k, corpus_size) -%}
{{ sqlmetrics.ratio("(1e0 * " ~ sqlmetrics.tp(j, sqlmetrics.literal(k)) ~ " * " ~ sqlmetrics.tn(j, k, corpus_size) ~ " - 1e0 * " ~ sqlmetrics.fp(j, k) ~ " * " ~ sqlmetrics.fn(j, k) ~ ")", "(sqrt(1e0 * (" ~ sqlmetrics.tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.fp(j, k) ~ ") * (" ~ sqlmetrics.tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.fn(j, k) ~ ")) * sqrt(1e0 * (" ~ sqlmetrics.tn(j, k, corpus_size) ~ " + " ~ sqlmetrics.fp(j, k) ~ ") * (" ~ sqlmetrics.tn(j, k, corpus_size) ~ " + " ~ sqlmetrics.fn(j, k) ~ ")))") }}
{%- endmacro %}

{% macro postgres__mcc_at(j, k, corpus_size) -%}
{{ sqlmetrics.ratio("(1e0::float8 * " ~ sqlmetrics.tp(j, sqlmetrics.literal(k)) ~ " * " ~ sqlmetrics.tn(j, k, corpus_size) ~ " - 1e0::float8 * " ~ sqlmetrics.fp(j, k) ~ " * " ~ sqlmetrics.fn(j, k) ~ ")", "(sqrt(1e0::float8 * (" ~ sqlmetrics.tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.fp(j, k) ~ ") * (" ~ sqlmetrics.tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.fn(j, k) ~ ")) * sqrt(1e0::float8 * (" ~ sqlmetrics.tn(j, k, corpus_size) ~ " + " ~ sqlmetrics.fp(j, k) ~ ") * (" ~ sqlmetrics.tn(j, k, corpus_size) ~ " + " ~ sqlmetrics.fn(j, k) ~ ")))") }}
{%- endmacro %}

{% macro clickhouse__mcc_at(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("mcc_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__mcc_at(j, k, corpus_size) -%}
{{ sqlmetrics.ratio("(1e0::FLOAT * " ~ sqlmetrics.tp(j, sqlmetrics.literal(k)) ~ " * " ~ sqlmetrics.tn(j, k, corpus_size) ~ " - 1e0::FLOAT * " ~ sqlmetrics.fp(j, k) ~ " * " ~ sqlmetrics.fn(j, k) ~ ")", "(sqrt(1e0::FLOAT * (" ~ sqlmetrics.tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.fp(j, k) ~ ") * (" ~ sqlmetrics.tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.fn(j, k) ~ ")) * sqrt(1e0::FLOAT * (" ~ sqlmetrics.tn(j, k, corpus_size) ~ " + " ~ sqlmetrics.fp(j, k) ~ ") * (" ~ sqlmetrics.tn(j, k, corpus_size) ~ " + " ~ sqlmetrics.fn(j, k) ~ ")))") }}
{%- endmacro %}

{% macro redshift__mcc_at(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("mcc_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
