{#- How many of the recall points stand for as many relevant documents; recall 0 stands for the first. -#}
{% macro recall_points(hits, num_rel, points, lowest, highest, rounding) %}
{{- return(adapter.dispatch('recall_points', 'sqlmetrics')(hits, num_rel, points, lowest, highest, rounding)) -}}
{% endmacro %}

{% macro default__recall_points(hits, num_rel, points, lowest, highest, rounding) -%}
reduce(CASE WHEN 0 <= {{ sqlmetrics.literal(points) }} - 1 THEN sequence(0, {{ sqlmetrics.literal(points) }} - 1) END, 0e0, (_sum, _point) -> _sum + CASE
    WHEN greatest(floor(
        1e0 * ({{ sqlmetrics.literal(lowest) }} * ({{ sqlmetrics.literal(points) }} - 1 - _point) + {{ sqlmetrics.literal(highest) }} * _point) / ({{ sqlmetrics.literal(points) }} - 1) * {{ num_rel }} + {{ sqlmetrics.literal(rounding) }}
    ), 1) = {{ hits }}
    THEN 1
    ELSE 0
END, _sum -> _sum)
{%- endmacro %}

{% macro duckdb__recall_points(hits, num_rel, points, lowest, highest, rounding) -%}
list_sum(list_transform(range(0, {{ sqlmetrics.literal(points) }} - 1 + 1), lambda _point: CASE
    WHEN greatest(floor(
        1e0 * ({{ sqlmetrics.literal(lowest) }} * ({{ sqlmetrics.literal(points) }} - 1 - _point) + {{ sqlmetrics.literal(highest) }} * _point) / ({{ sqlmetrics.literal(points) }} - 1) * {{ num_rel }} + {{ sqlmetrics.literal(rounding) }}
    ), 1) = {{ hits }}
    THEN 1
    ELSE 0
END))
{%- endmacro %}

{% macro spark__recall_points(hits, num_rel, points, lowest, highest, rounding) -%}
aggregate(CASE WHEN 0 <= {{ sqlmetrics.literal(points) }} - 1 THEN sequence(0, {{ sqlmetrics.literal(points) }} - 1) END, 0e0, (_sum, _point) -> _sum + CASE
    WHEN greatest(floor(
        1e0 * ({{ sqlmetrics.literal(lowest) }} * ({{ sqlmetrics.literal(points) }} - 1 - _point) + {{ sqlmetrics.literal(highest) }} * _point) / ({{ sqlmetrics.literal(points) }} - 1) * {{ num_rel }} + {{ sqlmetrics.literal(rounding) }}
    ), 1) = {{ hits }}
    THEN 1
    ELSE 0
END)
{%- endmacro %}

{% macro postgres__recall_points(hits, num_rel, points, lowest, highest, rounding) -%}
(SELECT sum(CASE
    WHEN greatest(floor(
        1e0::float8 * ({{ sqlmetrics.literal(lowest) }} * ({{ sqlmetrics.literal(points) }} - 1 - _point) + {{ sqlmetrics.literal(highest) }} * _point) / ({{ sqlmetrics.literal(points) }} - 1) * {{ num_rel }} + {{ sqlmetrics.literal(rounding) }}
    ), 1) = {{ hits }}
    THEN 1
    ELSE 0
END) FROM generate_series(0, {{ sqlmetrics.literal(points) }} - 1) AS _series_point (_point))
{%- endmacro %}

{% macro sqlite__recall_points(hits, num_rel, points, lowest, highest, rounding) -%}
(WITH RECURSIVE _series_point (_point) AS (SELECT 0 WHERE 0 <= {{ sqlmetrics.literal(points) }} - 1 UNION ALL SELECT _point + 1 FROM _series_point WHERE _point < {{ sqlmetrics.literal(points) }} - 1) SELECT sum(CASE
    WHEN max(floor(
        1e0 * ({{ sqlmetrics.literal(lowest) }} * ({{ sqlmetrics.literal(points) }} - 1 - _point) + {{ sqlmetrics.literal(highest) }} * _point) / ({{ sqlmetrics.literal(points) }} - 1) * {{ num_rel }} + {{ sqlmetrics.literal(rounding) }}
    ), 1) = {{ hits }}
    THEN 1
    ELSE 0
END) FROM _series_point)
{%- endmacro %}

{% macro clickhouse__recall_points(hits, num_rel, points, lowest, highest, rounding) -%}
{{ exceptions.raise_compiler_error("recall_points cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__recall_points(hits, num_rel, points, lowest, highest, rounding) -%}
{{ exceptions.raise_compiler_error("recall_points cannot be computed by snowflake: it has no sums over a number of ranks that is not fixed") }}
{%- endmacro %}

{% macro bigquery__recall_points(hits, num_rel, points, lowest, highest, rounding) -%}
(SELECT sum(CASE
    WHEN greatest(floor(
        1e0 * ({{ sqlmetrics.literal(lowest) }} * ({{ sqlmetrics.literal(points) }} - 1 - _point) + {{ sqlmetrics.literal(highest) }} * _point) / ({{ sqlmetrics.literal(points) }} - 1) * {{ num_rel }} + {{ sqlmetrics.literal(rounding) }}
    ), 1) = {{ hits }}
    THEN 1
    ELSE 0
END) FROM UNNEST(GENERATE_ARRAY(0, {{ sqlmetrics.literal(points) }} - 1)) AS _point)
{%- endmacro %}

{% macro redshift__recall_points(hits, num_rel, points, lowest, highest, rounding) -%}
{{ exceptions.raise_compiler_error("recall_points cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
