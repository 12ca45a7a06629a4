{#- The DCG of k documents that each gain 1. -#}
{% macro perfect_dcg(k, discount, base) %}
{{- return(adapter.dispatch('perfect_dcg', 'sqlmetrics')(k, discount, base)) -}}
{% endmacro %}

{% macro default__perfect_dcg(k, discount, base) -%}
reduce(CASE WHEN 1 <= {{ k }} THEN sequence(1, {{ k }}) END, 0e0, (_sum, _rank) -> _sum + 1e0 / {{ sqlmetrics.rank_discount("_rank", discount, base) }}, _sum -> _sum)
{%- endmacro %}

{% macro duckdb__perfect_dcg(k, discount, base) -%}
list_sum(list_transform(range(1, {{ k }} + 1), lambda _rank: 1e0 / {{ sqlmetrics.rank_discount("_rank", discount, base) }}))
{%- endmacro %}

{% macro spark__perfect_dcg(k, discount, base) -%}
aggregate(CASE WHEN 1 <= {{ k }} THEN sequence(1, {{ k }}) END, 0e0, (_sum, _rank) -> _sum + 1e0 / {{ sqlmetrics.rank_discount("_rank", discount, base) }})
{%- endmacro %}

{% macro postgres__perfect_dcg(k, discount, base) -%}
(SELECT sum(1e0::float8 / {{ sqlmetrics.rank_discount("_rank", discount, base) }}) FROM generate_series(1, {{ k }}) AS _series_rank (_rank))
{%- endmacro %}

{% macro sqlite__perfect_dcg(k, discount, base) -%}
(WITH RECURSIVE _series_rank (_rank) AS (SELECT 1 WHERE 1 <= {{ k }} UNION ALL SELECT _rank + 1 FROM _series_rank WHERE _rank < {{ k }}) SELECT sum(1e0 / {{ sqlmetrics.rank_discount("_rank", discount, base) }}) FROM _series_rank)
{%- endmacro %}

{% macro clickhouse__perfect_dcg(k, discount, base) -%}
{{ exceptions.raise_compiler_error("perfect_dcg cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__perfect_dcg(k, discount, base) -%}
{{ exceptions.raise_compiler_error("perfect_dcg cannot be computed by snowflake: it has no sums over a number of ranks that is not fixed") }}
{%- endmacro %}

{% macro bigquery__perfect_dcg(k, discount, base) -%}
(SELECT sum(1e0 / {{ sqlmetrics.rank_discount("_rank", discount, base) }}) FROM UNNEST(GENERATE_ARRAY(1, {{ k }})) AS _rank)
{%- endmacro %}

{% macro redshift__perfect_dcg(k, discount, base) -%}
{{ exceptions.raise_compiler_error("perfect_dcg cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
