{#- Matthews' coefficient in expectation: it grows evenly with the relevant documents found, and all else is the same for all orders of tied documents. -#}
{% macro expected_mcc_at(j='j', k=none, corpus_size=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('corpus_size', corpus_size, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('expected_mcc_at', 'sqlmetrics')(j, k, corpus_size)) -}}
{% endmacro %}

{% macro default__expected_mcc_at(j, k, corpus_size) -%}
{{ sqlmetrics.ratio("(1e0 * " ~ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) ~ " * " ~ sqlmetrics.expected_tn(j, k, corpus_size) ~ " - 1e0 * " ~ sqlmetrics.expected_fp(j, k) ~ " * " ~ sqlmetrics.expected_fn(j, k) ~ ")", "(sqrt(1e0 * (" ~ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.expected_fp(j, k) ~ ") * (" ~ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.expected_fn(j, k) ~ ")) * sqrt(1e0 * (" ~ sqlmetrics.expected_tn(j, k, corpus_size) ~ " + " ~ sqlmetrics.expected_fp(j, k) ~ ") * (" ~ sqlmetrics.expected_tn(j, k, corpus_size) ~ " + " ~ sqlmetrics.expected_fn(j, k) ~ ")))") }}
{%- endmacro %}

{% macro postgres__expected_mcc_at(j, k, corpus_size) -%}
{{ sqlmetrics.ratio("(1e0::float8 * " ~ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) ~ " * " ~ sqlmetrics.expected_tn(j, k, corpus_size) ~ " - 1e0::float8 * " ~ sqlmetrics.expected_fp(j, k) ~ " * " ~ sqlmetrics.expected_fn(j, k) ~ ")", "(sqrt(1e0::float8 * (" ~ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.expected_fp(j, k) ~ ") * (" ~ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.expected_fn(j, k) ~ ")) * sqrt(1e0::float8 * (" ~ sqlmetrics.expected_tn(j, k, corpus_size) ~ " + " ~ sqlmetrics.expected_fp(j, k) ~ ") * (" ~ sqlmetrics.expected_tn(j, k, corpus_size) ~ " + " ~ sqlmetrics.expected_fn(j, k) ~ ")))") }}
{%- endmacro %}

{% macro clickhouse__expected_mcc_at(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("expected_mcc_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__expected_mcc_at(j, k, corpus_size) -%}
{{ sqlmetrics.ratio("(1e0::FLOAT * " ~ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) ~ " * " ~ sqlmetrics.expected_tn(j, k, corpus_size) ~ " - 1e0::FLOAT * " ~ sqlmetrics.expected_fp(j, k) ~ " * " ~ sqlmetrics.expected_fn(j, k) ~ ")", "(sqrt(1e0::FLOAT * (" ~ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.expected_fp(j, k) ~ ") * (" ~ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.expected_fn(j, k) ~ ")) * sqrt(1e0::FLOAT * (" ~ sqlmetrics.expected_tn(j, k, corpus_size) ~ " + " ~ sqlmetrics.expected_fp(j, k) ~ ") * (" ~ sqlmetrics.expected_tn(j, k, corpus_size) ~ " + " ~ sqlmetrics.expected_fn(j, k) ~ ")))") }}
{%- endmacro %}

{% macro redshift__expected_mcc_at(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("expected_mcc_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
