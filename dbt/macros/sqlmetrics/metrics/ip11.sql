{#- The interpolated precision averaged over eleven recall points, 0, 0.1, … 1: the area under the precision-recall curve. -#}
{% macro ip11(j='j', points=11, lowest=0, highest=1, rounding=0.9) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('points', points, {"must": "a whole number, 2 or more", "from": 2, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('lowest', lowest, {"must": "a number from 0 to 1", "from": 0, "to": 1}) %}
{% do sqlmetrics.require('highest', highest, {"must": "a number from 0 to 1", "from": 0, "to": 1}) %}
{% do sqlmetrics.require('rounding', rounding, {"must": "a number from 0 to 1", "from": 0, "to": 1}) %}
{{- return(adapter.dispatch('ip11', 'sqlmetrics')(j, points, lowest, highest, rounding)) -}}
{% endmacro %}

{% macro default__ip11(j, points, lowest, highest, rounding) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.rank' ~ " IS NOT NULL AND " ~ j ~ '.relevant' ~ " = 1 THEN " ~ j ~ '.interpolated' ~ " * " ~ sqlmetrics.recall_points(j ~ '.hits', j ~ '.num_rel', points, lowest, highest, rounding) ~ " END"), sqlmetrics.per_query(j, sqlmetrics.literal(points))) }}
{%- endmacro %}

{% macro clickhouse__ip11(j, points, lowest, highest, rounding) -%}
{{ exceptions.raise_compiler_error("ip11 cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__ip11(j, points, lowest, highest, rounding) -%}
{{ exceptions.raise_compiler_error("ip11 cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
