{#- Each judged document at its rank and at its rank in the ideal ranking, with what both rankings have gained down to there. -#}
{% macro ranked_and_ideal(judged, gain='linear') %}
{% do sqlmetrics.require('gain', gain, {"must": "one of binary, linear, exponential", "words": ["binary", "linear", "exponential"]}) %}
{{- return(adapter.dispatch('ranked_and_ideal', 'sqlmetrics')(judged, gain)) -}}
{% endmacro %}

{% macro default__ranked_and_ideal(judged, gain) -%}
(
SELECT
    _p.*,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 0 AND _p.place IS NOT NULL THEN _p.own_gain ELSE 0e0 END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY _p.place ASC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS cg,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 1 THEN _p.own_gain ELSE 0e0 END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY _p.place ASC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS ideal_cg,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 0 AND _p.place IS NOT NULL THEN _p.own_gain / " ~ sqlmetrics.rank_discount("_p.place", 'log', 2) ~ " ELSE 0e0 END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY _p.place ASC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS dcg,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 1 THEN _p.own_gain / " ~ sqlmetrics.rank_discount("_p.place", 'log', 2) ~ " ELSE 0e0 END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY _p.place ASC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS ideal_dcg,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 1 AND _p.own_gain > 1 THEN _p.own_gain - 1e0 ELSE 0e0 END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY _p.place ASC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS ideal_surplus
FROM (
    SELECT
        _j.*,
        {{ sqlmetrics.graded_gain("_j.grade", gain) }} AS own_gain,
        max({{ sqlmetrics.graded_gain("_j.grade", gain) }}) OVER (PARTITION BY _j.run_id, _j.query_id) AS highest,
        _k.in_ideal,
        CASE WHEN _k.in_ideal = 1 THEN _j.ideal_rank ELSE _j.rank END AS place
    FROM {{ judged }} AS _j
    CROSS JOIN (
        SELECT
            0 AS in_ideal
        UNION ALL
        SELECT
            1 AS in_ideal
    ) AS _k
) AS _p
)
{%- endmacro %}

{% macro postgres__ranked_and_ideal(judged, gain) -%}
(
SELECT
    _p.*,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 0 AND _p.place IS NOT NULL THEN _p.own_gain ELSE 0e0::float8 END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY _p.place ASC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS cg,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 1 THEN _p.own_gain ELSE 0e0::float8 END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY _p.place ASC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS ideal_cg,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 0 AND _p.place IS NOT NULL THEN _p.own_gain / " ~ sqlmetrics.rank_discount("_p.place", 'log', 2) ~ " ELSE 0e0::float8 END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY _p.place ASC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS dcg,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 1 THEN _p.own_gain / " ~ sqlmetrics.rank_discount("_p.place", 'log', 2) ~ " ELSE 0e0::float8 END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY _p.place ASC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS ideal_dcg,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 1 AND _p.own_gain > 1 THEN _p.own_gain - 1e0::float8 ELSE 0e0::float8 END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY _p.place ASC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS ideal_surplus
FROM (
    SELECT
        _j.*,
        {{ sqlmetrics.graded_gain("_j.grade", gain) }} AS own_gain,
        max({{ sqlmetrics.graded_gain("_j.grade", gain) }}) OVER (PARTITION BY _j.run_id, _j.query_id) AS highest,
        _k.in_ideal,
        CASE WHEN _k.in_ideal = 1 THEN _j.ideal_rank ELSE _j.rank END AS place
    FROM {{ judged }} AS _j
    CROSS JOIN (
        SELECT
            0 AS in_ideal
        UNION ALL
        SELECT
            1 AS in_ideal
    ) AS _k
) AS _p
)
{%- endmacro %}

{% macro clickhouse__ranked_and_ideal(judged, gain) -%}
{{ exceptions.raise_compiler_error("ranked_and_ideal cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__ranked_and_ideal(judged, gain) -%}
(
SELECT
    _p.*,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 0 AND _p.place IS NOT NULL THEN _p.own_gain ELSE 0e0::FLOAT END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY _p.place ASC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS cg,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 1 THEN _p.own_gain ELSE 0e0::FLOAT END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY _p.place ASC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS ideal_cg,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 0 AND _p.place IS NOT NULL THEN _p.own_gain / " ~ sqlmetrics.rank_discount("_p.place", 'log', 2) ~ " ELSE 0e0::FLOAT END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY _p.place ASC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS dcg,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 1 THEN _p.own_gain / " ~ sqlmetrics.rank_discount("_p.place", 'log', 2) ~ " ELSE 0e0::FLOAT END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY _p.place ASC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS ideal_dcg,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 1 AND _p.own_gain > 1 THEN _p.own_gain - 1e0::FLOAT ELSE 0e0::FLOAT END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY _p.place ASC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS ideal_surplus
FROM (
    SELECT
        _j.*,
        {{ sqlmetrics.graded_gain("_j.grade", gain) }} AS own_gain,
        max({{ sqlmetrics.graded_gain("_j.grade", gain) }}) OVER (PARTITION BY _j.run_id, _j.query_id) AS highest,
        _k.in_ideal,
        CASE WHEN _k.in_ideal = 1 THEN _j.ideal_rank ELSE _j.rank END AS place
    FROM {{ judged }} AS _j
    CROSS JOIN (
        SELECT
            0 AS in_ideal
        UNION ALL
        SELECT
            1 AS in_ideal
    ) AS _k
) AS _p
)
{%- endmacro %}

{% macro bigquery__ranked_and_ideal(judged, gain) -%}
(
SELECT
    _p.*,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 0 AND _p.place IS NOT NULL THEN _p.own_gain ELSE 0e0 END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY CASE WHEN _p.place IS NULL THEN 1 ELSE 0 END ASC, _p.place ASC RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS cg,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 1 THEN _p.own_gain ELSE 0e0 END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY CASE WHEN _p.place IS NULL THEN 1 ELSE 0 END ASC, _p.place ASC RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS ideal_cg,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 0 AND _p.place IS NOT NULL THEN _p.own_gain / " ~ sqlmetrics.rank_discount("_p.place", 'log', 2) ~ " ELSE 0e0 END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY CASE WHEN _p.place IS NULL THEN 1 ELSE 0 END ASC, _p.place ASC RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS dcg,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 1 THEN _p.own_gain / " ~ sqlmetrics.rank_discount("_p.place", 'log', 2) ~ " ELSE 0e0 END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY CASE WHEN _p.place IS NULL THEN 1 ELSE 0 END ASC, _p.place ASC RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS ideal_dcg,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("CASE WHEN _p.in_ideal = 1 AND _p.own_gain > 1 THEN _p.own_gain - 1e0 ELSE 0e0 END", "_p.highest") ~ ") OVER ( PARTITION BY _p.run_id, _p.query_id ORDER BY CASE WHEN _p.place IS NULL THEN 1 ELSE 0 END ASC, _p.place ASC RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "_p.highest") }} AS ideal_surplus
FROM (
    SELECT
        _j.*,
        {{ sqlmetrics.graded_gain("_j.grade", gain) }} AS own_gain,
        max({{ sqlmetrics.graded_gain("_j.grade", gain) }}) OVER (PARTITION BY _j.run_id, _j.query_id) AS highest,
        _k.in_ideal,
        CASE WHEN _k.in_ideal = 1 THEN _j.ideal_rank ELSE _j.rank END AS place
    FROM {{ judged }} AS _j
    CROSS JOIN (
        SELECT
            0 AS in_ideal
        UNION ALL
        SELECT
            1 AS in_ideal
    ) AS _k
) AS _p
)
{%- endmacro %}

{% macro redshift__ranked_and_ideal(judged, gain) -%}
{{ exceptions.raise_compiler_error("ranked_and_ideal cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
