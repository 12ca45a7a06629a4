{#- Sorts the run: the judgments beside every run, with the rank that the run gave to each. -#}
{% macro ranked(qrels, run, ties='descending') %}
{{- return(adapter.dispatch('ranked', 'sqlmetrics')(qrels, run, ties)) -}}
{% endmacro %}

{% macro default__ranked(qrels, run, ties) -%}
(
SELECT
    _u.run_id,
    _q.query_id,
    _q.doc_id,
    _q.relevance,
    _r.rank,
    _r.first_rank,
    _r.num_tied,
    coalesce(_n.num_ret, 0) AS num_ret
FROM {{ sqlmetrics.judgments(qrels) }} AS _q
CROSS JOIN (
    SELECT DISTINCT
        _d.run_id
    FROM {{ sqlmetrics.retrieved(run) }} AS _d
) AS _u
LEFT JOIN (
    SELECT
        _o.run_id,
        _o.query_id,
        _o.doc_id,
        row_number() OVER (
            PARTITION BY _o.run_id, _o.query_id
            ORDER BY _o.score DESC NULLS LAST, _o.id_order ASC NULLS LAST, _o.tie_order ASC NULLS LAST, _o.doc_id DESC NULLS LAST
        ) AS rank,
        rank() OVER (PARTITION BY _o.run_id, _o.query_id ORDER BY _o.score DESC NULLS LAST) AS first_rank,
        count(*) OVER (
            PARTITION BY _o.run_id, _o.query_id
            ORDER BY _o.score DESC NULLS LAST
            RANGE BETWEEN CURRENT ROW AND CURRENT ROW
        ) AS num_tied
    FROM {{ sqlmetrics.retrieved_ordered(qrels, run, ties) }} AS _o
) AS _r
    ON _u.run_id = _r.run_id AND _q.query_id = _r.query_id AND _q.doc_id = _r.doc_id
LEFT JOIN (
    SELECT
        _d.run_id,
        _d.query_id,
        count(*) AS num_ret
    FROM {{ sqlmetrics.retrieved(run) }} AS _d
    GROUP BY
        _d.run_id,
        _d.query_id
) AS _n
    ON _u.run_id = _n.run_id AND _q.query_id = _n.query_id
)
{%- endmacro %}

{% macro clickhouse__ranked(qrels, run, ties) -%}
{{ exceptions.raise_compiler_error("ranked cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro bigquery__ranked(qrels, run, ties) -%}
(
SELECT
    _u.run_id,
    _q.query_id,
    _q.doc_id,
    _q.relevance,
    _r.rank,
    _r.first_rank,
    _r.num_tied,
    coalesce(_n.num_ret, 0) AS num_ret
FROM {{ sqlmetrics.judgments(qrels) }} AS _q
CROSS JOIN (
    SELECT DISTINCT
        _d.run_id
    FROM {{ sqlmetrics.retrieved(run) }} AS _d
) AS _u
LEFT JOIN (
    SELECT
        _o.run_id,
        _o.query_id,
        _o.doc_id,
        row_number() OVER (
            PARTITION BY _o.run_id, _o.query_id
            ORDER BY _o.score DESC, CASE WHEN _o.id_order IS NULL THEN 1 ELSE 0 END ASC, _o.id_order ASC, CASE WHEN _o.tie_order IS NULL THEN 1 ELSE 0 END ASC, _o.tie_order ASC, _o.doc_id DESC
        ) AS rank,
        rank() OVER (PARTITION BY _o.run_id, _o.query_id ORDER BY _o.score DESC) AS first_rank,
        count(*) OVER (
            PARTITION BY _o.run_id, _o.query_id
            ORDER BY _o.score DESC
            RANGE BETWEEN CURRENT ROW AND CURRENT ROW
        ) AS num_tied
    FROM {{ sqlmetrics.retrieved_ordered(qrels, run, ties) }} AS _o
) AS _r
    ON _u.run_id = _r.run_id AND _q.query_id = _r.query_id AND _q.doc_id = _r.doc_id
LEFT JOIN (
    SELECT
        _d.run_id,
        _d.query_id,
        count(*) AS num_ret
    FROM {{ sqlmetrics.retrieved(run) }} AS _d
    GROUP BY
        _d.run_id,
        _d.query_id
) AS _n
    ON _u.run_id = _n.run_id AND _q.query_id = _n.query_id
)
{%- endmacro %}

{% macro redshift__ranked(qrels, run, ties) -%}
{{ exceptions.raise_compiler_error("ranked cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
