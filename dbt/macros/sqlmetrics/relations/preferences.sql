{#- Judgments with the preferences that a document has over those of its subtopic with a lower relevance. -#}
{% macro preferences(subtopics, pairs='judged') %}
{% do sqlmetrics.require('pairs', pairs, {"must": "one of judged, either, both", "words": ["judged", "either", "both"]}) %}
{{- return(adapter.dispatch('preferences', 'sqlmetrics')(subtopics, pairs)) -}}
{% endmacro %}

{% macro default__preferences(subtopics, pairs) -%}
(
SELECT
    _f.*,
    sum(_f.possible) OVER (PARTITION BY _f.run_id, _f.query_id, _f.subtopic) AS group_possible,
    CASE
        WHEN _f.relevance >= 0
        THEN row_number() OVER (
            PARTITION BY _f.run_id, _f.query_id, _f.subtopic
            ORDER BY _f.relevance DESC NULLS LAST, _f.doc_id DESC NULLS LAST
        )
    END AS group_place
FROM (
    SELECT
        _c.*,
        {{ sqlmetrics.counted_preferences(pairs, "_c.rank", "_c.lower", "_c.lower_ret") }} AS possible,
        {{ sqlmetrics.fulfilled_preferences(pairs, "_c.rank", "_c.lower", "_c.lower_ret", "_c.lower_after") }} AS fulfilled
    FROM (
        SELECT
            _g.run_id,
            _g.query_id,
            _g.subtopic,
            _g.doc_id,
            _g.relevance,
            _g.rank,
            _g.has_results,
            sum(CASE WHEN _g.digit = 1 THEN _g.zeros ELSE 0 END) AS lower,
            sum(CASE WHEN _g.digit = 1 THEN _g.zeros_ret ELSE 0 END) AS lower_ret,
            sum(CASE WHEN _g.digit = 1 AND _g.rank IS NOT NULL THEN _g.zeros_after ELSE 0 END) AS lower_after
        FROM (
            /* of two levels in binary digits, the higher has a 1 where they first differ, and the lower a 0 */
            SELECT
                _d.*,
                count(CASE WHEN _d.digit = 0 THEN 1 END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                ) AS zeros,
                count(CASE WHEN _d.digit = 0 THEN _d.rank END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                ) AS zeros_ret,
                count(CASE WHEN _d.digit = 0 THEN _d.rank END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                    ORDER BY _d.rank DESC NULLS LAST, _d.doc_id DESC NULLS LAST
                    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
                ) AS zeros_after
            FROM (
                SELECT
                    _l.*,
                    _v.place_value,
                    _l.level - _l.level % (2 * _v.place_value) AS digits_before,
                    CASE
                        WHEN _l.relevance < 0
                        THEN NULL
                        WHEN _l.level % (2 * _v.place_value) >= _v.place_value
                        THEN 1
                        ELSE 0
                    END AS digit
                FROM (
                    SELECT
                        _s.*,
                        dense_rank() OVER (
                            PARTITION BY _s.run_id, _s.query_id, _s.subtopic, _s.relevance >= 0
                            ORDER BY _s.relevance ASC NULLS LAST
                        ) - 1 AS level,
                        dense_rank() OVER (
                            PARTITION BY _s.run_id, _s.query_id, _s.subtopic, _s.relevance >= 0
                            ORDER BY _s.relevance DESC NULLS LAST
                        ) - 1 AS levels_above
                    FROM {{ subtopics }} AS _s
                ) AS _l
                INNER JOIN (
                    SELECT
                        1 AS place_value
                    UNION ALL
                    SELECT
                        2 AS place_value
                    UNION ALL
                    SELECT
                        4 AS place_value
                    UNION ALL
                    SELECT
                        8 AS place_value
                    UNION ALL
                    SELECT
                        16 AS place_value
                    UNION ALL
                    SELECT
                        32 AS place_value
                    UNION ALL
                    SELECT
                        64 AS place_value
                    UNION ALL
                    SELECT
                        128 AS place_value
                    UNION ALL
                    SELECT
                        256 AS place_value
                    UNION ALL
                    SELECT
                        512 AS place_value
                    UNION ALL
                    SELECT
                        1024 AS place_value
                    UNION ALL
                    SELECT
                        2048 AS place_value
                    UNION ALL
                    SELECT
                        4096 AS place_value
                    UNION ALL
                    SELECT
                        8192 AS place_value
                    UNION ALL
                    SELECT
                        16384 AS place_value
                    UNION ALL
                    SELECT
                        32768 AS place_value
                    UNION ALL
                    SELECT
                        65536 AS place_value
                    UNION ALL
                    SELECT
                        131072 AS place_value
                    UNION ALL
                    SELECT
                        262144 AS place_value
                    UNION ALL
                    SELECT
                        524288 AS place_value
                    UNION ALL
                    SELECT
                        1048576 AS place_value
                    UNION ALL
                    SELECT
                        2097152 AS place_value
                    UNION ALL
                    SELECT
                        4194304 AS place_value
                ) AS _v
                    ON _v.place_value <= CASE WHEN _l.level + _l.levels_above > 1 THEN _l.level + _l.levels_above ELSE 1 END
            ) AS _d
        ) AS _g
        GROUP BY
            _g.run_id,
            _g.query_id,
            _g.subtopic,
            _g.doc_id,
            _g.relevance,
            _g.rank,
            _g.has_results
    ) AS _c
) AS _f
)
{%- endmacro %}

{% macro duckdb__preferences(subtopics, pairs) -%}
(
SELECT
    _f.*,
    sum(_f.possible) OVER (PARTITION BY _f.run_id, _f.query_id, _f.subtopic) AS group_possible,
    CASE
        WHEN _f.relevance >= 0
        THEN row_number() OVER (
            PARTITION BY _f.run_id, _f.query_id, _f.subtopic
            ORDER BY _f.relevance DESC NULLS LAST, _f.doc_id DESC NULLS LAST
        )
    END AS group_place
FROM (
    SELECT
        _c.*,
        {{ sqlmetrics.counted_preferences(pairs, "_c.rank", "_c.lower", "_c.lower_ret") }} AS possible,
        {{ sqlmetrics.fulfilled_preferences(pairs, "_c.rank", "_c.lower", "_c.lower_ret", "_c.lower_after") }} AS fulfilled
    FROM (
        SELECT
            _g.run_id,
            _g.query_id,
            _g.subtopic,
            _g.doc_id,
            _g.relevance,
            _g.rank,
            _g.has_results,
            sum(CASE WHEN _g.digit = 1 THEN _g.zeros ELSE 0 END) AS lower,
            sum(CASE WHEN _g.digit = 1 THEN _g.zeros_ret ELSE 0 END) AS lower_ret,
            sum(CASE WHEN _g.digit = 1 AND _g.rank IS NOT NULL THEN _g.zeros_after ELSE 0 END) AS lower_after
        FROM (
            /* of two levels in binary digits, the higher has a 1 where they first differ, and the lower a 0 */
            SELECT
                _d.*,
                count(CASE WHEN _d.digit = 0 THEN 1 END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                ) AS zeros,
                count(CASE WHEN _d.digit = 0 THEN _d.rank END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                ) AS zeros_ret,
                count(CASE WHEN _d.digit = 0 THEN _d.rank END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                    ORDER BY _d.rank DESC NULLS LAST, _d.doc_id DESC NULLS LAST
                    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
                ) AS zeros_after
            FROM (
                SELECT
                    _l.*,
                    _v.place_value,
                    _l.level - _l.level % (2 * _v.place_value) AS digits_before,
                    CASE
                        WHEN _l.relevance < 0
                        THEN NULL
                        WHEN _l.level % (2 * _v.place_value) >= _v.place_value
                        THEN 1
                        ELSE 0
                    END AS digit
                FROM (
                    SELECT
                        _s.*,
                        dense_rank() OVER (
                            PARTITION BY _s.run_id, _s.query_id, _s.subtopic, _s.relevance >= 0
                            ORDER BY _s.relevance ASC NULLS LAST
                        ) - 1 AS level,
                        dense_rank() OVER (
                            PARTITION BY _s.run_id, _s.query_id, _s.subtopic, _s.relevance >= 0
                            ORDER BY _s.relevance DESC NULLS LAST
                        ) - 1 AS levels_above
                    FROM {{ subtopics }} AS _s
                ) AS _l
                INNER JOIN (VALUES
                    (1),
                    (2),
                    (4),
                    (8),
                    (16),
                    (32),
                    (64),
                    (128),
                    (256),
                    (512),
                    (1024),
                    (2048),
                    (4096),
                    (8192),
                    (16384),
                    (32768),
                    (65536),
                    (131072),
                    (262144),
                    (524288),
                    (1048576),
                    (2097152),
                    (4194304)) AS _v(place_value)
                    ON _v.place_value <= CASE WHEN _l.level + _l.levels_above > 1 THEN _l.level + _l.levels_above ELSE 1 END
            ) AS _d
        ) AS _g
        GROUP BY
            _g.run_id,
            _g.query_id,
            _g.subtopic,
            _g.doc_id,
            _g.relevance,
            _g.rank,
            _g.has_results
    ) AS _c
) AS _f
)
{%- endmacro %}

{% macro clickhouse__preferences(subtopics, pairs) -%}
{{ exceptions.raise_compiler_error("preferences cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro bigquery__preferences(subtopics, pairs) -%}
(
SELECT
    _f.*,
    sum(_f.possible) OVER (PARTITION BY _f.run_id, _f.query_id, _f.subtopic) AS group_possible,
    CASE
        WHEN _f.relevance >= 0
        THEN row_number() OVER (
            PARTITION BY _f.run_id, _f.query_id, _f.subtopic
            ORDER BY _f.relevance DESC, _f.doc_id DESC
        )
    END AS group_place
FROM (
    SELECT
        _c.*,
        {{ sqlmetrics.counted_preferences(pairs, "_c.rank", "_c.lower", "_c.lower_ret") }} AS possible,
        {{ sqlmetrics.fulfilled_preferences(pairs, "_c.rank", "_c.lower", "_c.lower_ret", "_c.lower_after") }} AS fulfilled
    FROM (
        SELECT
            _g.run_id,
            _g.query_id,
            _g.subtopic,
            _g.doc_id,
            _g.relevance,
            _g.rank,
            _g.has_results,
            sum(CASE WHEN _g.digit = 1 THEN _g.zeros ELSE 0 END) AS lower,
            sum(CASE WHEN _g.digit = 1 THEN _g.zeros_ret ELSE 0 END) AS lower_ret,
            sum(CASE WHEN _g.digit = 1 AND _g.rank IS NOT NULL THEN _g.zeros_after ELSE 0 END) AS lower_after
        FROM (
            /* of two levels in binary digits, the higher has a 1 where they first differ, and the lower a 0 */
            SELECT
                _d.*,
                count(CASE WHEN _d.digit = 0 THEN 1 END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                ) AS zeros,
                count(CASE WHEN _d.digit = 0 THEN _d.rank END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                ) AS zeros_ret,
                count(CASE WHEN _d.digit = 0 THEN _d.rank END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                    ORDER BY _d.rank DESC, _d.doc_id DESC
                    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
                ) AS zeros_after
            FROM (
                SELECT
                    _l.*,
                    _v.place_value,
                    _l.level - mod(_l.level, (2 * _v.place_value)) AS digits_before,
                    CASE
                        WHEN _l.relevance < 0
                        THEN NULL
                        WHEN mod(_l.level, (2 * _v.place_value)) >= _v.place_value
                        THEN 1
                        ELSE 0
                    END AS digit
                FROM (
                    SELECT
                        _s.*,
                        dense_rank() OVER (
                            PARTITION BY _s.run_id, _s.query_id, _s.subtopic, _s.relevance >= 0
                            ORDER BY CASE WHEN _s.relevance IS NULL THEN 1 ELSE 0 END ASC, _s.relevance ASC
                        ) - 1 AS level,
                        dense_rank() OVER (
                            PARTITION BY _s.run_id, _s.query_id, _s.subtopic, _s.relevance >= 0
                            ORDER BY _s.relevance DESC
                        ) - 1 AS levels_above
                    FROM {{ subtopics }} AS _s
                ) AS _l
                INNER JOIN (
                    SELECT
                        1 AS place_value
                    UNION ALL
                    SELECT
                        2 AS place_value
                    UNION ALL
                    SELECT
                        4 AS place_value
                    UNION ALL
                    SELECT
                        8 AS place_value
                    UNION ALL
                    SELECT
                        16 AS place_value
                    UNION ALL
                    SELECT
                        32 AS place_value
                    UNION ALL
                    SELECT
                        64 AS place_value
                    UNION ALL
                    SELECT
                        128 AS place_value
                    UNION ALL
                    SELECT
                        256 AS place_value
                    UNION ALL
                    SELECT
                        512 AS place_value
                    UNION ALL
                    SELECT
                        1024 AS place_value
                    UNION ALL
                    SELECT
                        2048 AS place_value
                    UNION ALL
                    SELECT
                        4096 AS place_value
                    UNION ALL
                    SELECT
                        8192 AS place_value
                    UNION ALL
                    SELECT
                        16384 AS place_value
                    UNION ALL
                    SELECT
                        32768 AS place_value
                    UNION ALL
                    SELECT
                        65536 AS place_value
                    UNION ALL
                    SELECT
                        131072 AS place_value
                    UNION ALL
                    SELECT
                        262144 AS place_value
                    UNION ALL
                    SELECT
                        524288 AS place_value
                    UNION ALL
                    SELECT
                        1048576 AS place_value
                    UNION ALL
                    SELECT
                        2097152 AS place_value
                    UNION ALL
                    SELECT
                        4194304 AS place_value
                ) AS _v
                    ON _v.place_value <= CASE WHEN _l.level + _l.levels_above > 1 THEN _l.level + _l.levels_above ELSE 1 END
            ) AS _d
        ) AS _g
        GROUP BY
            _g.run_id,
            _g.query_id,
            _g.subtopic,
            _g.doc_id,
            _g.relevance,
            _g.rank,
            _g.has_results
    ) AS _c
) AS _f
)
{%- endmacro %}

{% macro redshift__preferences(subtopics, pairs) -%}
{{ exceptions.raise_compiler_error("preferences cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
