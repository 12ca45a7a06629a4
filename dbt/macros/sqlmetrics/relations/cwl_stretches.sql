{#- The ranking as a reader meets it: each row is a judged document and the ranks without judgment that follow it; the first has no document. -#}
{% macro cwl_stretches(judged, k=1000, min_rel=0, max_rel=none, unjudged=0) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('min_rel', min_rel, {"must": "a number", "from": -1.7976931348623157e+308, "to": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('max_rel', max_rel, {"must": "a number, or none", "none": true, "from": -1.7976931348623157e+308, "to": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('unjudged', unjudged, {"must": "a number from 0 to 1", "from": 0, "to": 1}) %}
{{- return(adapter.dispatch('cwl_stretches', 'sqlmetrics')(judged, k, min_rel, max_rel, unjudged)) -}}
{% endmacro %}

{% macro default__cwl_stretches(judged, k, min_rel, max_rel, unjudged) -%}
(
SELECT
    _s.run_id,
    _s.query_id,
    _s.has_results,
    _s.opening,
    _s.rank,
    {% if k is none %}(lead(_s.rank) OVER (
    PARTITION BY _s.run_id, _s.query_id
    ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST
) - 1){% else %}coalesce(lead(_s.rank) OVER (
    PARTITION BY _s.run_id, _s.query_id
    ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST
) - 1, {{ sqlmetrics.literal(k) }}){% endif %} AS until,
    _s.points / coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS gain,
    coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("_s.points", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") }}, 0e0) / coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS gained_above,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("_s.points", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") }} / coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS gained,
    CASE
        WHEN max(_s.points) OVER (
            PARTITION BY _s.run_id, _s.query_id
            ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) = coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1)
        THEN 0e0
        ELSE exp(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(nullif(1e0 - _s.points / coalesce(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ", 1), 0e0))") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )") }}, 0e0))
    END AS unsatisfied,
    CASE
        WHEN max(_s.points) OVER (PARTITION BY _s.run_id, _s.query_id) = coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1)
        THEN 0e0
        ELSE exp(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(nullif(1e0 - _s.points / coalesce(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ", 1), 0e0))") ~ ") OVER (PARTITION BY _s.run_id, _s.query_id)") }}, 0e0))
    END AS never_satisfied
FROM {% if unjudged is not none and unjudged > 0 %}(
SELECT
    _q.run_id,
    _q.query_id,
    _q.has_results,
    1 AS opening,
    1 AS rank,
    0e0 AS points
FROM {{ judged }} AS _q
WHERE
    _q.ideal_rank = 1
UNION ALL
SELECT
    _j.run_id,
    _j.query_id,
    _j.has_results,
    0 AS opening,
    _j.rank,
    {% if max_rel is none %}(1e0 * _j.relevant){% else %}{{ sqlmetrics.scaled_grade("_j.grade", min_rel, max_rel) }}{% endif %} AS points
FROM {{ judged }} AS _j
WHERE
    _j.rank <= {{ sqlmetrics.literal(k) }} AND _j.relevance >= 0
UNION ALL
SELECT
    _u.run_id,
    _u.query_id,
    _u.has_results,
    0 AS opening,
    _r.rank,
    1e0 * {{ sqlmetrics.literal(unjudged) }} * coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS points
FROM {{ judged }} AS _u
CROSS JOIN {{ sqlmetrics.ranks_to(k) }} AS _r
LEFT JOIN {{ judged }} AS _d
    ON _u.run_id = _d.run_id
    AND _u.query_id = _d.query_id
    AND _r.rank = _d.rank
    AND _d.relevance >= 0
WHERE
    {{ sqlmetrics.literal(unjudged) }} > 0 AND _u.ideal_rank = 1 AND _d.doc_id IS NULL
){% else %}(
SELECT
    _q.run_id,
    _q.query_id,
    _q.has_results,
    1 AS opening,
    1 AS rank,
    0e0 AS points
FROM {{ judged }} AS _q
WHERE
    _q.ideal_rank = 1
UNION ALL
SELECT
    _j.run_id,
    _j.query_id,
    _j.has_results,
    0 AS opening,
    _j.rank,
    {% if max_rel is none %}(1e0 * _j.relevant){% else %}{{ sqlmetrics.scaled_grade("_j.grade", min_rel, max_rel) }}{% endif %} AS points
FROM {{ judged }} AS _j
WHERE
    _j.rank <= {{ sqlmetrics.literal(k) }} AND _j.relevance >= 0
){% endif %} AS _s
)
{%- endmacro %}

{% macro postgres__cwl_stretches(judged, k, min_rel, max_rel, unjudged) -%}
(
SELECT
    _s.run_id,
    _s.query_id,
    _s.has_results,
    _s.opening,
    _s.rank,
    {% if k is none %}(lead(_s.rank) OVER (
    PARTITION BY _s.run_id, _s.query_id
    ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST
) - 1){% else %}coalesce(lead(_s.rank) OVER (
    PARTITION BY _s.run_id, _s.query_id
    ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST
) - 1, {{ sqlmetrics.literal(k) }}){% endif %} AS until,
    _s.points / coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS gain,
    coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("_s.points", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") }}, 0e0::float8) / coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS gained_above,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("_s.points", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") }} / coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS gained,
    CASE
        WHEN max(_s.points) OVER (
            PARTITION BY _s.run_id, _s.query_id
            ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) = coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1)
        THEN 0e0::float8
        ELSE exp(least(greatest(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln( nullif(1e0::float8 - _s.points / coalesce(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ", 1), 0e0::float8) )") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )") }}, 0e0::float8), -700), 700))
    END AS unsatisfied,
    CASE
        WHEN max(_s.points) OVER (PARTITION BY _s.run_id, _s.query_id) = coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1)
        THEN 0e0::float8
        ELSE exp(least(greatest(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln( nullif(1e0::float8 - _s.points / coalesce(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ", 1), 0e0::float8) )") ~ ") OVER (PARTITION BY _s.run_id, _s.query_id)") }}, 0e0::float8), -700), 700))
    END AS never_satisfied
FROM {% if unjudged is not none and unjudged > 0 %}(
SELECT
    _q.run_id,
    _q.query_id,
    _q.has_results,
    1 AS opening,
    1 AS rank,
    0e0::float8 AS points
FROM {{ judged }} AS _q
WHERE
    _q.ideal_rank = 1
UNION ALL
SELECT
    _j.run_id,
    _j.query_id,
    _j.has_results,
    0 AS opening,
    _j.rank,
    {% if max_rel is none %}(1e0::float8 * _j.relevant){% else %}{{ sqlmetrics.scaled_grade("_j.grade", min_rel, max_rel) }}{% endif %} AS points
FROM {{ judged }} AS _j
WHERE
    _j.rank <= {{ sqlmetrics.literal(k) }} AND _j.relevance >= 0
UNION ALL
SELECT
    _u.run_id,
    _u.query_id,
    _u.has_results,
    0 AS opening,
    _r.rank,
    1e0::float8 * {{ sqlmetrics.literal(unjudged) }} * coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS points
FROM {{ judged }} AS _u
CROSS JOIN {{ sqlmetrics.ranks_to(k) }} AS _r
LEFT JOIN {{ judged }} AS _d
    ON _u.run_id = _d.run_id
    AND _u.query_id = _d.query_id
    AND _r.rank = _d.rank
    AND _d.relevance >= 0
WHERE
    {{ sqlmetrics.literal(unjudged) }} > 0 AND _u.ideal_rank = 1 AND _d.doc_id IS NULL
){% else %}(
SELECT
    _q.run_id,
    _q.query_id,
    _q.has_results,
    1 AS opening,
    1 AS rank,
    0e0::float8 AS points
FROM {{ judged }} AS _q
WHERE
    _q.ideal_rank = 1
UNION ALL
SELECT
    _j.run_id,
    _j.query_id,
    _j.has_results,
    0 AS opening,
    _j.rank,
    {% if max_rel is none %}(1e0::float8 * _j.relevant){% else %}{{ sqlmetrics.scaled_grade("_j.grade", min_rel, max_rel) }}{% endif %} AS points
FROM {{ judged }} AS _j
WHERE
    _j.rank <= {{ sqlmetrics.literal(k) }} AND _j.relevance >= 0
){% endif %} AS _s
)
{%- endmacro %}

