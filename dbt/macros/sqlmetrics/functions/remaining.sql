{#- How many documents of the collection are left beside some of them. -#}
{% macro remaining(corpus_size, documents) %}
{{- return(adapter.dispatch('remaining', 'sqlmetrics')(corpus_size, documents)) -}}
{% endmacro %}

{% macro default__remaining(corpus_size, documents) -%}
CASE
    WHEN {{ documents }} > {{ corpus_size }} + 1e-6
    THEN CAST(fail('corpus_size ' || CAST({{ corpus_size }} AS VARCHAR) || ' is less than the ' || CAST({{ documents }} AS VARCHAR) || ' documents that are retrieved or relevant') AS DOUBLE)
    ELSE 1e0 * ({{ corpus_size }} - {{ documents }})
END
{%- endmacro %}

{% macro duckdb__remaining(corpus_size, documents) -%}
CASE
    WHEN {{ documents }} > {{ corpus_size }} + 1e-6
    THEN error('corpus_size ' || CAST({{ corpus_size }} AS TEXT) || ' is less than the ' || CAST({{ documents }} AS TEXT) || ' documents that are retrieved or relevant')
    ELSE 1e0 * ({{ corpus_size }} - {{ documents }})
END
{%- endmacro %}

{% macro spark__remaining(corpus_size, documents) -%}
CASE
    WHEN {{ documents }} > {{ corpus_size }} + 1e-6
    THEN raise_error('corpus_size ' || CAST({{ corpus_size }} AS STRING) || ' is less than the ' || CAST({{ documents }} AS STRING) || ' documents that are retrieved or relevant')
    ELSE 1e0 * ({{ corpus_size }} - {{ documents }})
END
{%- endmacro %}

{% macro postgres__remaining(corpus_size, documents) -%}
CASE
    WHEN {{ documents }} > {{ corpus_size }} + 1e-6::float8
    THEN CAST('corpus_size ' || CAST({{ corpus_size }} AS TEXT) || ' is less than the ' || CAST({{ documents }} AS TEXT) || ' documents that are retrieved or relevant' AS DOUBLE PRECISION)
    ELSE 1e0::float8 * ({{ corpus_size }} - {{ documents }})
END
{%- endmacro %}

{% macro sqlite__remaining(corpus_size, documents) -%}
CASE
    WHEN {{ documents }} > {{ corpus_size }} + 1e-6
    THEN json_extract('[]', 'corpus_size ' || CAST({{ corpus_size }} AS TEXT) || ' is less than the ' || CAST({{ documents }} AS TEXT) || ' documents that are retrieved or relevant')
    ELSE 1e0 * ({{ corpus_size }} - {{ documents }})
END
{%- endmacro %}

{% macro clickhouse__remaining(corpus_size, documents) -%}
{{ exceptions.raise_compiler_error("remaining cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__remaining(corpus_size, documents) -%}
CASE
    WHEN {{ documents }} > {{ corpus_size }} + 1e-6::FLOAT
    THEN CAST('corpus_size ' || CAST({{ corpus_size }} AS VARCHAR) || ' is less than the ' || CAST({{ documents }} AS VARCHAR) || ' documents that are retrieved or relevant' AS FLOAT)
    ELSE 1e0::FLOAT * ({{ corpus_size }} - {{ documents }})
END
{%- endmacro %}

{% macro bigquery__remaining(corpus_size, documents) -%}
CASE
    WHEN {{ documents }} > {{ corpus_size }} + 1e-6
    THEN ERROR('corpus_size ' || CAST({{ corpus_size }} AS STRING) || ' is less than the ' || CAST({{ documents }} AS STRING) || ' documents that are retrieved or relevant')
    ELSE 1e0 * ({{ corpus_size }} - {{ documents }})
END
{%- endmacro %}

{% macro redshift__remaining(corpus_size, documents) -%}
{{ exceptions.raise_compiler_error("remaining cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
