{#- The expected value of 1 / rank where a user stops who reads from the top until a document satisfies. -#}
{% macro err(j='j', k=none, discount='reciprocal', base=2) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('discount', discount, {"must": "one of reciprocal, log, clipped, none", "words": ["reciprocal", "log", "clipped", "none"]}) %}
{% do sqlmetrics.require('base', base, {"must": "a number above 1", "above": 1, "below": 1.7976931348623157e+308}) %}
{{- return(adapter.dispatch('err', 'sqlmetrics')(j, k, discount, base)) -}}
{% endmacro %}

{% macro default__err(j, k, discount, base) -%}
{{ sqlmetrics.ratio(sqlmetrics.discounted_sum("(" ~ j ~ '.reach' ~ " * " ~ j ~ '.stop' ~ ")", j ~ '.rank', sqlmetrics.literal(k), discount, base=base), sqlmetrics.per_query(j, "1")) }}
{%- endmacro %}

{% macro clickhouse__err(j, k, discount, base) -%}
{{ exceptions.raise_compiler_error("err cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__err(j, k, discount, base) -%}
{{ exceptions.raise_compiler_error("err cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
