{#- The discounted gain of one subtopic from k documents that all cover it. -#}
{% macro repeated_gain(k, alpha, discount) %}
{{- return(adapter.dispatch('repeated_gain', 'sqlmetrics')(k, alpha, discount)) -}}
{% endmacro %}

{% macro default__repeated_gain(k, alpha, discount) -%}
reduce(CASE WHEN 1 <= least({{ k }}, coalesce(
    1 + CAST(-4e1 / nullif(ln(nullif(1e0 - {{ sqlmetrics.literal(alpha) }}, 0e0)), 0e0) AS BIGINT),
    {{ k }}
)) THEN sequence(1, least({{ k }}, coalesce(
    1 + CAST(-4e1 / nullif(ln(nullif(1e0 - {{ sqlmetrics.literal(alpha) }}, 0e0)), 0e0) AS BIGINT),
    {{ k }}
))) END, 0e0, (_sum, _rank) -> _sum + power(1e0 - {{ sqlmetrics.literal(alpha) }}, _rank - 1) / {{ sqlmetrics.rank_discount("_rank", discount, 2) }}, _sum -> _sum)
{%- endmacro %}

{% macro duckdb__repeated_gain(k, alpha, discount) -%}
list_sum(list_transform(range(1, least({{ k }}, coalesce(
    1 + CAST(-4e1 / nullif(ln(nullif(1e0 - {{ sqlmetrics.literal(alpha) }}, 0e0)), 0e0) AS BIGINT),
    {{ k }}
)) + 1), lambda _rank: power(1e0 - {{ sqlmetrics.literal(alpha) }}, _rank - 1) / {{ sqlmetrics.rank_discount("_rank", discount, 2) }}))
{%- endmacro %}

{% macro spark__repeated_gain(k, alpha, discount) -%}
aggregate(CASE WHEN 1 <= least({{ k }}, coalesce(
    1 + CAST(-4e1 / nullif(ln(nullif(1e0 - {{ sqlmetrics.literal(alpha) }}, 0e0)), 0e0) AS BIGINT),
    {{ k }}
)) THEN sequence(1, least({{ k }}, coalesce(
    1 + CAST(-4e1 / nullif(ln(nullif(1e0 - {{ sqlmetrics.literal(alpha) }}, 0e0)), 0e0) AS BIGINT),
    {{ k }}
))) END, 0e0, (_sum, _rank) -> _sum + power(1e0 - {{ sqlmetrics.literal(alpha) }}, _rank - 1) / {{ sqlmetrics.rank_discount("_rank", discount, 2) }})
{%- endmacro %}

{% macro postgres__repeated_gain(k, alpha, discount) -%}
(SELECT sum(CASE WHEN 1e0::float8 - {{ sqlmetrics.literal(alpha) }} = 0 THEN CASE WHEN _rank - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 - {{ sqlmetrics.literal(alpha) }}, 0)) * (_rank - 1), -700)) END / {{ sqlmetrics.rank_discount("_rank", discount, 2) }}) FROM generate_series(1, least({{ k }}, coalesce(
    1 + CAST(-4e1::float8 / nullif(ln(nullif(1e0::float8 - {{ sqlmetrics.literal(alpha) }}, 0e0::float8)), 0e0::float8) AS BIGINT),
    {{ k }}
))) AS _series_rank (_rank))
{%- endmacro %}

{% macro sqlite__repeated_gain(k, alpha, discount) -%}
(WITH RECURSIVE _series_rank (_rank) AS (SELECT 1 WHERE 1 <= min({{ k }}, coalesce(
    1 + CAST(-4e1 / nullif(ln(nullif(1e0 - {{ sqlmetrics.literal(alpha) }}, 0e0)), 0e0) AS INTEGER),
    {{ k }}
)) UNION ALL SELECT _rank + 1 FROM _series_rank WHERE _rank < min({{ k }}, coalesce(
    1 + CAST(-4e1 / nullif(ln(nullif(1e0 - {{ sqlmetrics.literal(alpha) }}, 0e0)), 0e0) AS INTEGER),
    {{ k }}
))) SELECT sum(power(1e0 - {{ sqlmetrics.literal(alpha) }}, _rank - 1) / {{ sqlmetrics.rank_discount("_rank", discount, 2) }}) FROM _series_rank)
{%- endmacro %}

{% macro clickhouse__repeated_gain(k, alpha, discount) -%}
{{ exceptions.raise_compiler_error("repeated_gain cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__repeated_gain(k, alpha, discount) -%}
{{ exceptions.raise_compiler_error("repeated_gain cannot be computed by snowflake: it has no sums over a number of ranks that is not fixed") }}
{%- endmacro %}

{% macro bigquery__repeated_gain(k, alpha, discount) -%}
(SELECT sum(power(1e0 - {{ sqlmetrics.literal(alpha) }}, _rank - 1) / {{ sqlmetrics.rank_discount("_rank", discount, 2) }}) FROM UNNEST(GENERATE_ARRAY(1, least({{ k }}, coalesce(
    1 + CAST(-4e1 / nullif(ln(nullif(1e0 - {{ sqlmetrics.literal(alpha) }}, 0e0)), 0e0) AS INT64),
    {{ k }}
)))) AS _rank)
{%- endmacro %}

{% macro redshift__repeated_gain(k, alpha, discount) -%}
{{ exceptions.raise_compiler_error("repeated_gain cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
