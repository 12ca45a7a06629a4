{#- How many of the ranks from first to last a user looks at whom nothing satisfies. -#}
{% macro view_probability_sum(first, last, shape, x) %}
{{- return(adapter.dispatch('view_probability_sum', 'sqlmetrics')(first, last, shape, x)) -}}
{% endmacro %}

{% macro default__view_probability_sum(first, last, shape, x) -%}
coalesce(
    reduce(CASE WHEN {{ first }} <= {{ last }} THEN sequence({{ first }}, {{ last }}) END, 0e0, (_sum, _rank) -> _sum + {{ sqlmetrics.view_probability("_rank", shape, x) }}, _sum -> _sum),
    0e0
)
{%- endmacro %}

{% macro duckdb__view_probability_sum(first, last, shape, x) -%}
coalesce(
    list_sum(list_transform(range({{ first }}, {{ last }} + 1), lambda _rank: {{ sqlmetrics.view_probability("_rank", shape, x) }})),
    0e0
)
{%- endmacro %}

{% macro spark__view_probability_sum(first, last, shape, x) -%}
coalesce(
    aggregate(CASE WHEN {{ first }} <= {{ last }} THEN sequence({{ first }}, {{ last }}) END, 0e0, (_sum, _rank) -> _sum + {{ sqlmetrics.view_probability("_rank", shape, x) }}),
    0e0
)
{%- endmacro %}

{% macro postgres__view_probability_sum(first, last, shape, x) -%}
coalesce(
    (SELECT sum({{ sqlmetrics.view_probability("_rank", shape, x) }}) FROM generate_series({{ first }}, {{ last }}) AS _series_rank (_rank)),
    0e0::float8
)
{%- endmacro %}

{% macro sqlite__view_probability_sum(first, last, shape, x) -%}
coalesce(
    (WITH RECURSIVE _series_rank (_rank) AS (SELECT {{ first }} WHERE {{ first }} <= {{ last }} UNION ALL SELECT _rank + 1 FROM _series_rank WHERE _rank < {{ last }}) SELECT sum({{ sqlmetrics.view_probability("_rank", shape, x) }}) FROM _series_rank),
    0e0
)
{%- endmacro %}

{% macro clickhouse__view_probability_sum(first, last, shape, x) -%}
{{ exceptions.raise_compiler_error("view_probability_sum cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__view_probability_sum(first, last, shape, x) -%}
{{ exceptions.raise_compiler_error("view_probability_sum cannot be computed by snowflake: it has no sums over a number of ranks that is not fixed") }}
{%- endmacro %}

{% macro bigquery__view_probability_sum(first, last, shape, x) -%}
coalesce(
    (SELECT sum({{ sqlmetrics.view_probability("_rank", shape, x) }}) FROM UNNEST(GENERATE_ARRAY({{ first }}, {{ last }})) AS _rank),
    0e0
)
{%- endmacro %}

{% macro redshift__view_probability_sum(first, last, shape, x) -%}
{{ exceptions.raise_compiler_error("view_probability_sum cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
