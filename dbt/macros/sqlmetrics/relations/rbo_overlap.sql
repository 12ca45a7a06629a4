{#- Judged documents with their place in the ideal ranking that is nearest to the run's, and where both share them. -#}
{% macro rbo_overlap(judged) %}
{{- return(adapter.dispatch('rbo_overlap', 'sqlmetrics')(judged)) -}}
{% endmacro %}

{% macro default__rbo_overlap(judged) -%}
(
SELECT
    _s.*,
    row_number() OVER (
        PARTITION BY _s.run_id, _s.query_id
        ORDER BY _s.shared_rank ASC NULLS LAST, _s.doc_id DESC NULLS LAST
    ) AS num_shared,
    coalesce(
        lead(_s.shared_rank) OVER (
            PARTITION BY _s.run_id, _s.query_id
            ORDER BY _s.shared_rank ASC NULLS LAST, _s.doc_id DESC NULLS LAST
        ) - 1,
        _s.longest
    ) AS shared_until
FROM (
    SELECT
        _a.*,
        CASE
            WHEN _a.relevant = 0 OR _a.rank IS NULL
            THEN NULL
            WHEN _a.rank > _a.agreed_rank
            THEN _a.rank
            ELSE _a.agreed_rank
        END AS shared_rank
    FROM (
        SELECT
            _j.*,
            CASE WHEN _j.num_ret > _j.num_rel THEN _j.num_ret ELSE _j.num_rel END AS longest,
            row_number() OVER (
                PARTITION BY _j.run_id, _j.query_id, _j.relevant
                ORDER BY _j.grade DESC NULLS LAST, _j.rank ASC NULLS LAST, _j.doc_id DESC NULLS LAST
            ) AS agreed_rank
        FROM {{ judged }} AS _j
    ) AS _a
) AS _s
)
{%- endmacro %}

{% macro clickhouse__rbo_overlap(judged) -%}
{{ exceptions.raise_compiler_error("rbo_overlap cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro bigquery__rbo_overlap(judged) -%}
(
SELECT
    _s.*,
    row_number() OVER (
        PARTITION BY _s.run_id, _s.query_id
        ORDER BY CASE WHEN _s.shared_rank IS NULL THEN 1 ELSE 0 END ASC, _s.shared_rank ASC, _s.doc_id DESC
    ) AS num_shared,
    coalesce(
        lead(_s.shared_rank) OVER (
            PARTITION BY _s.run_id, _s.query_id
            ORDER BY CASE WHEN _s.shared_rank IS NULL THEN 1 ELSE 0 END ASC, _s.shared_rank ASC, _s.doc_id DESC
        ) - 1,
        _s.longest
    ) AS shared_until
FROM (
    SELECT
        _a.*,
        CASE
            WHEN _a.relevant = 0 OR _a.rank IS NULL
            THEN NULL
            WHEN _a.rank > _a.agreed_rank
            THEN _a.rank
            ELSE _a.agreed_rank
        END AS shared_rank
    FROM (
        SELECT
            _j.*,
            CASE WHEN _j.num_ret > _j.num_rel THEN _j.num_ret ELSE _j.num_rel END AS longest,
            row_number() OVER (
                PARTITION BY _j.run_id, _j.query_id, _j.relevant
                ORDER BY _j.grade DESC, CASE WHEN _j.rank IS NULL THEN 1 ELSE 0 END ASC, _j.rank ASC, _j.doc_id DESC
            ) AS agreed_rank
        FROM {{ judged }} AS _j
    ) AS _a
) AS _s
)
{%- endmacro %}

{% macro redshift__rbo_overlap(judged) -%}
{{ exceptions.raise_compiler_error("rbo_overlap cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
