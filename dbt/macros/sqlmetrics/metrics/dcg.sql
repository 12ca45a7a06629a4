{#- The gains of the first k documents, each divided by a discount that grows with the rank. -#}
{% macro dcg(j='j', k=none, gain='linear', negative='zero', discount='log', base=2) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('gain', gain, {"must": "one of binary, linear, exponential", "words": ["binary", "linear", "exponential"]}) %}
{% do sqlmetrics.require('negative', negative, {"must": "one of zero, raw", "words": ["zero", "raw"]}) %}
{% do sqlmetrics.require('discount', discount, {"must": "one of log, clipped, reciprocal, none", "words": ["log", "clipped", "reciprocal", "none"]}) %}
{% do sqlmetrics.require('base', base, {"must": "a number above 1", "above": 1, "below": 1.7976931348623157e+308}) %}
{{- return(adapter.dispatch('dcg', 'sqlmetrics')(j, k, gain, negative, discount, base)) -}}
{% endmacro %}

{% macro default__dcg(j, k, gain, negative, discount, base) -%}
{{ sqlmetrics.discounted_sum(sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative), j ~ '.rank', sqlmetrics.literal(k), discount, base=base) }}
{%- endmacro %}

{% macro clickhouse__dcg(j, k, gain, negative, discount, base) -%}
{{ exceptions.raise_compiler_error("dcg cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__dcg(j, k, gain, negative, discount, base) -%}
{{ exceptions.raise_compiler_error("dcg cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
