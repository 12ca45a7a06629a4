{#- The preferences of preferences with those of several subtopics over the same two documents as parts of one. -#}
{% macro preference_pairs(preferences, pairs='judged') %}
{% do sqlmetrics.require('pairs', pairs, {"must": "one of judged, either, both", "words": ["judged", "either", "both"]}) %}
{{- return(adapter.dispatch('preference_pairs', 'sqlmetrics')(preferences, pairs)) -}}
{% endmacro %}

{% macro default__preference_pairs(preferences, pairs) -%}
(
WITH _repeated AS (
    /* only documents of several subtopics can be in the same pair twice */
    SELECT
        *
    FROM (
        SELECT
            _p.*,
            dense_rank() OVER (PARTITION BY _p.run_id, _p.query_id ORDER BY _p.doc_id ASC NULLS LAST) AS doc_number,
            count(*) OVER (PARTITION BY _p.run_id, _p.query_id, _p.doc_id) AS num_subtopics
        FROM {{ preferences }} AS _p
        WHERE
            _p.relevance >= 0
    ) AS _n
    WHERE
        _n.num_subtopics > 1
)
SELECT
    _f.run_id,
    _f.query_id,
    _f.has_results,
    1e0 * _f.possible AS pair_possible,
    1e0 * _f.fulfilled AS pair_fulfilled
FROM {{ preferences }} AS _f
UNION ALL
SELECT
    _t.run_id,
    _t.query_id,
    _t.has_results,
    {{ sqlmetrics.total("(_t.possible * (1e0 / _t.preferences - 1e0))") }} AS pair_possible,
    {{ sqlmetrics.total("(_t.fulfilled * (1e0 / _t.preferences - 1e0))") }} AS pair_fulfilled
FROM (
    SELECT
        _a.run_id,
        _a.query_id,
        _a.has_results,
        CASE WHEN _a.doc_number < _b.doc_number THEN _a.doc_number ELSE _b.doc_number END AS doc_number,
        CASE WHEN _a.doc_number > _b.doc_number THEN _a.doc_number ELSE _b.doc_number END AS other_number,
        count(*) AS preferences,
        sum({{ sqlmetrics.counted_preferences(pairs, "_a.rank", "1", "CASE WHEN _b.rank IS NOT NULL THEN 1 ELSE 0 END") }}) AS possible,
        sum({{ sqlmetrics.fulfilled_preferences(pairs, "_a.rank", "1", "CASE WHEN _b.rank IS NOT NULL THEN 1 ELSE 0 END", "CASE WHEN _b.rank > _a.rank THEN 1 ELSE 0 END") }}) AS fulfilled
    FROM _repeated AS _a
    INNER JOIN _repeated AS _b
        ON _a.run_id = _b.run_id
        AND _a.query_id = _b.query_id
        AND _a.subtopic = _b.subtopic
        AND _a.relevance > _b.relevance
    GROUP BY
        _a.run_id,
        _a.query_id,
        _a.has_results,
        CASE WHEN _a.doc_number < _b.doc_number THEN _a.doc_number ELSE _b.doc_number END,
        CASE WHEN _a.doc_number > _b.doc_number THEN _a.doc_number ELSE _b.doc_number END
) AS _t
GROUP BY
    _t.run_id,
    _t.query_id,
    _t.has_results
)
{%- endmacro %}

{% macro postgres__preference_pairs(preferences, pairs) -%}
(
WITH _repeated AS (
    /* only documents of several subtopics can be in the same pair twice */
    SELECT
        *
    FROM (
        SELECT
            _p.*,
            dense_rank() OVER (PARTITION BY _p.run_id, _p.query_id ORDER BY _p.doc_id ASC NULLS LAST) AS doc_number,
            count(*) OVER (PARTITION BY _p.run_id, _p.query_id, _p.doc_id) AS num_subtopics
        FROM {{ preferences }} AS _p
        WHERE
            _p.relevance >= 0
    ) AS _n
    WHERE
        _n.num_subtopics > 1
)
SELECT
    _f.run_id,
    _f.query_id,
    _f.has_results,
    1e0::float8 * _f.possible AS pair_possible,
    1e0::float8 * _f.fulfilled AS pair_fulfilled
FROM {{ preferences }} AS _f
UNION ALL
SELECT
    _t.run_id,
    _t.query_id,
    _t.has_results,
    {{ sqlmetrics.total("(_t.possible * (1e0::float8 / _t.preferences - 1e0::float8))") }} AS pair_possible,
    {{ sqlmetrics.total("(_t.fulfilled * (1e0::float8 / _t.preferences - 1e0::float8))") }} AS pair_fulfilled
FROM (
    SELECT
        _a.run_id,
        _a.query_id,
        _a.has_results,
        CASE WHEN _a.doc_number < _b.doc_number THEN _a.doc_number ELSE _b.doc_number END AS doc_number,
        CASE WHEN _a.doc_number > _b.doc_number THEN _a.doc_number ELSE _b.doc_number END AS other_number,
        count(*) AS preferences,
        sum({{ sqlmetrics.counted_preferences(pairs, "_a.rank", "1", "CASE WHEN _b.rank IS NOT NULL THEN 1 ELSE 0 END") }}) AS possible,
        sum({{ sqlmetrics.fulfilled_preferences(pairs, "_a.rank", "1", "CASE WHEN _b.rank IS NOT NULL THEN 1 ELSE 0 END", "CASE WHEN _b.rank > _a.rank THEN 1 ELSE 0 END") }}) AS fulfilled
    FROM _repeated AS _a
    INNER JOIN _repeated AS _b
        ON _a.run_id = _b.run_id
        AND _a.query_id = _b.query_id
        AND _a.subtopic = _b.subtopic
        AND _a.relevance > _b.relevance
    GROUP BY
        _a.run_id,
        _a.query_id,
        _a.has_results,
        CASE WHEN _a.doc_number < _b.doc_number THEN _a.doc_number ELSE _b.doc_number END,
        CASE WHEN _a.doc_number > _b.doc_number THEN _a.doc_number ELSE _b.doc_number END
) AS _t
GROUP BY
    _t.run_id,
    _t.query_id,
    _t.has_results
)
{%- endmacro %}

{% macro clickhouse__preference_pairs(preferences, pairs) -%}
{{ exceptions.raise_compiler_error("preference_pairs cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__preference_pairs(preferences, pairs) -%}
(
WITH _repeated AS (
    /* only documents of several subtopics can be in the same pair twice */
    SELECT
        *
    FROM (
        SELECT
            _p.*,
            dense_rank() OVER (PARTITION BY _p.run_id, _p.query_id ORDER BY _p.doc_id ASC NULLS LAST) AS doc_number,
            count(*) OVER (PARTITION BY _p.run_id, _p.query_id, _p.doc_id) AS num_subtopics
        FROM {{ preferences }} AS _p
        WHERE
            _p.relevance >= 0
    ) AS _n
    WHERE
        _n.num_subtopics > 1
)
SELECT
    _f.run_id,
    _f.query_id,
    _f.has_results,
    1e0::FLOAT * _f.possible AS pair_possible,
    1e0::FLOAT * _f.fulfilled AS pair_fulfilled
FROM {{ preferences }} AS _f
UNION ALL
SELECT
    _t.run_id,
    _t.query_id,
    _t.has_results,
    {{ sqlmetrics.total("(_t.possible * (1e0::FLOAT / _t.preferences - 1e0::FLOAT))") }} AS pair_possible,
    {{ sqlmetrics.total("(_t.fulfilled * (1e0::FLOAT / _t.preferences - 1e0::FLOAT))") }} AS pair_fulfilled
FROM (
    SELECT
        _a.run_id,
        _a.query_id,
        _a.has_results,
        CASE WHEN _a.doc_number < _b.doc_number THEN _a.doc_number ELSE _b.doc_number END AS doc_number,
        CASE WHEN _a.doc_number > _b.doc_number THEN _a.doc_number ELSE _b.doc_number END AS other_number,
        count(*) AS preferences,
        sum({{ sqlmetrics.counted_preferences(pairs, "_a.rank", "1", "CASE WHEN _b.rank IS NOT NULL THEN 1 ELSE 0 END") }}) AS possible,
        sum({{ sqlmetrics.fulfilled_preferences(pairs, "_a.rank", "1", "CASE WHEN _b.rank IS NOT NULL THEN 1 ELSE 0 END", "CASE WHEN _b.rank > _a.rank THEN 1 ELSE 0 END") }}) AS fulfilled
    FROM _repeated AS _a
    INNER JOIN _repeated AS _b
        ON _a.run_id = _b.run_id
        AND _a.query_id = _b.query_id
        AND _a.subtopic = _b.subtopic
        AND _a.relevance > _b.relevance
    GROUP BY
        _a.run_id,
        _a.query_id,
        _a.has_results,
        CASE WHEN _a.doc_number < _b.doc_number THEN _a.doc_number ELSE _b.doc_number END,
        CASE WHEN _a.doc_number > _b.doc_number THEN _a.doc_number ELSE _b.doc_number END
) AS _t
GROUP BY
    _t.run_id,
    _t.query_id,
    _t.has_results
)
{%- endmacro %}

{% macro bigquery__preference_pairs(preferences, pairs) -%}
(
WITH _repeated AS (
    /* only documents of several subtopics can be in the same pair twice */
    SELECT
        *
    FROM (
        SELECT
            _p.*,
            dense_rank() OVER (
                PARTITION BY _p.run_id, _p.query_id
                ORDER BY CASE WHEN _p.doc_id IS NULL THEN 1 ELSE 0 END ASC, _p.doc_id ASC
            ) AS doc_number,
            count(*) OVER (PARTITION BY _p.run_id, _p.query_id, _p.doc_id) AS num_subtopics
        FROM {{ preferences }} AS _p
        WHERE
            _p.relevance >= 0
    ) AS _n
    WHERE
        _n.num_subtopics > 1
)
SELECT
    _f.run_id,
    _f.query_id,
    _f.has_results,
    1e0 * _f.possible AS pair_possible,
    1e0 * _f.fulfilled AS pair_fulfilled
FROM {{ preferences }} AS _f
UNION ALL
SELECT
    _t.run_id,
    _t.query_id,
    _t.has_results,
    {{ sqlmetrics.total("(_t.possible * (1e0 / _t.preferences - 1e0))") }} AS pair_possible,
    {{ sqlmetrics.total("(_t.fulfilled * (1e0 / _t.preferences - 1e0))") }} AS pair_fulfilled
FROM (
    SELECT
        _a.run_id,
        _a.query_id,
        _a.has_results,
        CASE WHEN _a.doc_number < _b.doc_number THEN _a.doc_number ELSE _b.doc_number END AS doc_number,
        CASE WHEN _a.doc_number > _b.doc_number THEN _a.doc_number ELSE _b.doc_number END AS other_number,
        count(*) AS preferences,
        sum({{ sqlmetrics.counted_preferences(pairs, "_a.rank", "1", "CASE WHEN _b.rank IS NOT NULL THEN 1 ELSE 0 END") }}) AS possible,
        sum({{ sqlmetrics.fulfilled_preferences(pairs, "_a.rank", "1", "CASE WHEN _b.rank IS NOT NULL THEN 1 ELSE 0 END", "CASE WHEN _b.rank > _a.rank THEN 1 ELSE 0 END") }}) AS fulfilled
    FROM _repeated AS _a
    INNER JOIN _repeated AS _b
        ON _a.run_id = _b.run_id
        AND _a.query_id = _b.query_id
        AND _a.subtopic = _b.subtopic
        AND _a.relevance > _b.relevance
    GROUP BY
        _a.run_id,
        _a.query_id,
        _a.has_results,
        CASE WHEN _a.doc_number < _b.doc_number THEN _a.doc_number ELSE _b.doc_number END,
        CASE WHEN _a.doc_number > _b.doc_number THEN _a.doc_number ELSE _b.doc_number END
) AS _t
GROUP BY
    _t.run_id,
    _t.query_id,
    _t.has_results
)
{%- endmacro %}

{% macro redshift__preference_pairs(preferences, pairs) -%}
{{ exceptions.raise_compiler_error("preference_pairs cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
