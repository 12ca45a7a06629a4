{#- The blended ratio of documents and gain at the preferred rank: that of the first document of the highest gain retrieved. -#}
{% macro p_measure(j='j', beta=1.0) %}
{{- return(adapter.dispatch('p_measure', 'sqlmetrics')(j, beta)) -}}
{% endmacro %}

{% macro default__p_measure(j, beta) -%}
coalesce(max(CASE WHEN {{ j ~ '.rank' }} = {{ j ~ '.preferred_rank' }} THEN {{ sqlmetrics.blended_ratio(j ~ '.hits', j ~ '.cg', j ~ '.rank', j ~ '.ideal_cg', beta) }} END), 0e0)
{%- endmacro %}

{% macro postgres__p_measure(j, beta) -%}
coalesce(max(CASE WHEN {{ j ~ '.rank' }} = {{ j ~ '.preferred_rank' }} THEN {{ sqlmetrics.blended_ratio(j ~ '.hits', j ~ '.cg', j ~ '.rank', j ~ '.ideal_cg', beta) }} END), 0e0::float8)
{%- endmacro %}

{% macro clickhouse__p_measure(j, beta) -%}
{{ exceptions.raise_compiler_error("p_measure cannot be computed by clickhouse: write the query by sqlmetrics sql --dialect clickhouse, whose settings it needs") }}
{%- endmacro %}

{% macro snowflake__p_measure(j, beta) -%}
coalesce(max(CASE WHEN {{ j ~ '.rank' }} = {{ j ~ '.preferred_rank' }} THEN {{ sqlmetrics.blended_ratio(j ~ '.hits', j ~ '.cg', j ~ '.rank', j ~ '.ideal_cg', beta) }} END), 0e0::FLOAT)
{%- endmacro %}

{% macro redshift__p_measure(j, beta) -%}
coalesce(max(CASE WHEN {{ j ~ '.rank' }} = {{ j ~ '.preferred_rank' }} THEN {{ sqlmetrics.blended_ratio(j ~ '.hits', j ~ '.cg', j ~ '.rank', j ~ '.ideal_cg', beta) }} END), 0e0::float8)
{%- endmacro %}
