{#- Every query that a run answers or that is judged: which of both it is. -#}
{% macro coverage(qrels, run) %}
{{- return(adapter.dispatch('coverage', 'sqlmetrics')(qrels, run)) -}}
{% endmacro %}

{% macro default__coverage(qrels, run) -%}
(
SELECT
    _c.run_id,
    _c.query_id,
    max(_c.judged) AS judged,
    max(_c.answered) AS answered
FROM (
    SELECT
        _d.run_id,
        _d.query_id,
        0 AS judged,
        1 AS answered
    FROM {{ sqlmetrics.retrieved(run) }} AS _d
    UNION ALL
    SELECT
        _u.run_id,
        _q.query_id,
        1 AS judged,
        0 AS answered
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

{% macro clickhouse__coverage(qrels, run) -%}
{{ exceptions.raise_compiler_error("coverage cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__coverage(qrels, run) -%}
{{ exceptions.raise_compiler_error("coverage cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