{% macro clickhouse__cwl_stretches(judged, k, min_rel, max_rel, unjudged) -%}
{{ exceptions.raise_compiler_error("cwl_stretches cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__cwl_stretches(judged, k, min_rel, max_rel, unjudged) -%}
(
SELECT
    _s.run_id,
    _s.query_id,
    _s.has_results,
    _s.opening,
    _s.rank,
    {% if k is none %}(lead(_s.rank) OVER (
    PARTITION BY _s.run_id, _s.query_id
    ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST
) - 1){% else %}coalesce(lead(_s.rank) OVER (
    PARTITION BY _s.run_id, _s.query_id
    ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST
) - 1, {{ sqlmetrics.literal(k) }}){% endif %} AS until,
    _s.points / coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS gain,
    coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("_s.points", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") }}, 0e0::FLOAT) / coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS gained_above,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("_s.points", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") }} / coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS gained,
    CASE
        WHEN max(_s.points) OVER (
            PARTITION BY _s.run_id, _s.query_id
            ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) = coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1)
        THEN 0e0::FLOAT
        ELSE exp(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln( nullif(1e0::FLOAT - _s.points / coalesce(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ", 1), 0e0::FLOAT) )") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )") }}, 0e0::FLOAT))
    END AS unsatisfied,
    CASE
        WHEN max(_s.points) OVER (PARTITION BY _s.run_id, _s.query_id) = coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1)
        THEN 0e0::FLOAT
        ELSE exp(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln( nullif(1e0::FLOAT - _s.points / coalesce(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ", 1), 0e0::FLOAT) )") ~ ") OVER (PARTITION BY _s.run_id, _s.query_id)") }}, 0e0::FLOAT))
    END AS never_satisfied
