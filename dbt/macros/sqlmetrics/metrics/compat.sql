{#- How near the ranking is to an ideal one: their rank-biased overlap, over that of the ideal ranking with itself. -#}
{% macro compat(j='j', p=0.95, ranks=1000, normalized=true) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('p', p, {"must": "a number between 0 and 1", "above": 0, "below": 1}) %}
{% do sqlmetrics.require('ranks', ranks, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('normalized', normalized, {"must": "true or false", "truth": true}) %}
{{- return(adapter.dispatch('compat', 'sqlmetrics')(j, p, ranks, normalized)) -}}
{% endmacro %}

{% macro default__compat(j, p, ranks, normalized) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.shared_rank' ~ " IS NOT NULL THEN " ~ j ~ '.num_shared' ~ " * " ~ sqlmetrics.overlap_weight(p, j ~ '.shared_rank', sqlmetrics.overlap_end(j ~ '.shared_until', j ~ '.longest', ranks)) ~ " END"), (sqlmetrics.total("CASE WHEN " ~ j ~ '.relevant' ~ " = 0 OR " ~ j ~ '.agreed_rank' ~ " > " ~ (j ~ '.longest' if ranks is none else sqlmetrics.literal(ranks)) ~ " THEN 0e0 ELSE CASE WHEN " ~ j ~ '.agreed_rank' ~ " < " ~ j ~ '.num_rel' ~ " THEN power(1e0 * " ~ sqlmetrics.literal(p) ~ ", " ~ j ~ '.agreed_rank' ~ " - 1) ELSE " ~ j ~ '.num_rel' ~ " * " ~ sqlmetrics.overlap_weight(p, j ~ '.num_rel', (j ~ '.longest' if ranks is none else sqlmetrics.literal(ranks))) ~ " END END") if normalized else sqlmetrics.per_query(j, "((1e0 - power(1e0 * " ~ sqlmetrics.literal(p) ~ ", " ~ (j ~ '.longest' if ranks is none else sqlmetrics.literal(ranks)) ~ ")) / (1e0 - " ~ sqlmetrics.literal(p) ~ "))"))) }}
{%- endmacro %}

{% macro postgres__compat(j, p, ranks, normalized) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.shared_rank' ~ " IS NOT NULL THEN " ~ j ~ '.num_shared' ~ " * " ~ sqlmetrics.overlap_weight(p, j ~ '.shared_rank', sqlmetrics.overlap_end(j ~ '.shared_until', j ~ '.longest', ranks)) ~ " END"), (sqlmetrics.total("CASE WHEN " ~ j ~ '.relevant' ~ " = 0 OR " ~ j ~ '.agreed_rank' ~ " > " ~ (j ~ '.longest' if ranks is none else sqlmetrics.literal(ranks)) ~ " THEN 0e0::float8 ELSE CASE WHEN " ~ j ~ '.agreed_rank' ~ " < " ~ j ~ '.num_rel' ~ " THEN CASE WHEN 1e0::float8 * " ~ sqlmetrics.literal(p) ~ " = 0 THEN CASE WHEN " ~ j ~ '.agreed_rank' ~ " - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * " ~ sqlmetrics.literal(p) ~ ", 0)) * (" ~ j ~ '.agreed_rank' ~ " - 1), -700)) END ELSE " ~ j ~ '.num_rel' ~ " * " ~ sqlmetrics.overlap_weight(p, j ~ '.num_rel', (j ~ '.longest' if ranks is none else sqlmetrics.literal(ranks))) ~ " END END") if normalized else sqlmetrics.per_query(j, "((1e0::float8 - CASE WHEN 1e0::float8 * " ~ sqlmetrics.literal(p) ~ " = 0 THEN CASE WHEN " ~ (j ~ '.longest' if ranks is none else sqlmetrics.literal(ranks)) ~ " = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * " ~ sqlmetrics.literal(p) ~ ", 0)) * (" ~ (j ~ '.longest' if ranks is none else sqlmetrics.literal(ranks)) ~ "), -700)) END) / (1e0::float8 - " ~ sqlmetrics.literal(p) ~ "))"))) }}
{%- endmacro %}

{% macro clickhouse__compat(j, p, ranks, normalized) -%}
{{ exceptions.raise_compiler_error("compat cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__compat(j, p, ranks, normalized) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.shared_rank' ~ " IS NOT NULL THEN " ~ j ~ '.num_shared' ~ " * " ~ sqlmetrics.overlap_weight(p, j ~ '.shared_rank', sqlmetrics.overlap_end(j ~ '.shared_until', j ~ '.longest', ranks)) ~ " END"), (sqlmetrics.total("CASE WHEN " ~ j ~ '.relevant' ~ " = 0 OR " ~ j ~ '.agreed_rank' ~ " > " ~ (j ~ '.longest' if ranks is none else sqlmetrics.literal(ranks)) ~ " THEN 0e0::FLOAT ELSE CASE WHEN " ~ j ~ '.agreed_rank' ~ " < " ~ j ~ '.num_rel' ~ " THEN power(1e0::FLOAT * " ~ sqlmetrics.literal(p) ~ ", " ~ j ~ '.agreed_rank' ~ " - 1) ELSE " ~ j ~ '.num_rel' ~ " * " ~ sqlmetrics.overlap_weight(p, j ~ '.num_rel', (j ~ '.longest' if ranks is none else sqlmetrics.literal(ranks))) ~ " END END") if normalized else sqlmetrics.per_query(j, "((1e0::FLOAT - power(1e0::FLOAT * " ~ sqlmetrics.literal(p) ~ ", " ~ (j ~ '.longest' if ranks is none else sqlmetrics.literal(ranks)) ~ ")) / (1e0::FLOAT - " ~ sqlmetrics.literal(p) ~ "))"))) }}
{%- endmacro %}

{% macro redshift__compat(j, p, ranks, normalized) -%}
{{ exceptions.raise_compiler_error("compat cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
