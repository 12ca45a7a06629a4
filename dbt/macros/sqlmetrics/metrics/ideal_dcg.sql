{#- The DCG of the best ranking possible: all judged documents by relevance. -#}
{% macro ideal_dcg(j='j', k=none, gain='linear', negative='zero', discount='log', base=2) %}
{% do sqlmetrics.require('gain', gain, ['binary', 'linear', 'exponential']) %}
{% do sqlmetrics.require('negative', negative, ['zero', 'raw']) %}
{% do sqlmetrics.require('discount', discount, ['log', 'clipped', 'reciprocal', 'none']) %}
{{- return(adapter.dispatch('ideal_dcg', 'sqlmetrics')(j, k, gain, negative, discount, base)) -}}
{% endmacro %}

{% macro default__ideal_dcg(j, k, gain, negative, discount, base) -%}
sum(CASE WHEN {{ j ~ '.ideal_rank' }} <= {% if k is none %}{{ j ~ '.ideal_rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }} ELSE 0e0 END)
{%- endmacro %}

{% macro postgres__ideal_dcg(j, k, gain, negative, discount, base) -%}
sum(CASE WHEN {{ j ~ '.ideal_rank' }} <= {% if k is none %}{{ j ~ '.ideal_rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }} ELSE 0e0::float8 END)
{%- endmacro %}

{% macro clickhouse__ideal_dcg(j, k, gain, negative, discount, base) -%}
{{ exceptions.raise_compiler_error("ideal_dcg cannot be computed by clickhouse: write the query by sqlmetrics sql --dialect clickhouse, whose settings it needs") }}
{%- endmacro %}

{% macro snowflake__ideal_dcg(j, k, gain, negative, discount, base) -%}
sum(CASE WHEN {{ j ~ '.ideal_rank' }} <= {% if k is none %}{{ j ~ '.ideal_rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }} ELSE 0e0::FLOAT END)
{%- endmacro %}

{% macro redshift__ideal_dcg(j, k, gain, negative, discount, base) -%}
sum(CASE WHEN {{ j ~ '.ideal_rank' }} <= {% if k is none %}{{ j ~ '.ideal_rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }} ELSE 0e0::float8 END)
{%- endmacro %}
