{#- For each relevant document 1, divided by a discount that grows with the documents not relevant above it. -#}
{% macro binary_gain(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('binary_gain', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__binary_gain(j) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.relevant' ~ " = 1 THEN 1e0 / " ~ sqlmetrics.rank_discount("(1 + " ~ j ~ '.rank' ~ " - " ~ j ~ '.hits' ~ ")", 'log', 2) ~ " END"), "sum(" ~ j ~ '.relevant' ~ ")") }}
{%- endmacro %}

{% macro postgres__binary_gain(j) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.relevant' ~ " = 1 THEN 1e0::float8 / " ~ sqlmetrics.rank_discount("(1 + " ~ j ~ '.rank' ~ " - " ~ j ~ '.hits' ~ ")", 'log', 2) ~ " END"), "sum(" ~ j ~ '.relevant' ~ ")") }}
{%- endmacro %}

{% macro clickhouse__binary_gain(j) -%}
{{ exceptions.raise_compiler_error("binary_gain cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__binary_gain(j) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.relevant' ~ " = 1 THEN 1e0::FLOAT / " ~ sqlmetrics.rank_discount("(1 + " ~ j ~ '.rank' ~ " - " ~ j ~ '.hits' ~ ")", 'log', 2) ~ " END"), "sum(" ~ j ~ '.relevant' ~ ")") }}
{%- endmacro %}

{% macro redshift__binary_gain(j) -%}
{{ exceptions.raise_compiler_error("binary_gain cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
