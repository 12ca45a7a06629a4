{#- The ranks from 1 to k. -#}
{% macro ranks_to(k) %}
{{- return(adapter.dispatch('ranks_to', 'sqlmetrics')(k)) -}}
{% endmacro %}

{% macro default__ranks_to(k) -%}
(
SELECT
    _r.rank
FROM UNNEST(sequence(1, {{ sqlmetrics.literal(k) }})) AS _r (rank)
)
{%- endmacro %}

{% macro duckdb__ranks_to(k) -%}
(
SELECT
    _r.rank
FROM range(1, {{ sqlmetrics.literal(k) }} + 1) AS _r (rank)
)
{%- endmacro %}

{% macro spark__ranks_to(k) -%}
(
SELECT
    _r.rank
FROM (SELECT explode(sequence(1, {{ sqlmetrics.literal(k) }})) AS rank) AS _r
)
{%- endmacro %}

{% macro postgres__ranks_to(k) -%}
(
SELECT
    _r.rank
FROM generate_series(1, {{ sqlmetrics.literal(k) }}) AS _r (rank)
)
{%- endmacro %}

{% macro sqlite__ranks_to(k) -%}
(
SELECT
    _r.rank
FROM (WITH RECURSIVE _r (rank) AS (SELECT 1 UNION ALL SELECT rank + 1 FROM _r WHERE rank < {{ sqlmetrics.literal(k) }}) SELECT rank FROM _r) AS _r
)
{%- endmacro %}

{% macro clickhouse__ranks_to(k) -%}
{{ exceptions.raise_compiler_error("ranks_to cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__ranks_to(k) -%}
{{ exceptions.raise_compiler_error("ranks_to cannot be computed by snowflake: it has no tables of numbers") }}
{%- endmacro %}

{% macro bigquery__ranks_to(k) -%}
(
SELECT
    _r.rank
FROM (SELECT rank FROM UNNEST(GENERATE_ARRAY(1, {{ sqlmetrics.literal(k) }})) AS rank) AS _r
)
{%- endmacro %}

{% macro redshift__ranks_to(k) -%}
{{ exceptions.raise_compiler_error("ranks_to cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
