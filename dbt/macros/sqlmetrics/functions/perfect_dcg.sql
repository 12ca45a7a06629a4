{#- The DCG of documents that each gain 1. -#}
{% macro perfect_dcg(first, last, discount, base) %}
{{- return(adapter.dispatch('perfect_dcg', 'sqlmetrics')(first, last, discount, base)) -}}
{% endmacro %}

{% macro default__perfect_dcg(first, last, discount, base) -%}
reduce(CASE WHEN {{ first }} <= {{ last }} THEN sequence({{ first }}, {{ last }}) END, 0e0, (_sum, _rank) -> _sum + 1e0 / {{ sqlmetrics.rank_discount("_rank", discount, base) }}, _sum -> _sum)
{%- endmacro %}

{% macro duckdb__perfect_dcg(first, last, discount, base) -%}
list_sum(list_transform(range({{ first }}, {{ last }} + 1), lambda _rank: 1e0 / {{ sqlmetrics.rank_discount("_rank", discount, base) }}))
{%- endmacro %}

{% macro spark__perfect_dcg(first, last, discount, base) -%}
aggregate(CASE WHEN {{ first }} <= {{ last }} THEN sequence({{ first }}, {{ last }}) END, 0e0, (_sum, _rank) -> _sum + 1e0 / {{ sqlmetrics.rank_discount("_rank", discount, base) }})
{%- endmacro %}

{% macro postgres__perfect_dcg(first, last, discount, base) -%}
(SELECT sum(1e0::float8 / {{ sqlmetrics.rank_discount("_rank", discount, base) }}) FROM generate_series({{ first }}, {{ last }}) AS _series_rank (_rank))
{%- endmacro %}

{% macro sqlite__perfect_dcg(first, last, discount, base) -%}
(WITH RECURSIVE _series_rank (_rank) AS (SELECT {{ first }} WHERE {{ first }} <= {{ last }} UNION ALL SELECT _rank + 1 FROM _series_rank WHERE _rank < {{ last }}) SELECT sum(1e0 / {{ sqlmetrics.rank_discount("_rank", discount, base) }}) FROM _series_rank)
{%- endmacro %}

{% macro clickhouse__perfect_dcg(first, last, discount, base) -%}
{{ exceptions.raise_compiler_error("perfect_dcg cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__perfect_dcg(first, last, discount, base) -%}
{{ exceptions.raise_compiler_error("perfect_dcg cannot be computed by snowflake: it has no sums over a number of ranks that is not fixed") }}
{%- endmacro %}

{% macro bigquery__perfect_dcg(first, last, discount, base) -%}
(SELECT sum(1e0 / {{ sqlmetrics.rank_discount("_rank", discount, base) }}) FROM UNNEST(GENERATE_ARRAY({{ first }}, {{ last }})) AS _rank)
{%- endmacro %}

{% macro redshift__perfect_dcg(first, last, discount, base) -%}
{{ exceptions.raise_compiler_error("perfect_dcg cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
