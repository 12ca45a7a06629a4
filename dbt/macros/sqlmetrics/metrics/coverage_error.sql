{#- How many judged documents are scored as high as the lowest relevant one or higher: how far down all relevant ones are found. -#}
{% macro coverage_error(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('coverage_error', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__coverage_error(j) -%}
coalesce(1e0 * max(CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ sqlmetrics.hits_by_score(j) }} + {{ sqlmetrics.false_positives_by_score(j) }} END), 0e0)
{%- endmacro %}

{% macro postgres__coverage_error(j) -%}
coalesce(
    1e0::float8 * max(CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ sqlmetrics.hits_by_score(j) }} + {{ sqlmetrics.false_positives_by_score(j) }} END),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__coverage_error(j) -%}
{{ exceptions.raise_compiler_error("coverage_error cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__coverage_error(j) -%}
coalesce(
    1e0::FLOAT * max(CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ sqlmetrics.hits_by_score(j) }} + {{ sqlmetrics.false_positives_by_score(j) }} END),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__coverage_error(j) -%}
{{ exceptions.raise_compiler_error("coverage_error cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
