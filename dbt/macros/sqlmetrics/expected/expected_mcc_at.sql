{#- Matthews' coefficient in expectation: it grows evenly with the relevant documents found, and all else is the same for all orders of tied documents. -#}
{% macro expected_mcc_at(j='j', k=none, corpus_size=none) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('corpus_size', corpus_size, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('expected_mcc_at', 'sqlmetrics')(j, k, corpus_size)) -}}
{% endmacro %}

{% macro default__expected_mcc_at(j, k, corpus_size) -%}
{{ sqlmetrics.phi_coefficient("sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ sqlmetrics.literal(corpus_size) ~ " END)", "sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ sqlmetrics.first_of(k, j ~ '.num_ret') ~ " END)", "sum(" ~ j ~ '.relevant' ~ ")", "sum( CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN 1e0 * " ~ j ~ '.relevant' ~ " * (" ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " - " ~ j ~ '.first_rank' ~ " + 1) / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " ELSE 0e0 END )") }}
{%- endmacro %}

{% macro postgres__expected_mcc_at(j, k, corpus_size) -%}
{{ sqlmetrics.phi_coefficient("sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ sqlmetrics.literal(corpus_size) ~ " END)", "sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ sqlmetrics.first_of(k, j ~ '.num_ret') ~ " END)", "sum(" ~ j ~ '.relevant' ~ ")", "sum( CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN 1e0::float8 * " ~ j ~ '.relevant' ~ " * (" ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " - " ~ j ~ '.first_rank' ~ " + 1) / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " ELSE 0e0::float8 END )") }}
{%- endmacro %}

{% macro clickhouse__expected_mcc_at(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("expected_mcc_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__expected_mcc_at(j, k, corpus_size) -%}
{{ sqlmetrics.phi_coefficient("sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ sqlmetrics.literal(corpus_size) ~ " END)", "sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ sqlmetrics.first_of(k, j ~ '.num_ret') ~ " END)", "sum(" ~ j ~ '.relevant' ~ ")", "sum( CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN 1e0::FLOAT * " ~ j ~ '.relevant' ~ " * (" ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " - " ~ j ~ '.first_rank' ~ " + 1) / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " ELSE 0e0::FLOAT END )") }}
{%- endmacro %}

{% macro redshift__expected_mcc_at(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("expected_mcc_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
