{#- How much RBP would be higher if every document without judgment, those never retrieved included, had the highest gain. -#}
{% macro rbp_resid(j='j', k=none, p=0.8) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('p', p, {"must": "a number between 0 and 1", "above": 0, "below": 1}) %}
{{- return(adapter.dispatch('rbp_resid', 'sqlmetrics')(j, k, p)) -}}
{% endmacro %}

{% macro default__rbp_resid(j, k, p) -%}
(1e0 - (1e0 - {{ sqlmetrics.literal(p) }}) * {{ sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevance' ~ " >= 0 THEN power(1e0 * " ~ sqlmetrics.literal(p) ~ ", " ~ j ~ '.rank' ~ " - 1) ELSE 0e0 END") }} / {{ sqlmetrics.per_query(j, "1") }})
{%- endmacro %}

{% macro postgres__rbp_resid(j, k, p) -%}
(1e0::float8 - (1e0::float8 - {{ sqlmetrics.literal(p) }}) * {{ sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevance' ~ " >= 0 THEN CASE WHEN 1e0::float8 * " ~ sqlmetrics.literal(p) ~ " = 0 THEN CASE WHEN " ~ j ~ '.rank' ~ " - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * " ~ sqlmetrics.literal(p) ~ ", 0)) * (" ~ j ~ '.rank' ~ " - 1), -700)) END ELSE 0e0::float8 END") }} / {{ sqlmetrics.per_query(j, "1") }})
{%- endmacro %}

{% macro clickhouse__rbp_resid(j, k, p) -%}
{{ exceptions.raise_compiler_error("rbp_resid cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__rbp_resid(j, k, p) -%}
(1e0::FLOAT - (1e0::FLOAT - {{ sqlmetrics.literal(p) }}) * {{ sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevance' ~ " >= 0 THEN power(1e0::FLOAT * " ~ sqlmetrics.literal(p) ~ ", " ~ j ~ '.rank' ~ " - 1) ELSE 0e0::FLOAT END") }} / {{ sqlmetrics.per_query(j, "1") }})
{%- endmacro %}

{% macro redshift__rbp_resid(j, k, p) -%}
{{ exceptions.raise_compiler_error("rbp_resid cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
