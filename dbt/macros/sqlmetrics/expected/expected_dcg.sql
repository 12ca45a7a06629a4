{#- DCG in expectation: the discounts of the places that tied documents take up are shared among them. -#}
{% macro expected_dcg(j='j', k=none, gain='linear', negative='zero', discount='log', base=2) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('gain', gain, {"must": "one of binary, linear, exponential", "words": ["binary", "linear", "exponential"]}) %}
{% do sqlmetrics.require('negative', negative, {"must": "one of zero, raw", "words": ["zero", "raw"]}) %}
{% do sqlmetrics.require('discount', discount, {"must": "one of log, clipped, reciprocal, none", "words": ["log", "clipped", "reciprocal", "none"]}) %}
{% do sqlmetrics.require('base', base, {"must": "a number above 1", "above": 1, "below": 1.7976931348623157e+308}) %}
{{- return(adapter.dispatch('expected_dcg', 'sqlmetrics')(j, k, gain, negative, discount, base)) -}}
{% endmacro %}

{% macro default__expected_dcg(j, k, gain, negative, discount, base) -%}
{{ sqlmetrics.total("CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN " ~ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) ~ " / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " * " ~ sqlmetrics.perfect_dcg(j ~ '.first_rank', (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")"), discount, base) ~ " ELSE 0e0 END") }}
{%- endmacro %}

{% macro postgres__expected_dcg(j, k, gain, negative, discount, base) -%}
{{ sqlmetrics.total("CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN " ~ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) ~ " / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " * " ~ sqlmetrics.perfect_dcg(j ~ '.first_rank', (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")"), discount, base) ~ " ELSE 0e0::float8 END") }}
{%- endmacro %}

{% macro clickhouse__expected_dcg(j, k, gain, negative, discount, base) -%}
{{ exceptions.raise_compiler_error("expected_dcg cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__expected_dcg(j, k, gain, negative, discount, base) -%}
{{ sqlmetrics.total("CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN " ~ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) ~ " / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " * " ~ sqlmetrics.perfect_dcg(j ~ '.first_rank', (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")"), discount, base) ~ " ELSE 0e0::FLOAT END") }}
{%- endmacro %}

{% macro redshift__expected_dcg(j, k, gain, negative, discount, base) -%}
{{ exceptions.raise_compiler_error("expected_dcg cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
