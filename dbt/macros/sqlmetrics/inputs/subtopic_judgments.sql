{#- The judgments of documents for each subtopic (intent, aspect) of a query. -#}
{% macro subtopic_judgments(qrels) %}
{{- return(adapter.dispatch('subtopic_judgments', 'sqlmetrics')(qrels)) -}}
{% endmacro %}

{% macro default__subtopic_judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS VARCHAR) AS query_id,
    coalesce(CAST(_q.subtopic AS VARCHAR), '0') AS subtopic,
    CAST(_q.doc_id AS VARCHAR) AS doc_id,
    CAST(_q.relevance AS DOUBLE) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}

{% macro duckdb__subtopic_judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS TEXT) COLLATE C AS query_id,
    coalesce(CAST(_q.subtopic AS TEXT), '0') COLLATE C AS subtopic,
    CAST(_q.doc_id AS TEXT) COLLATE C AS doc_id,
    CAST(_q.relevance AS DOUBLE) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}

{% macro spark__subtopic_judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS STRING) AS query_id,
    coalesce(CAST(_q.subtopic AS STRING), '0') AS subtopic,
    CAST(_q.doc_id AS STRING) AS doc_id,
    CAST(_q.relevance AS DOUBLE) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}

{% macro postgres__subtopic_judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS TEXT) COLLATE "C" AS query_id,
    coalesce(CAST(_q.subtopic AS TEXT), '0') COLLATE "C" AS subtopic,
    CAST(_q.doc_id AS TEXT) COLLATE "C" AS doc_id,
    CAST(_q.relevance AS DOUBLE PRECISION) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}

{% macro sqlite__subtopic_judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS TEXT) COLLATE BINARY AS query_id,
    coalesce(CAST(_q.subtopic AS TEXT), '0') COLLATE BINARY AS subtopic,
    CAST(_q.doc_id AS TEXT) COLLATE BINARY AS doc_id,
    CAST(_q.relevance AS REAL) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}

{% macro clickhouse__subtopic_judgments(qrels) -%}
{{ exceptions.raise_compiler_error("subtopic_judgments cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro bigquery__subtopic_judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS STRING) AS query_id,
    coalesce(CAST(_q.subtopic AS STRING), '0') AS subtopic,
    CAST(_q.doc_id AS STRING) AS doc_id,
    CAST(_q.relevance AS FLOAT64) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}

{% macro redshift__subtopic_judgments(qrels) -%}
{{ exceptions.raise_compiler_error("subtopic_judgments cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