FROM {% if unjudged is not none and unjudged > 0 %}(
SELECT
    _q.run_id,
    _q.query_id,
    _q.has_results,
    1 AS opening,
    1 AS rank,
    0e0::FLOAT AS points
FROM {{ judged }} AS _q
WHERE
    _q.ideal_rank = 1
UNION ALL
SELECT
    _j.run_id,
    _j.query_id,
    _j.has_results,
    0 AS opening,
    _j.rank,
    {% if max_rel is none %}(1e0::FLOAT * _j.relevant){% else %}{{ sqlmetrics.scaled_grade("_j.grade", min_rel, max_rel) }}{% endif %} AS points
FROM {{ judged }} AS _j
WHERE
    _j.rank <= {{ sqlmetrics.literal(k) }} AND _j.relevance >= 0
UNION ALL
SELECT
    _u.run_id,
    _u.query_id,
    _u.has_results,
    0 AS opening,
    _r.rank,
    1e0::FLOAT * {{ sqlmetrics.literal(unjudged) }} * coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS points
FROM {{ judged }} AS _u
CROSS JOIN {{ sqlmetrics.ranks_to(k) }} AS _r
LEFT JOIN {{ judged }} AS _d
    ON _u.run_id = _d.run_id
    AND _u.query_id = _d.query_id
    AND _r.rank = _d.rank
    AND _d.relevance >= 0
WHERE
    {{ sqlmetrics.literal(unjudged) }} > 0 AND _u.ideal_rank = 1 AND _d.doc_id IS NULL
){% else %}(
SELECT
    _q.run_id,
    _q.query_id,
    _q.has_results,
    1 AS opening,
    1 AS rank,
    0e0::FLOAT AS points
FROM {{ judged }} AS _q
WHERE
    _q.ideal_rank = 1
UNION ALL
SELECT
    _j.run_id,
    _j.query_id,
    _j.has_results,
    0 AS opening,
    _j.rank,
    {% if max_rel is none %}(1e0::FLOAT * _j.relevant){% else %}{{ sqlmetrics.scaled_grade("_j.grade", min_rel, max_rel) }}{% endif %} AS points
FROM {{ judged }} AS _j
WHERE
    _j.rank <= {{ sqlmetrics.literal(k) }} AND _j.relevance >= 0
){% endif %} AS _s
)
{%- endmacro %}

