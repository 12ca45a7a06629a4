{#- How many judged documents are scored as high as the lowest relevant one or higher: how far down all relevant ones are found. -#}
{% macro coverage_error(j='j') %}
{{- return(adapter.dispatch('coverage_error', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__coverage_error(j) -%}
coalesce(1e0 * max(CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.hits_above', j ~ '.hits_tied', j ~ '.num_rel') }} + {{ sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.misses_above', j ~ '.misses_tied', j ~ '.num_nonrel') }} END), 0e0)
{%- endmacro %}

{% macro postgres__coverage_error(j) -%}
coalesce(
    1e0::float8 * max(CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.hits_above', j ~ '.hits_tied', j ~ '.num_rel') }} + {{ sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.misses_above', j ~ '.misses_tied', j ~ '.num_nonrel') }} END),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__coverage_error(j) -%}
{{ exceptions.raise_compiler_error("coverage_error cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__coverage_error(j) -%}
coalesce(
    1e0::FLOAT * max(CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.hits_above', j ~ '.hits_tied', j ~ '.num_rel') }} + {{ sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.misses_above', j ~ '.misses_tied', j ~ '.num_nonrel') }} END),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__coverage_error(j) -%}
{{ exceptions.raise_compiler_error("coverage_error cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
