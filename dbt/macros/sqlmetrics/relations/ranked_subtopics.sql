{#- Every judgment of a document for a subtopic, beside the rows of truncated, and the counts that metrics need. -#}
{% macro ranked_subtopics(truncated, qrels, rel=1) %}
{% do sqlmetrics.require('rel', rel, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{{- return(adapter.dispatch('ranked_subtopics', 'sqlmetrics')(truncated, qrels, rel)) -}}
{% endmacro %}

{% macro default__ranked_subtopics(truncated, qrels, rel) -%}
(
SELECT
    _j.*,
    row_number() OVER (
        PARTITION BY _j.run_id, _j.query_id, _j.subtopic
        ORDER BY _j.relevance DESC NULLS LAST, _j.doc_id DESC NULLS LAST
    ) AS ideal_rank,
    count(CASE WHEN _j.relevant = 1 THEN 1 END) OVER (PARTITION BY _j.run_id, _j.query_id, _j.subtopic) AS num_rel,
    count(CASE WHEN _j.relevant = 1 AND _j.rank IS NOT NULL THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id, _j.subtopic
        ORDER BY _j.rank ASC NULLS LAST, _j.doc_id DESC NULLS LAST
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS hits
FROM (
    SELECT
        _d.run_id,
        _d.query_id,
        _s.subtopic,
        _d.doc_id,
        _s.relevance,
        _d.rank,
        _d.has_results,
        _d.num_ret,
        CASE WHEN _s.relevance >= {{ sqlmetrics.literal(rel) }} THEN 1 ELSE 0 END AS relevant
    FROM {{ truncated }} AS _d
    INNER JOIN {{ sqlmetrics.subtopic_judgments(qrels) }} AS _s
        ON _d.query_id = _s.query_id AND _d.doc_id = _s.doc_id
) AS _j
)
{%- endmacro %}

{% macro clickhouse__ranked_subtopics(truncated, qrels, rel) -%}
{{ exceptions.raise_compiler_error("ranked_subtopics cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro bigquery__ranked_subtopics(truncated, qrels, rel) -%}
(
SELECT
    _j.*,
    row_number() OVER (
        PARTITION BY _j.run_id, _j.query_id, _j.subtopic
        ORDER BY _j.relevance DESC, _j.doc_id DESC
    ) AS ideal_rank,
    count(CASE WHEN _j.relevant = 1 THEN 1 END) OVER (PARTITION BY _j.run_id, _j.query_id, _j.subtopic) AS num_rel,
    count(CASE WHEN _j.relevant = 1 AND _j.rank IS NOT NULL THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id, _j.subtopic
        ORDER BY CASE WHEN _j.rank IS NULL THEN 1 ELSE 0 END ASC, _j.rank ASC, _j.doc_id DESC
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS hits
FROM (
    SELECT
        _d.run_id,
        _d.query_id,
        _s.subtopic,
        _d.doc_id,
        _s.relevance,
        _d.rank,
        _d.has_results,
        _d.num_ret,
        CASE WHEN _s.relevance >= {{ sqlmetrics.literal(rel) }} THEN 1 ELSE 0 END AS relevant
    FROM {{ truncated }} AS _d
    INNER JOIN {{ sqlmetrics.subtopic_judgments(qrels) }} AS _s
        ON _d.query_id = _s.query_id AND _d.doc_id = _s.doc_id
) AS _j
)
{%- endmacro %}

{% macro redshift__ranked_subtopics(truncated, qrels, rel) -%}
{{ exceptions.raise_compiler_error("ranked_subtopics cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
