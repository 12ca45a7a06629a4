{#- The discounted gain of subtopics covered, less each time one is covered again, over that of a greedily built ideal ranking, which is rarely surpassed. -#}
{% macro alpha_ndcg(j='j', k=none) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('alpha_ndcg', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__alpha_ndcg(j, k) -%}
coalesce(
    sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.gain' }} / {{ sqlmetrics.rank_discount(j ~ '.rank', 'log', 2) }} END) / nullif(sum(CASE WHEN {{ j ~ '.greedy_rank' }} <= {% if k is none %}{{ j ~ '.greedy_rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.greedy_gain' }} / {{ sqlmetrics.rank_discount(j ~ '.greedy_rank', 'log', 2) }} END), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__alpha_ndcg(j, k) -%}
coalesce(
    sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.gain' }} / {{ sqlmetrics.rank_discount(j ~ '.rank', 'log', 2) }} END) / nullif(sum(CASE WHEN {{ j ~ '.greedy_rank' }} <= {% if k is none %}{{ j ~ '.greedy_rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.greedy_gain' }} / {{ sqlmetrics.rank_discount(j ~ '.greedy_rank', 'log', 2) }} END), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__alpha_ndcg(j, k) -%}
{{ exceptions.raise_compiler_error("alpha_ndcg cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__alpha_ndcg(j, k) -%}
coalesce(
    sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.gain' }} / {{ sqlmetrics.rank_discount(j ~ '.rank', 'log', 2) }} END) / nullif(sum(CASE WHEN {{ j ~ '.greedy_rank' }} <= {% if k is none %}{{ j ~ '.greedy_rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.greedy_gain' }} / {{ sqlmetrics.rank_discount(j ~ '.greedy_rank', 'log', 2) }} END), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__alpha_ndcg(j, k) -%}
{{ exceptions.raise_compiler_error("alpha_ndcg cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
