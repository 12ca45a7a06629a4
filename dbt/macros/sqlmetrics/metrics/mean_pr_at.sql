{#- The arithmetic or geometric mean of precision and recall among the first k; the harmonic one is F. -#}
{% macro mean_pr_at(j='j', k=none, mean='arithmetic') %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('mean', mean, {"must": "one of arithmetic, geometric", "words": ["arithmetic", "geometric"]}) %}
{{- return(adapter.dispatch('mean_pr_at', 'sqlmetrics')(j, k, mean)) -}}
{% endmacro %}

{% macro default__mean_pr_at(j, k, mean) -%}
coalesce({{ sqlmetrics.mean_share("sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ (j ~ '.rank' if k is none else sqlmetrics.literal(k)) ~ " THEN " ~ j ~ '.relevant' ~ " ELSE 0 END)", "sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ (j ~ '.num_ret' if k is none else sqlmetrics.literal(k)) ~ " END)", "sum(" ~ j ~ '.relevant' ~ ")", mean) }}, 0e0)
{%- endmacro %}

{% macro postgres__mean_pr_at(j, k, mean) -%}
coalesce({{ sqlmetrics.mean_share("sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ (j ~ '.rank' if k is none else sqlmetrics.literal(k)) ~ " THEN " ~ j ~ '.relevant' ~ " ELSE 0 END)", "sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ (j ~ '.num_ret' if k is none else sqlmetrics.literal(k)) ~ " END)", "sum(" ~ j ~ '.relevant' ~ ")", mean) }}, 0e0::float8)
{%- endmacro %}

{% macro clickhouse__mean_pr_at(j, k, mean) -%}
{{ exceptions.raise_compiler_error("mean_pr_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__mean_pr_at(j, k, mean) -%}
coalesce({{ sqlmetrics.mean_share("sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ (j ~ '.rank' if k is none else sqlmetrics.literal(k)) ~ " THEN " ~ j ~ '.relevant' ~ " ELSE 0 END)", "sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ (j ~ '.num_ret' if k is none else sqlmetrics.literal(k)) ~ " END)", "sum(" ~ j ~ '.relevant' ~ ")", mean) }}, 0e0::FLOAT)
{%- endmacro %}

{% macro redshift__mean_pr_at(j, k, mean) -%}
{{ exceptions.raise_compiler_error("mean_pr_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
