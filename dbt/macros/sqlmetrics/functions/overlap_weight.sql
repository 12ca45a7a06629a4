{#- What a document adds to rank-biased overlap that two rankings share over some ranks: Σ p^(rank − 1) / rank. -#}
{% macro overlap_weight(p, first_rank, last_rank) %}
{{- return(adapter.dispatch('overlap_weight', 'sqlmetrics')(p, first_rank, last_rank)) -}}
{% endmacro %}

{% macro default__overlap_weight(p, first_rank, last_rank) -%}
coalesce(
    reduce(CASE WHEN {{ first_rank }} <= least({{ last_rank }}, {{ first_rank }} + CAST((ln(1e0 - {{ sqlmetrics.literal(p) }}) - 4e1) / ln(1e0 * {{ sqlmetrics.literal(p) }}) AS BIGINT)) THEN sequence({{ first_rank }}, least({{ last_rank }}, {{ first_rank }} + CAST((ln(1e0 - {{ sqlmetrics.literal(p) }}) - 4e1) / ln(1e0 * {{ sqlmetrics.literal(p) }}) AS BIGINT))) END, 0e0, (_sum, _rank) -> _sum + power(1e0 * {{ sqlmetrics.literal(p) }}, _rank - 1) / _rank, _sum -> _sum),
    0e0
)
{%- endmacro %}

{% macro duckdb__overlap_weight(p, first_rank, last_rank) -%}
coalesce(
    list_sum(list_transform(range({{ first_rank }}, least({{ last_rank }}, {{ first_rank }} + CAST((ln(1e0 - {{ sqlmetrics.literal(p) }}) - 4e1) / ln(1e0 * {{ sqlmetrics.literal(p) }}) AS BIGINT)) + 1), lambda _rank: power(1e0 * {{ sqlmetrics.literal(p) }}, _rank - 1) / _rank)),
    0e0
)
{%- endmacro %}

{% macro spark__overlap_weight(p, first_rank, last_rank) -%}
coalesce(
    aggregate(CASE WHEN {{ first_rank }} <= least({{ last_rank }}, {{ first_rank }} + CAST((ln(1e0 - {{ sqlmetrics.literal(p) }}) - 4e1) / ln(1e0 * {{ sqlmetrics.literal(p) }}) AS BIGINT)) THEN sequence({{ first_rank }}, least({{ last_rank }}, {{ first_rank }} + CAST((ln(1e0 - {{ sqlmetrics.literal(p) }}) - 4e1) / ln(1e0 * {{ sqlmetrics.literal(p) }}) AS BIGINT))) END, 0e0, (_sum, _rank) -> _sum + power(1e0 * {{ sqlmetrics.literal(p) }}, _rank - 1) / _rank),
    0e0
)
{%- endmacro %}

{% macro postgres__overlap_weight(p, first_rank, last_rank) -%}
coalesce(
    (SELECT sum(CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(p) }} = 0 THEN CASE WHEN _rank - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(p) }}, 0)) * (_rank - 1), -700)) END / _rank) FROM generate_series({{ first_rank }}, least({{ last_rank }}, {{ first_rank }} + CAST((ln(1e0::float8 - {{ sqlmetrics.literal(p) }}) - 4e1::float8) / ln(1e0::float8 * {{ sqlmetrics.literal(p) }}) AS BIGINT))) AS _series_rank (_rank)),
    0e0::float8
)
{%- endmacro %}

{% macro sqlite__overlap_weight(p, first_rank, last_rank) -%}
coalesce(
    (WITH RECURSIVE _series_rank (_rank) AS (SELECT {{ first_rank }} WHERE {{ first_rank }} <= min({{ last_rank }}, {{ first_rank }} + CAST((ln(1e0 - {{ sqlmetrics.literal(p) }}) - 4e1) / ln(1e0 * {{ sqlmetrics.literal(p) }}) AS INTEGER)) UNION ALL SELECT _rank + 1 FROM _series_rank WHERE _rank < min({{ last_rank }}, {{ first_rank }} + CAST((ln(1e0 - {{ sqlmetrics.literal(p) }}) - 4e1) / ln(1e0 * {{ sqlmetrics.literal(p) }}) AS INTEGER))) SELECT sum(power(1e0 * {{ sqlmetrics.literal(p) }}, _rank - 1) / _rank) FROM _series_rank),
    0e0
)
{%- endmacro %}

{% macro clickhouse__overlap_weight(p, first_rank, last_rank) -%}
{{ exceptions.raise_compiler_error("overlap_weight cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__overlap_weight(p, first_rank, last_rank) -%}
{{ exceptions.raise_compiler_error("overlap_weight cannot be computed by snowflake: it has no sums over a number of ranks that is not fixed") }}
{%- endmacro %}

{% macro bigquery__overlap_weight(p, first_rank, last_rank) -%}
coalesce(
    (SELECT sum(power(1e0 * {{ sqlmetrics.literal(p) }}, _rank - 1) / _rank) FROM UNNEST(GENERATE_ARRAY({{ first_rank }}, least({{ last_rank }}, {{ first_rank }} + CAST((ln(1e0 - {{ sqlmetrics.literal(p) }}) - 4e1) / ln(1e0 * {{ sqlmetrics.literal(p) }}) AS INT64)))) AS _rank),
    0e0
)
{%- endmacro %}

{% macro redshift__overlap_weight(p, first_rank, last_rank) -%}
{{ exceptions.raise_compiler_error("overlap_weight cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
