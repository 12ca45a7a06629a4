{#- The places of documents among those of the same score, whose order is that of all strategies. -#}
{% macro tied_places(tied) %}
{{- return(adapter.dispatch('tied_places', 'sqlmetrics')(tied)) -}}
{% endmacro %}

{% macro default__tied_places(tied) -%}
(
SELECT
    _t.run_id,
    _t.query_id,
    _t.doc_id,
    _t.score,
    row_number() OVER (
        PARTITION BY _t.run_id, _t.query_id, _t.score
        ORDER BY _t.id_order ASC NULLS LAST, _t.tie_order ASC NULLS LAST, _t.doc_id DESC NULLS LAST
    ) AS place,
    count(*) OVER (PARTITION BY _t.run_id, _t.query_id, _t.score) AS num_tied
FROM {{ tied }} AS _t
)
{%- endmacro %}

{% macro clickhouse__tied_places(tied) -%}
{{ exceptions.raise_compiler_error("tied_places cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro bigquery__tied_places(tied) -%}
(
SELECT
    _t.run_id,
    _t.query_id,
    _t.doc_id,
    _t.score,
    row_number() OVER (
        PARTITION BY _t.run_id, _t.query_id, _t.score
        ORDER BY CASE WHEN _t.id_order IS NULL THEN 1 ELSE 0 END ASC, _t.id_order ASC, CASE WHEN _t.tie_order IS NULL THEN 1 ELSE 0 END ASC, _t.tie_order ASC, _t.doc_id DESC
    ) AS place,
    count(*) OVER (PARTITION BY _t.run_id, _t.query_id, _t.score) AS num_tied
FROM {{ tied }} AS _t
)
{%- endmacro %}

{% macro redshift__tied_places(tied) -%}
{{ exceptions.raise_compiler_error("tied_places cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