{% macro bigquery__cwl_stretches(judged, k, min_rel, max_rel, unjudged) -%}
(
SELECT
    _s.run_id,
    _s.query_id,
    _s.has_results,
    _s.opening,
    _s.rank,
    {% if k is none %}(lead(_s.rank) OVER (
    PARTITION BY _s.run_id, _s.query_id
    ORDER BY CASE WHEN _s.rank IS NULL THEN 1 ELSE 0 END ASC, _s.rank ASC, _s.opening DESC
) - 1){% else %}coalesce(lead(_s.rank) OVER (
    PARTITION BY _s.run_id, _s.query_id
    ORDER BY CASE WHEN _s.rank IS NULL THEN 1 ELSE 0 END ASC, _s.rank ASC, _s.opening DESC
) - 1, {{ sqlmetrics.literal(k) }}){% endif %} AS until,
    _s.points / coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS gain,
    coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("_s.points", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY CASE WHEN _s.rank IS NULL THEN 1 ELSE 0 END ASC, _s.rank ASC, _s.opening DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") }}, 0e0) / coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS gained_above,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("_s.points", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY CASE WHEN _s.rank IS NULL THEN 1 ELSE 0 END ASC, _s.rank ASC, _s.opening DESC ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") }} / coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS gained,
    CASE
        WHEN max(_s.points) OVER (
            PARTITION BY _s.run_id, _s.query_id
            ORDER BY CASE WHEN _s.rank IS NULL THEN 1 ELSE 0 END ASC, _s.rank ASC, _s.opening DESC
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ) = coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1)
        THEN 0e0
        ELSE exp(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(nullif(1e0 - _s.points / coalesce(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ", 1), 0e0))") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY CASE WHEN _s.rank IS NULL THEN 1 ELSE 0 END ASC, _s.rank ASC, _s.opening DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )") }}, 0e0))
    END AS unsatisfied,
    CASE
        WHEN max(_s.points) OVER (PARTITION BY _s.run_id, _s.query_id) = coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1)
        THEN 0e0
        ELSE exp(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(nullif(1e0 - _s.points / coalesce(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ", 1), 0e0))") ~ ") OVER (PARTITION BY _s.run_id, _s.query_id)") }}, 0e0))
    END AS never_satisfied
FROM {% if unjudged is not none and unjudged > 0 %}(
SELECT
    _q.run_id,
    _q.query_id,
    _q.has_results,
    1 AS opening,
    1 AS rank,
    0e0 AS points
FROM {{ judged }} AS _q
WHERE
    _q.ideal_rank = 1
UNION ALL
SELECT
    _j.run_id,
    _j.query_id,
    _j.has_results,
    0 AS opening,
    _j.rank,
    {% if max_rel is none %}(1e0 * _j.relevant){% else %}{{ sqlmetrics.scaled_grade("_j.grade", min_rel, max_rel) }}{% endif %} AS points
FROM {{ judged }} AS _j
WHERE
    _j.rank <= {{ sqlmetrics.literal(k) }} AND _j.relevance >= 0
UNION ALL
SELECT
    _u.run_id,
    _u.query_id,
    _u.has_results,
    0 AS opening,
    _r.rank,
    1e0 * {{ sqlmetrics.literal(unjudged) }} * coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS points
FROM {{ judged }} AS _u
CROSS JOIN {{ sqlmetrics.ranks_to(k) }} AS _r
LEFT JOIN {{ judged }} AS _d
    ON _u.run_id = _d.run_id
    AND _u.query_id = _d.query_id
    AND _r.rank = _d.rank
    AND _d.relevance >= 0
WHERE
    {{ sqlmetrics.literal(unjudged) }} > 0 AND _u.ideal_rank = 1 AND _d.doc_id IS NULL
){% else %}(
SELECT
    _q.run_id,
    _q.query_id,
    _q.has_results,
    1 AS opening,
    1 AS rank,
    0e0 AS points
FROM {{ judged }} AS _q
WHERE
    _q.ideal_rank = 1
UNION ALL
SELECT
    _j.run_id,
    _j.query_id,
    _j.has_results,
    0 AS opening,
    _j.rank,
    {% if max_rel is none %}(1e0 * _j.relevant){% else %}{{ sqlmetrics.scaled_grade("_j.grade", min_rel, max_rel) }}{% endif %} AS points
FROM {{ judged }} AS _j
WHERE
    _j.rank <= {{ sqlmetrics.literal(k) }} AND _j.relevance >= 0
){% endif %} AS _s
)
{%- endmacro %}

{% macro redshift__cwl_stretches(judged, k, min_rel, max_rel, unjudged) -%}
{{ exceptions.raise_compiler_error("cwl_stretches cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
