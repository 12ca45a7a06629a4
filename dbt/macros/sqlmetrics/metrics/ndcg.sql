{#- The discounted gain of the ranking over that of the best ranking possible, all judged documents by relevance. -#}
{% macro ndcg(j='j', k=none, gain='linear', negative='zero', discount='log', base=2, ideal='judged') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('gain', gain, {"must": "one of binary, linear, exponential", "words": ["binary", "linear", "exponential"]}) %}
{% do sqlmetrics.require('negative', negative, {"must": "one of zero, raw", "words": ["zero", "raw"]}) %}
{% do sqlmetrics.require('discount', discount, {"must": "one of log, clipped, reciprocal, none", "words": ["log", "clipped", "reciprocal", "none"]}) %}
{% do sqlmetrics.require('base', base, {"must": "a number above 1", "above": 1, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('ideal', ideal, {"must": "one of judged, uncut, retrieved, perfect", "words": ["judged", "uncut", "retrieved", "perfect"]}) %}
{{- return(adapter.dispatch('ndcg', 'sqlmetrics')(j, k, gain, negative, discount, base, ideal)) -}}
{% endmacro %}

{% macro default__ndcg(j, k, gain, negative, discount, base, ideal) -%}
{{ sqlmetrics.ratio(sqlmetrics.dcg(j, k=k, gain=gain, negative=negative, discount=discount, base=base), sqlmetrics.ideal_dcg(j, k=k, gain=gain, negative=negative, discount=discount, base=base, ideal=ideal)) }}
{%- endmacro %}

{% macro clickhouse__ndcg(j, k, gain, negative, discount, base, ideal) -%}
{{ exceptions.raise_compiler_error("ndcg cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__ndcg(j, k, gain, negative, discount, base, ideal) -%}
{{ exceptions.raise_compiler_error("ndcg cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
