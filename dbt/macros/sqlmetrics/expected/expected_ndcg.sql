{#- nDCG in expectation: the discounts of the places that tied documents take up are shared among them. -#}
{% macro expected_ndcg(j='j', k=none, gain='linear', negative='zero', discount='log', base=2, ideal='judged') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('gain', gain, {"must": "one of binary, linear, exponential", "words": ["binary", "linear", "exponential"]}) %}
{% do sqlmetrics.require('negative', negative, {"must": "one of zero, raw", "words": ["zero", "raw"]}) %}
{% do sqlmetrics.require('discount', discount, {"must": "one of log, clipped, reciprocal, none", "words": ["log", "clipped", "reciprocal", "none"]}) %}
{% do sqlmetrics.require('base', base, {"must": "a number above 1", "above": 1, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('ideal', ideal, {"must": "one of judged, uncut, perfect", "words": ["judged", "uncut", "perfect"]}) %}
{{- return(adapter.dispatch('expected_ndcg', 'sqlmetrics')(j, k, gain, negative, discount, base, ideal)) -}}
{% endmacro %}

{% macro default__expected_ndcg(j, k, gain, negative, discount, base, ideal) -%}
{{ sqlmetrics.ratio(sqlmetrics.expected_dcg(j, k=k, gain=gain, negative=negative, discount=discount, base=base), (exceptions.raise_compiler_error("ideal is not 'retrieved' where ties are expected") if ideal == 'retrieved' else sqlmetrics.ideal_dcg(j, k=k, gain=gain, negative=negative, discount=discount, base=base, ideal=ideal))) }}
{%- endmacro %}

{% macro clickhouse__expected_ndcg(j, k, gain, negative, discount, base, ideal) -%}
{{ exceptions.raise_compiler_error("expected_ndcg cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__expected_ndcg(j, k, gain, negative, discount, base, ideal) -%}
{{ exceptions.raise_compiler_error("expected_ndcg cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
