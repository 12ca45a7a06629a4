{#- The judgments: how relevant a document is to a query. -#}
{% macro judgments(qrels) %}
{{- return(adapter.dispatch('judgments', 'sqlmetrics')(qrels)) -}}
{% endmacro %}

{% macro default__judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS VARCHAR) AS query_id,
    CAST(_q.doc_id AS VARCHAR) AS doc_id,
    CAST(_q.relevance AS DOUBLE) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}

{% macro duckdb__judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS TEXT) COLLATE C AS query_id, /* ids are compared as bytes, whatever collation the database prefers */
    CAST(_q.doc_id AS TEXT) COLLATE C AS doc_id,
    CAST(_q.relevance AS DOUBLE) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}

{% macro spark__judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS STRING) AS query_id,
    CAST(_q.doc_id AS STRING) AS doc_id,
    CAST(_q.relevance AS DOUBLE) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}

{% macro postgres__judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS TEXT) COLLATE "C" AS query_id, /* ids are compared as bytes, whatever collation the database prefers */
    CAST(_q.doc_id AS TEXT) COLLATE "C" AS doc_id,
    CAST(_q.relevance AS DOUBLE PRECISION) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}

{% macro sqlite__judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS TEXT) COLLATE BINARY AS query_id, /* ids are compared as bytes, whatever collation the database prefers */
    CAST(_q.doc_id AS TEXT) COLLATE BINARY AS doc_id,
    CAST(_q.relevance AS REAL) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}

{% macro clickhouse__judgments(qrels) -%}
{{ exceptions.raise_compiler_error("judgments cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro bigquery__judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS STRING) AS query_id,
    CAST(_q.doc_id AS STRING) AS doc_id,
    CAST(_q.relevance AS FLOAT64) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}

{% macro redshift__judgments(qrels) -%}
{{ exceptions.raise_compiler_error("judgments cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
