{#- The blended ratio of documents and gain at the preferred rank: that of the first document of the highest gain retrieved. -#}
{% macro p_measure(j='j', beta=1.0) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('beta', beta, {"must": "a number, 0 or more", "from": 0, "to": 1.7976931348623157e+308}) %}
{{- return(adapter.dispatch('p_measure', 'sqlmetrics')(j, beta)) -}}
{% endmacro %}

{% macro default__p_measure(j, beta) -%}
coalesce(max(CASE WHEN {{ j ~ '.rank' }} = {{ j ~ '.preferred_rank' }} THEN {{ sqlmetrics.blended_ratio(j, beta) }} END), 0e0)
{%- endmacro %}

{% macro postgres__p_measure(j, beta) -%}
coalesce(max(CASE WHEN {{ j ~ '.rank' }} = {{ j ~ '.preferred_rank' }} THEN {{ sqlmetrics.blended_ratio(j, beta) }} END), 0e0::float8)
{%- endmacro %}

{% macro clickhouse__p_measure(j, beta) -%}
{{ exceptions.raise_compiler_error("p_measure cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__p_measure(j, beta) -%}
coalesce(max(CASE WHEN {{ j ~ '.rank' }} = {{ j ~ '.preferred_rank' }} THEN {{ sqlmetrics.blended_ratio(j, beta) }} END), 0e0::FLOAT)
{%- endmacro %}

{% macro redshift__p_measure(j, beta) -%}
{{ exceptions.raise_compiler_error("p_measure cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
