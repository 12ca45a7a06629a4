{#- The rows of subtopics beside an ideal ranking: next comes what gains most after all that stands above it. -#}
{% macro greedy(subtopics, alpha=0.5) %}
{% do sqlmetrics.require('alpha', alpha, {"must": "a number from 0 to 1", "from": 0, "to": 1}) %}
{{- return(adapter.dispatch('greedy', 'sqlmetrics')(subtopics, alpha)) -}}
{% endmacro %}

{% macro default__greedy(subtopics, alpha) -%}
(
SELECT
    _t.*,
    CASE
        WHEN _t.relevant = 1 AND _t.rank IS NOT NULL
        THEN power(1e0 - {{ sqlmetrics.literal(alpha) }}, _t.hits - 1)
    END AS gain,
    _i.greedy_rank,
    CASE
        WHEN _t.relevant = 1
        THEN power(1e0 - {{ sqlmetrics.literal(alpha) }}, row_number() OVER (
            PARTITION BY _t.run_id, _t.query_id, _t.subtopic, _t.relevant
            ORDER BY _i.greedy_rank ASC NULLS LAST
        ) - 1)
    END AS greedy_gain
FROM {{ subtopics }} AS _t
LEFT JOIN {{ sqlmetrics.greedy_ranking(subtopics, alpha) }} AS _i
    ON _t.query_id = _i.query_id AND _t.doc_id = _i.doc_id
)
{%- endmacro %}

{% macro postgres__greedy(subtopics, alpha) -%}
(
SELECT
    _t.*,
    CASE
        WHEN _t.relevant = 1 AND _t.rank IS NOT NULL
        THEN CASE WHEN 1e0::float8 - {{ sqlmetrics.literal(alpha) }} = 0 THEN CASE WHEN _t.hits - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 - {{ sqlmetrics.literal(alpha) }}, 0)) * (_t.hits - 1), -700)) END
    END AS gain,
    _i.greedy_rank,
    CASE
        WHEN _t.relevant = 1
        THEN CASE WHEN 1e0::float8 - {{ sqlmetrics.literal(alpha) }} = 0 THEN CASE WHEN row_number() OVER (
            PARTITION BY _t.run_id, _t.query_id, _t.subtopic, _t.relevant
            ORDER BY _i.greedy_rank ASC NULLS LAST
        ) - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 - {{ sqlmetrics.literal(alpha) }}, 0)) * (row_number() OVER (
            PARTITION BY _t.run_id, _t.query_id, _t.subtopic, _t.relevant
            ORDER BY _i.greedy_rank ASC NULLS LAST
        ) - 1), -700)) END
    END AS greedy_gain
FROM {{ subtopics }} AS _t
LEFT JOIN {{ sqlmetrics.greedy_ranking(subtopics, alpha) }} AS _i
    ON _t.query_id = _i.query_id AND _t.doc_id = _i.doc_id
)
{%- endmacro %}

{% macro clickhouse__greedy(subtopics, alpha) -%}
{{ exceptions.raise_compiler_error("greedy cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__greedy(subtopics, alpha) -%}
(
SELECT
    _t.*,
    CASE
        WHEN _t.relevant = 1 AND _t.rank IS NOT NULL
        THEN power(1e0::FLOAT - {{ sqlmetrics.literal(alpha) }}, _t.hits - 1)
    END AS gain,
    _i.greedy_rank,
    CASE
        WHEN _t.relevant = 1
        THEN power(1e0::FLOAT - {{ sqlmetrics.literal(alpha) }}, row_number() OVER (
            PARTITION BY _t.run_id, _t.query_id, _t.subtopic, _t.relevant
            ORDER BY _i.greedy_rank ASC NULLS LAST
        ) - 1)
    END AS greedy_gain
FROM {{ subtopics }} AS _t
LEFT JOIN {{ sqlmetrics.greedy_ranking(subtopics, alpha) }} AS _i
    ON _t.query_id = _i.query_id AND _t.doc_id = _i.doc_id
)
{%- endmacro %}

{% macro bigquery__greedy(subtopics, alpha) -%}
(
SELECT
    _t.*,
    CASE
        WHEN _t.relevant = 1 AND _t.rank IS NOT NULL
        THEN power(1e0 - {{ sqlmetrics.literal(alpha) }}, _t.hits - 1)
    END AS gain,
    _i.greedy_rank,
    CASE
        WHEN _t.relevant = 1
        THEN power(1e0 - {{ sqlmetrics.literal(alpha) }}, row_number() OVER (
            PARTITION BY _t.run_id, _t.query_id, _t.subtopic, _t.relevant
            ORDER BY CASE WHEN _i.greedy_rank IS NULL THEN 1 ELSE 0 END ASC, _i.greedy_rank ASC
        ) - 1)
    END AS greedy_gain
FROM {{ subtopics }} AS _t
LEFT JOIN {{ sqlmetrics.greedy_ranking(subtopics, alpha) }} AS _i
    ON _t.query_id = _i.query_id AND _t.doc_id = _i.doc_id
)
{%- endmacro %}

{% macro redshift__greedy(subtopics, alpha) -%}
{{ exceptions.raise_compiler_error("greedy cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
