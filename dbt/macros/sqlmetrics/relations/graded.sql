{#- The rows of truncated with their grades, and the counts that metrics need. -#}
{% macro graded(truncated, rel=1, gains=none) %}
{% do sqlmetrics.require('rel', rel, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('gains', gains, {"must": "{relevance: gain, …} or none", "none": true, "gains": true}) %}
{{- return(adapter.dispatch('graded', 'sqlmetrics')(truncated, rel, gains)) -}}
{% endmacro %}

{% macro default__graded(truncated, rel, gains) -%}
(
SELECT
    _j.run_id,
    _j.query_id,
    _j.doc_id,
    _j.relevance,
    _j.grade,
    _j.rank,
    _j.first_rank,
    _j.last_rank,
    _j.num_tied,
    row_number() OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.grade DESC NULLS LAST, _j.doc_id DESC NULLS LAST
    ) AS ideal_rank,
    CASE
        WHEN _j.rank IS NOT NULL
        THEN row_number() OVER (
            PARTITION BY _j.run_id, _j.query_id, _j.retrieved
            ORDER BY _j.grade DESC NULLS LAST, _j.doc_id DESC NULLS LAST
        )
    END AS retrieved_ideal_rank,
    _j.has_results,
    _j.num_ret,
    _j.relevant,
    count(CASE WHEN _j.relevant = 1 THEN 1 END) OVER (PARTITION BY _j.run_id, _j.query_id) AS num_rel,
    count(CASE WHEN _j.nonrelevant = 1 THEN 1 END) OVER (PARTITION BY _j.run_id, _j.query_id) AS num_nonrel,
    count(CASE WHEN _j.relevant = 1 AND _j.rank IS NOT NULL THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.rank ASC NULLS LAST
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS hits,
    count(CASE WHEN _j.nonrelevant = 1 AND _j.rank IS NOT NULL THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.rank ASC NULLS LAST
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS false_positives,
    count(CASE WHEN _j.relevant = 1 THEN _j.first_rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.first_rank ASC NULLS LAST
        RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - count(CASE WHEN _j.relevant = 1 THEN _j.first_rank END) OVER (PARTITION BY _j.run_id, _j.query_id, _j.first_rank) AS hits_above,
    count(CASE WHEN _j.relevant = 1 THEN _j.first_rank END) OVER (PARTITION BY _j.run_id, _j.query_id, _j.first_rank) AS hits_tied,
    count(CASE WHEN _j.nonrelevant = 1 THEN _j.first_rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY _j.first_rank ASC NULLS LAST
        RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - count(CASE WHEN _j.nonrelevant = 1 THEN _j.first_rank END) OVER (PARTITION BY _j.run_id, _j.query_id, _j.first_rank) AS false_positives_above,
    count(CASE WHEN _j.nonrelevant = 1 THEN _j.first_rank END) OVER (PARTITION BY _j.run_id, _j.query_id, _j.first_rank) AS false_positives_tied
FROM (
    SELECT
        _r.*,
        {{ sqlmetrics.mapped_gain("_r.relevance", gains) }} AS grade,
        CASE WHEN _r.rank IS NOT NULL THEN 1 ELSE 0 END AS retrieved,
        CASE WHEN _r.relevance >= {{ sqlmetrics.literal(rel) }} THEN 1 ELSE 0 END AS relevant,
        CASE WHEN _r.relevance >= 0 AND _r.relevance < {{ sqlmetrics.literal(rel) }} THEN 1 ELSE 0 END AS nonrelevant
    FROM {{ truncated }} AS _r
) AS _j
)
{%- endmacro %}

{% macro clickhouse__graded(truncated, rel, gains) -%}
{{ exceptions.raise_compiler_error("graded cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro bigquery__graded(truncated, rel, gains) -%}
(
SELECT
    _j.run_id,
    _j.query_id,
    _j.doc_id,
    _j.relevance,
    _j.grade,
    _j.rank,
    _j.first_rank,
    _j.last_rank,
    _j.num_tied,
    row_number() OVER (PARTITION BY _j.run_id, _j.query_id ORDER BY _j.grade DESC, _j.doc_id DESC) AS ideal_rank,
    CASE
        WHEN _j.rank IS NOT NULL
        THEN row_number() OVER (
            PARTITION BY _j.run_id, _j.query_id, _j.retrieved
            ORDER BY _j.grade DESC, _j.doc_id DESC
        )
    END AS retrieved_ideal_rank,
    _j.has_results,
    _j.num_ret,
    _j.relevant,
    count(CASE WHEN _j.relevant = 1 THEN 1 END) OVER (PARTITION BY _j.run_id, _j.query_id) AS num_rel,
    count(CASE WHEN _j.nonrelevant = 1 THEN 1 END) OVER (PARTITION BY _j.run_id, _j.query_id) AS num_nonrel,
    count(CASE WHEN _j.relevant = 1 AND _j.rank IS NOT NULL THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY CASE WHEN _j.rank IS NULL THEN 1 ELSE 0 END ASC, _j.rank ASC
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS hits,
    count(CASE WHEN _j.nonrelevant = 1 AND _j.rank IS NOT NULL THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY CASE WHEN _j.rank IS NULL THEN 1 ELSE 0 END ASC, _j.rank ASC
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS false_positives,
    count(CASE WHEN _j.relevant = 1 THEN _j.first_rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY CASE WHEN _j.first_rank IS NULL THEN 1 ELSE 0 END ASC, _j.first_rank ASC
        RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - count(CASE WHEN _j.relevant = 1 THEN _j.first_rank END) OVER (PARTITION BY _j.run_id, _j.query_id, _j.first_rank) AS hits_above,
    count(CASE WHEN _j.relevant = 1 THEN _j.first_rank END) OVER (PARTITION BY _j.run_id, _j.query_id, _j.first_rank) AS hits_tied,
    count(CASE WHEN _j.nonrelevant = 1 THEN _j.first_rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY CASE WHEN _j.first_rank IS NULL THEN 1 ELSE 0 END ASC, _j.first_rank ASC
        RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - count(CASE WHEN _j.nonrelevant = 1 THEN _j.first_rank END) OVER (PARTITION BY _j.run_id, _j.query_id, _j.first_rank) AS false_positives_above,
    count(CASE WHEN _j.nonrelevant = 1 THEN _j.first_rank END) OVER (PARTITION BY _j.run_id, _j.query_id, _j.first_rank) AS false_positives_tied
FROM (
    SELECT
        _r.*,
        {{ sqlmetrics.mapped_gain("_r.relevance", gains) }} AS grade,
        CASE WHEN _r.rank IS NOT NULL THEN 1 ELSE 0 END AS retrieved,
        CASE WHEN _r.relevance >= {{ sqlmetrics.literal(rel) }} THEN 1 ELSE 0 END AS relevant,
        CASE WHEN _r.relevance >= 0 AND _r.relevance < {{ sqlmetrics.literal(rel) }} THEN 1 ELSE 0 END AS nonrelevant
    FROM {{ truncated }} AS _r
) AS _j
)
{%- endmacro %}

{% macro redshift__graded(truncated, rel, gains) -%}
{{ exceptions.raise_compiler_error("graded cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
