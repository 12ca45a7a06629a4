{#- The DCG of the best ranking possible: all judged documents by relevance. -#}
{% macro ideal_dcg(j='j', k=none, gain='linear', negative='zero', discount='log', base=2, ideal='judged') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('gain', gain, {"must": "one of binary, linear, exponential", "words": ["binary", "linear", "exponential"]}) %}
{% do sqlmetrics.require('negative', negative, {"must": "one of zero, raw", "words": ["zero", "raw"]}) %}
{% do sqlmetrics.require('discount', discount, {"must": "one of log, clipped, reciprocal, none", "words": ["log", "clipped", "reciprocal", "none"]}) %}
{% do sqlmetrics.require('base', base, {"must": "a number above 1", "above": 1, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('ideal', ideal, {"must": "one of judged, uncut, retrieved, perfect", "words": ["judged", "uncut", "retrieved", "perfect"]}) %}
{{- return(adapter.dispatch('ideal_dcg', 'sqlmetrics')(j, k, gain, negative, discount, base, ideal)) -}}
{% endmacro %}

{% macro default__ideal_dcg(j, k, gain, negative, discount, base, ideal) -%}
{% if ideal == 'perfect' %}{{ sqlmetrics.per_query(j, "coalesce(" ~ sqlmetrics.perfect_dcg("1", (j ~ '.num_ret' if k is none else sqlmetrics.literal(k)), discount, base) ~ ", 0e0)") }}{% else %}{{ sqlmetrics.discounted_sum(sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative), (j ~ '.retrieved_ideal_rank' if ideal == 'retrieved' else j ~ '.ideal_rank'), (sqlmetrics.literal(k) if ideal != 'uncut' else "NULL"), discount, base=base) }}{% endif %}
{%- endmacro %}

{% macro postgres__ideal_dcg(j, k, gain, negative, discount, base, ideal) -%}
{% if ideal == 'perfect' %}{{ sqlmetrics.per_query(j, "coalesce(" ~ sqlmetrics.perfect_dcg("1", (j ~ '.num_ret' if k is none else sqlmetrics.literal(k)), discount, base) ~ ", 0e0::float8)") }}{% else %}{{ sqlmetrics.discounted_sum(sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative), (j ~ '.retrieved_ideal_rank' if ideal == 'retrieved' else j ~ '.ideal_rank'), (sqlmetrics.literal(k) if ideal != 'uncut' else "NULL"), discount, base=base) }}{% endif %}
{%- endmacro %}

{% macro clickhouse__ideal_dcg(j, k, gain, negative, discount, base, ideal) -%}
{{ exceptions.raise_compiler_error("ideal_dcg cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__ideal_dcg(j, k, gain, negative, discount, base, ideal) -%}
{% if ideal == 'perfect' %}{{ sqlmetrics.per_query(j, "coalesce(" ~ sqlmetrics.perfect_dcg("1", (j ~ '.num_ret' if k is none else sqlmetrics.literal(k)), discount, base) ~ ", 0e0::FLOAT)") }}{% else %}{{ sqlmetrics.discounted_sum(sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative), (j ~ '.retrieved_ideal_rank' if ideal == 'retrieved' else j ~ '.ideal_rank'), (sqlmetrics.literal(k) if ideal != 'uncut' else "NULL"), discount, base=base) }}{% endif %}
{%- endmacro %}

{% macro redshift__ideal_dcg(j, k, gain, negative, discount, base, ideal) -%}
{{ exceptions.raise_compiler_error("ideal_dcg cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
