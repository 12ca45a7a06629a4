{#- The mean of precision and recall in expectation: it grows evenly with the relevant documents found, and all else is the same for all orders of tied documents. -#}
{% macro expected_mean_pr_at(j='j', k=none, mean='arithmetic') %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('mean', mean, {"must": "one of arithmetic, geometric", "words": ["arithmetic", "geometric"]}) %}
{{- return(adapter.dispatch('expected_mean_pr_at', 'sqlmetrics')(j, k, mean)) -}}
{% endmacro %}

{% macro default__expected_mean_pr_at(j, k, mean) -%}
coalesce({{ sqlmetrics.mean_share("sum( CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN 1e0 * " ~ j ~ '.relevant' ~ " * (" ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " - " ~ j ~ '.first_rank' ~ " + 1) / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " ELSE 0e0 END )", "sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ (j ~ '.num_ret' if k is none else sqlmetrics.literal(k)) ~ " END)", "sum(" ~ j ~ '.relevant' ~ ")", mean) }}, 0e0)
{%- endmacro %}

{% macro postgres__expected_mean_pr_at(j, k, mean) -%}
coalesce({{ sqlmetrics.mean_share("sum( CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN 1e0::float8 * " ~ j ~ '.relevant' ~ " * (" ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " - " ~ j ~ '.first_rank' ~ " + 1) / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " ELSE 0e0::float8 END )", "sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ (j ~ '.num_ret' if k is none else sqlmetrics.literal(k)) ~ " END)", "sum(" ~ j ~ '.relevant' ~ ")", mean) }}, 0e0::float8)
{%- endmacro %}

{% macro clickhouse__expected_mean_pr_at(j, k, mean) -%}
{{ exceptions.raise_compiler_error("expected_mean_pr_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__expected_mean_pr_at(j, k, mean) -%}
coalesce({{ sqlmetrics.mean_share("sum( CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN 1e0::FLOAT * " ~ j ~ '.relevant' ~ " * (" ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " - " ~ j ~ '.first_rank' ~ " + 1) / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " ELSE 0e0::FLOAT END )", "sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ (j ~ '.num_ret' if k is none else sqlmetrics.literal(k)) ~ " END)", "sum(" ~ j ~ '.relevant' ~ ")", mean) }}, 0e0::FLOAT)
{%- endmacro %}

{% macro redshift__expected_mean_pr_at(j, k, mean) -%}
{{ exceptions.raise_compiler_error("expected_mean_pr_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
