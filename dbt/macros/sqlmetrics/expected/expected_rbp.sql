{#- RBP in expectation: the weights of the places that tied documents take up, a geometric sum, are shared among them. -#}
{% macro expected_rbp(j='j', k=none, p=0.8, gain='binary', max_rel=none, scaled=false, denominator='endless') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('p', p, {"must": "a number between 0 and 1", "above": 0, "below": 1}) %}
{% do sqlmetrics.require('gain', gain, {"must": "one of binary, linear, exponential", "words": ["binary", "linear", "exponential"]}) %}
{% do sqlmetrics.require('max_rel', max_rel, {"must": "a number above 0, or none", "none": true, "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('scaled', scaled, {"must": "true or false", "truth": true}) %}
{% do sqlmetrics.require('denominator', denominator, {"must": "one of endless, cutoff, relevant, achievable, retrieved, listed", "words": ["endless", "cutoff", "relevant", "achievable", "retrieved", "listed"]}) %}
{{- return(adapter.dispatch('expected_rbp', 'sqlmetrics')(j, k, p, gain, max_rel, scaled, denominator)) -}}
{% endmacro %}

{% macro default__expected_rbp(j, k, p, gain, max_rel, scaled, denominator) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN (power(1e0 * " ~ sqlmetrics.literal(p) ~ ", " ~ j ~ '.first_rank' ~ " - 1) - power(1e0 * " ~ sqlmetrics.literal(p) ~ ", " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ ")) / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " * " ~ sqlmetrics.rbp_gain(j ~ '.relevant', j ~ '.grade', gain, max_rel) ~ " END"), sqlmetrics.rbp_scale(j, k, p, gain, scaled, denominator)) }}
{%- endmacro %}

{% macro postgres__expected_rbp(j, k, p, gain, max_rel, scaled, denominator) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN (CASE WHEN 1e0::float8 * " ~ sqlmetrics.literal(p) ~ " = 0 THEN CASE WHEN " ~ j ~ '.first_rank' ~ " - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * " ~ sqlmetrics.literal(p) ~ ", 0)) * (" ~ j ~ '.first_rank' ~ " - 1), -700)) END - CASE WHEN 1e0::float8 * " ~ sqlmetrics.literal(p) ~ " = 0 THEN CASE WHEN " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * " ~ sqlmetrics.literal(p) ~ ", 0)) * (" ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ "), -700)) END) / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " * " ~ sqlmetrics.rbp_gain(j ~ '.relevant', j ~ '.grade', gain, max_rel) ~ " END"), sqlmetrics.rbp_scale(j, k, p, gain, scaled, denominator)) }}
{%- endmacro %}

{% macro clickhouse__expected_rbp(j, k, p, gain, max_rel, scaled, denominator) -%}
{{ exceptions.raise_compiler_error("expected_rbp cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__expected_rbp(j, k, p, gain, max_rel, scaled, denominator) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN (power(1e0::FLOAT * " ~ sqlmetrics.literal(p) ~ ", " ~ j ~ '.first_rank' ~ " - 1) - power(1e0::FLOAT * " ~ sqlmetrics.literal(p) ~ ", " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ ")) / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " * " ~ sqlmetrics.rbp_gain(j ~ '.relevant', j ~ '.grade', gain, max_rel) ~ " END"), sqlmetrics.rbp_scale(j, k, p, gain, scaled, denominator)) }}
{%- endmacro %}

{% macro redshift__expected_rbp(j, k, p, gain, max_rel, scaled, denominator) -%}
{{ exceptions.raise_compiler_error("expected_rbp cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
