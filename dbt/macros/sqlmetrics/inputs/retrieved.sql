{#- The documents that each run retrieved for each query. -#}
{% macro retrieved(run, by_rank=false) %}
{{- return(adapter.dispatch('retrieved', 'sqlmetrics')(run, by_rank)) -}}
{% endmacro %}

{% macro default__retrieved(run, by_rank) -%}
(
SELECT
    coalesce(CAST(_r.run_id AS VARCHAR), 'run') AS run_id,
    CAST(_r.query_id AS VARCHAR) AS query_id,
    CAST(_r.doc_id AS VARCHAR) AS doc_id,
    {{ sqlmetrics.exact_score("_r.score") }} AS score,
    {% if by_rank %}CAST(_r.rank AS DOUBLE){% else %}NULL{% endif %} AS listed_rank
FROM {{ run }} AS _r
)
{%- endmacro %}

{% macro duckdb__retrieved(run, by_rank) -%}
(
SELECT
    coalesce(CAST(_r.run_id AS TEXT), 'run') COLLATE C AS run_id,
    CAST(_r.query_id AS TEXT) COLLATE C AS query_id,
    CAST(_r.doc_id AS TEXT) COLLATE C AS doc_id,
    {{ sqlmetrics.exact_score("_r.score") }} AS score,
    {% if by_rank %}CAST(_r.rank AS DOUBLE){% else %}NULL{% endif %} AS listed_rank
FROM {{ run }} AS _r
)
{%- endmacro %}

{% macro spark__retrieved(run, by_rank) -%}
(
SELECT
    coalesce(CAST(_r.run_id AS STRING), 'run') AS run_id,
    CAST(_r.query_id AS STRING) AS query_id,
    CAST(_r.doc_id AS STRING) AS doc_id,
    {{ sqlmetrics.exact_score("_r.score") }} AS score,
    {% if by_rank %}CAST(_r.rank AS DOUBLE){% else %}NULL{% endif %} AS listed_rank
FROM {{ run }} AS _r
)
{%- endmacro %}

{% macro postgres__retrieved(run, by_rank) -%}
(
SELECT
    coalesce(CAST(_r.run_id AS TEXT), 'run') COLLATE "C" AS run_id,
    CAST(_r.query_id AS TEXT) COLLATE "C" AS query_id,
    CAST(_r.doc_id AS TEXT) COLLATE "C" AS doc_id,
    {{ sqlmetrics.exact_score("_r.score") }} AS score,
    {% if by_rank %}CAST(_r.rank AS DOUBLE PRECISION){% else %}NULL{% endif %} AS listed_rank
FROM {{ run }} AS _r
)
{%- endmacro %}

{% macro sqlite__retrieved(run, by_rank) -%}
(
SELECT
    coalesce(CAST(_r.run_id AS TEXT), 'run') COLLATE BINARY AS run_id,
    CAST(_r.query_id AS TEXT) COLLATE BINARY AS query_id,
    CAST(_r.doc_id AS TEXT) COLLATE BINARY AS doc_id,
    {{ sqlmetrics.exact_score("_r.score") }} AS score,
    {% if by_rank %}CAST(_r.rank AS REAL){% else %}NULL{% endif %} AS listed_rank
FROM {{ run }} AS _r
)
{%- endmacro %}

{% macro clickhouse__retrieved(run, by_rank) -%}
{{ exceptions.raise_compiler_error("retrieved cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro bigquery__retrieved(run, by_rank) -%}
(
SELECT
    coalesce(CAST(_r.run_id AS STRING), 'run') AS run_id,
    CAST(_r.query_id AS STRING) AS query_id,
    CAST(_r.doc_id AS STRING) AS doc_id,
    {{ sqlmetrics.exact_score("_r.score") }} AS score,
    {% if by_rank %}CAST(_r.rank AS FLOAT64){% else %}NULL{% endif %} AS listed_rank
FROM {{ run }} AS _r
)
{%- endmacro %}

{% macro redshift__retrieved(run, by_rank) -%}
{{ exceptions.raise_compiler_error("retrieved cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
