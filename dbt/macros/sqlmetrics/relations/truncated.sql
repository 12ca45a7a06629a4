{#- The rows of ranked, cut to a depth, or with ranks among the judged documents alone. -#}
{% macro truncated(qrels, run, ties='descending', depth=none, judged_only=false) %}
{% do sqlmetrics.require('ties', ties, {"must": "one of descending, ascending, rank, best, worst", "words": ["descending", "ascending", "rank", "best", "worst"], "refused": {"input": "the rows of a table have no order; take other ties"}}) %}
{% do sqlmetrics.require('depth', depth, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('judged_only', judged_only, {"must": "true or false", "truth": true}) %}
{{- return(adapter.dispatch('truncated', 'sqlmetrics')(qrels, run, ties, depth, judged_only)) -}}
{% endmacro %}

{% macro default__truncated(qrels, run, ties, depth, judged_only) -%}
(
SELECT
    _k.run_id,
    _k.query_id,
    _k.doc_id,
    _k.relevance,
    _k.has_results,
    {% if not (judged_only) %}_k.rank{% else %}CASE
    WHEN _k.kept = 1
    THEN row_number() OVER (PARTITION BY _k.run_id, _k.query_id, _k.kept ORDER BY _k.rank ASC NULLS LAST)
END{% endif %} AS rank,
    {% if not (judged_only) %}_k.first_rank{% else %}CASE
    WHEN _k.kept = 1
    THEN rank() OVER (
        PARTITION BY _k.run_id, _k.query_id, _k.kept
        ORDER BY _k.first_rank ASC NULLS LAST
    )
END{% endif %} AS first_rank,
    {% if not (judged_only) %}CASE WHEN _k.last_rank > {{ sqlmetrics.literal(depth) }} THEN {{ sqlmetrics.literal(depth) }} ELSE {% if not (judged_only) %}_k.last_rank{% else %}CASE
    WHEN _k.kept = 1
    THEN count(*) OVER (
        PARTITION BY _k.run_id, _k.query_id, _k.kept
        ORDER BY _k.first_rank ASC NULLS LAST
        RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
END{% endif %} END{% elif not (judged_only) %}_k.last_rank{% else %}CASE
    WHEN _k.kept = 1
    THEN count(*) OVER (
        PARTITION BY _k.run_id, _k.query_id, _k.kept
        ORDER BY _k.first_rank ASC NULLS LAST
        RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
END{% endif %} AS last_rank,
    {% if not (judged_only) %}_k.num_tied{% elif depth is none %}CASE
    WHEN _k.kept = 1
    THEN count(*) OVER (PARTITION BY _k.run_id, _k.query_id, _k.kept, _k.first_rank)
END{% else %}NULL{% endif %} AS num_tied,
    {% if judged_only %}count(CASE WHEN _k.kept = 1 THEN 1 END) OVER (PARTITION BY _k.run_id, _k.query_id){% else %}_k.num_ret{% endif %} AS num_ret
FROM (
    SELECT
        _c.*,
        CASE WHEN _c.rank IS NOT NULL AND _c.relevance >= 0 THEN 1 ELSE 0 END AS kept
    FROM (
        SELECT
            _r.run_id,
            _r.query_id,
            _r.doc_id,
            _r.relevance,
            CASE WHEN _r.num_ret > 0 THEN 1 ELSE 0 END AS has_results,
            CASE WHEN _r.rank <= {% if depth is none %}_r.rank{% else %}{{ sqlmetrics.literal(depth) }}{% endif %} THEN _r.rank END AS rank,
            CASE WHEN _r.first_rank <= {% if depth is none %}_r.first_rank{% else %}{{ sqlmetrics.literal(depth) }}{% endif %} THEN _r.first_rank END AS first_rank,
            CASE WHEN _r.first_rank <= {% if depth is none %}_r.first_rank{% else %}{{ sqlmetrics.literal(depth) }}{% endif %} THEN _r.first_rank + _r.num_tied - 1 END AS last_rank,
            CASE WHEN _r.first_rank <= {% if depth is none %}_r.first_rank{% else %}{{ sqlmetrics.literal(depth) }}{% endif %} THEN _r.num_tied END AS num_tied,
            CASE WHEN _r.num_ret > {{ sqlmetrics.literal(depth) }} THEN {{ sqlmetrics.literal(depth) }} ELSE _r.num_ret END AS num_ret
        FROM {{ sqlmetrics.ranked(qrels, run, ties=ties) }} AS _r
    ) AS _c
) AS _k
)
{%- endmacro %}

{% macro clickhouse__truncated(qrels, run, ties, depth, judged_only) -%}
{{ exceptions.raise_compiler_error("truncated cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro bigquery__truncated(qrels, run, ties, depth, judged_only) -%}
(
SELECT
    _k.run_id,
    _k.query_id,
    _k.doc_id,
    _k.relevance,
    _k.has_results,
    {% if not (judged_only) %}_k.rank{% else %}CASE
    WHEN _k.kept = 1
    THEN row_number() OVER (
        PARTITION BY _k.run_id, _k.query_id, _k.kept
        ORDER BY CASE WHEN _k.rank IS NULL THEN 1 ELSE 0 END ASC, _k.rank ASC
    )
END{% endif %} AS rank,
    {% if not (judged_only) %}_k.first_rank{% else %}CASE
    WHEN _k.kept = 1
    THEN rank() OVER (
        PARTITION BY _k.run_id, _k.query_id, _k.kept
        ORDER BY CASE WHEN _k.first_rank IS NULL THEN 1 ELSE 0 END ASC, _k.first_rank ASC
    )
END{% endif %} AS first_rank,
    {% if not (judged_only) %}CASE WHEN _k.last_rank > {{ sqlmetrics.literal(depth) }} THEN {{ sqlmetrics.literal(depth) }} ELSE {% if not (judged_only) %}_k.last_rank{% else %}CASE
    WHEN _k.kept = 1
    THEN count(*) OVER (
        PARTITION BY _k.run_id, _k.query_id, _k.kept
        ORDER BY CASE WHEN _k.first_rank IS NULL THEN 1 ELSE 0 END ASC, _k.first_rank ASC
        RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
END{% endif %} END{% elif not (judged_only) %}_k.last_rank{% else %}CASE
    WHEN _k.kept = 1
    THEN count(*) OVER (
        PARTITION BY _k.run_id, _k.query_id, _k.kept
        ORDER BY CASE WHEN _k.first_rank IS NULL THEN 1 ELSE 0 END ASC, _k.first_rank ASC
        RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
END{% endif %} AS last_rank,
    {% if not (judged_only) %}_k.num_tied{% elif depth is none %}CASE
    WHEN _k.kept = 1
    THEN count(*) OVER (PARTITION BY _k.run_id, _k.query_id, _k.kept, _k.first_rank)
END{% else %}NULL{% endif %} AS num_tied,
    {% if judged_only %}count(CASE WHEN _k.kept = 1 THEN 1 END) OVER (PARTITION BY _k.run_id, _k.query_id){% else %}_k.num_ret{% endif %} AS num_ret
FROM (
    SELECT
        _c.*,
        CASE WHEN _c.rank IS NOT NULL AND _c.relevance >= 0 THEN 1 ELSE 0 END AS kept
    FROM (
        SELECT
            _r.run_id,
            _r.query_id,
            _r.doc_id,
            _r.relevance,
            CASE WHEN _r.num_ret > 0 THEN 1 ELSE 0 END AS has_results,
            CASE WHEN _r.rank <= {% if depth is none %}_r.rank{% else %}{{ sqlmetrics.literal(depth) }}{% endif %} THEN _r.rank END AS rank,
            CASE WHEN _r.first_rank <= {% if depth is none %}_r.first_rank{% else %}{{ sqlmetrics.literal(depth) }}{% endif %} THEN _r.first_rank END AS first_rank,
            CASE WHEN _r.first_rank <= {% if depth is none %}_r.first_rank{% else %}{{ sqlmetrics.literal(depth) }}{% endif %} THEN _r.first_rank + _r.num_tied - 1 END AS last_rank,
            CASE WHEN _r.first_rank <= {% if depth is none %}_r.first_rank{% else %}{{ sqlmetrics.literal(depth) }}{% endif %} THEN _r.num_tied END AS num_tied,
            CASE WHEN _r.num_ret > {{ sqlmetrics.literal(depth) }} THEN {{ sqlmetrics.literal(depth) }} ELSE _r.num_ret END AS num_ret
        FROM {{ sqlmetrics.ranked(qrels, run, ties=ties) }} AS _r
    ) AS _c
) AS _k
)
{%- endmacro %}

{% macro redshift__truncated(qrels, run, ties, depth, judged_only) -%}
{{ exceptions.raise_compiler_error("truncated cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
