{#- Judged documents under a user who reads from the top and stops at a document that satisfies. -#}
{% macro cascade(judged, max_rel=4, gain='exponential') %}
{% do sqlmetrics.require('max_rel', max_rel, {"must": "a number above 0, or none", "none": true, "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('gain', gain, {"must": "one of exponential, linear", "words": ["exponential", "linear"]}) %}
{{- return(adapter.dispatch('cascade', 'sqlmetrics')(judged, max_rel, gain)) -}}
{% endmacro %}

{% macro default__cascade(judged, max_rel, gain) -%}
(
SELECT
    _s.*,
    exp(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(1e0 - _s.stop)") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY _s.rank ASC NULLS LAST, _s.doc_id DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )") }}, 0e0)) AS reach,
    exp(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(1e0 - _s.stop)") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY _s.ideal_rank ASC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )") }}, 0e0)) AS ideal_reach
FROM (
    SELECT
        _g.*,
        {{ sqlmetrics.graded_gain("_g.scaled", gain) }} / ({{ sqlmetrics.graded_gain("_g.highest", gain) }} + 1e0) AS stop
    FROM (
        SELECT
            _h.*,
            {{ sqlmetrics.within_scale("_h.grade", "_h.highest") }} AS scaled
        FROM (
            SELECT
                _j.*,
                {% if max_rel is none %}max(_j.grade) OVER (PARTITION BY _j.run_id, _j.query_id){% else %}{{ sqlmetrics.literal(max_rel) }}{% endif %} AS highest
            FROM {{ judged }} AS _j
        ) AS _h
    ) AS _g
) AS _s
)
{%- endmacro %}

{% macro postgres__cascade(judged, max_rel, gain) -%}
(
SELECT
    _s.*,
    exp(least(greatest(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(1e0::float8 - _s.stop)") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY _s.rank ASC NULLS LAST, _s.doc_id DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )") }}, 0e0::float8), -700), 700)) AS reach,
    exp(least(greatest(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(1e0::float8 - _s.stop)") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY _s.ideal_rank ASC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )") }}, 0e0::float8), -700), 700)) AS ideal_reach
FROM (
    SELECT
        _g.*,
        {{ sqlmetrics.graded_gain("_g.scaled", gain) }} / ({{ sqlmetrics.graded_gain("_g.highest", gain) }} + 1e0::float8) AS stop
    FROM (
        SELECT
            _h.*,
            {{ sqlmetrics.within_scale("_h.grade", "_h.highest") }} AS scaled
        FROM (
            SELECT
                _j.*,
                {% if max_rel is none %}max(_j.grade) OVER (PARTITION BY _j.run_id, _j.query_id){% else %}{{ sqlmetrics.literal(max_rel) }}{% endif %} AS highest
            FROM {{ judged }} AS _j
        ) AS _h
    ) AS _g
) AS _s
)
{%- endmacro %}

{% macro clickhouse__cascade(judged, max_rel, gain) -%}
{{ exceptions.raise_compiler_error("cascade cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__cascade(judged, max_rel, gain) -%}
(
SELECT
    _s.*,
    exp(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(1e0::FLOAT - _s.stop)") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY _s.rank ASC NULLS LAST, _s.doc_id DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )") }}, 0e0::FLOAT)) AS reach,
    exp(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(1e0::FLOAT - _s.stop)") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY _s.ideal_rank ASC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )") }}, 0e0::FLOAT)) AS ideal_reach
FROM (
    SELECT
        _g.*,
        {{ sqlmetrics.graded_gain("_g.scaled", gain) }} / ({{ sqlmetrics.graded_gain("_g.highest", gain) }} + 1e0::FLOAT) AS stop
    FROM (
        SELECT
            _h.*,
            {{ sqlmetrics.within_scale("_h.grade", "_h.highest") }} AS scaled
        FROM (
            SELECT
                _j.*,
                {% if max_rel is none %}max(_j.grade) OVER (PARTITION BY _j.run_id, _j.query_id){% else %}{{ sqlmetrics.literal(max_rel) }}{% endif %} AS highest
            FROM {{ judged }} AS _j
        ) AS _h
    ) AS _g
) AS _s
)
{%- endmacro %}

{% macro bigquery__cascade(judged, max_rel, gain) -%}
(
SELECT
    _s.*,
    exp(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(1e0 - _s.stop)") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY CASE WHEN _s.rank IS NULL THEN 1 ELSE 0 END ASC, _s.rank ASC, _s.doc_id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )") }}, 0e0)) AS reach,
    exp(coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(1e0 - _s.stop)") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY CASE WHEN _s.ideal_rank IS NULL THEN 1 ELSE 0 END ASC, _s.ideal_rank ASC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )") }}, 0e0)) AS ideal_reach
FROM (
    SELECT
        _g.*,
        {{ sqlmetrics.graded_gain("_g.scaled", gain) }} / ({{ sqlmetrics.graded_gain("_g.highest", gain) }} + 1e0) AS stop
    FROM (
        SELECT
            _h.*,
            {{ sqlmetrics.within_scale("_h.grade", "_h.highest") }} AS scaled
        FROM (
            SELECT
                _j.*,
                {% if max_rel is none %}max(_j.grade) OVER (PARTITION BY _j.run_id, _j.query_id){% else %}{{ sqlmetrics.literal(max_rel) }}{% endif %} AS highest
            FROM {{ judged }} AS _j
        ) AS _h
    ) AS _g
) AS _s
)
{%- endmacro %}

{% macro redshift__cascade(judged, max_rel, gain) -%}
{{ exceptions.raise_compiler_error("cascade cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
