{#- Every query that a run answers or that is judged: which of both it is. -#}
{% macro query_coverage(qrels, run) %}
{{- return(adapter.dispatch('query_coverage', 'sqlmetrics')(qrels, run)) -}}
{% endmacro %}

{% macro default__query_coverage(qrels, run) -%}
(
SELECT
    _c.run_id,
    _c.query_id,
    max(_c.judged) AS judged,
    max(_c.has_results) AS has_results
FROM (
    SELECT
        _d.run_id,
        _d.query_id,
        0 AS judged,
        1 AS has_results
    FROM {{ sqlmetrics.retrieved(run) }} AS _d
    UNION ALL
    SELECT
        _u.run_id,
        _q.query_id,
        1 AS judged,
        0 AS has_results
    FROM (
        SELECT DISTINCT
            _r.run_id
        FROM {{ sqlmetrics.retrieved(run) }} AS _r
    ) AS _u
    CROSS JOIN (
        SELECT DISTINCT
            _j.query_id
        FROM {{ sqlmetrics.judgments(qrels) }} AS _j
    ) AS _q
) AS _c
GROUP BY
    _c.run_id,
    _c.query_id
)
{%- endmacro %}

{% macro clickhouse__query_coverage(qrels, run) -%}
{{ exceptions.raise_compiler_error("query_coverage cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__query_coverage(qrels, run) -%}
{{ exceptions.raise_compiler_error("query_coverage cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
