{#- How many documents of the collection are neither retrieved nor relevant. -#}
{% macro all_others(corpus_size, retrieved, num_rel, found) %}
{{- return(adapter.dispatch('all_others', 'sqlmetrics')(corpus_size, retrieved, num_rel, found)) -}}
{% endmacro %}

{% macro default__all_others(corpus_size, retrieved, num_rel, found) -%}
CASE
    WHEN {{ retrieved }} + {{ num_rel }} - {{ found }} > {{ corpus_size }} + 1e-6
    THEN CAST(fail('corpus_size ' || CAST({{ corpus_size }} AS VARCHAR) || ' is less than the ' || CAST({{ retrieved }} + {{ num_rel }} - {{ found }} AS VARCHAR) || ' documents that are retrieved or relevant') AS DOUBLE)
    ELSE 1e0 * ({{ corpus_size }} - ({{ retrieved }} + {{ num_rel }} - {{ found }}))
END
{%- endmacro %}

{% macro duckdb__all_others(corpus_size, retrieved, num_rel, found) -%}
CASE
    WHEN {{ retrieved }} + {{ num_rel }} - {{ found }} > {{ corpus_size }} + 1e-6
    THEN error('corpus_size ' || CAST({{ corpus_size }} AS TEXT) || ' is less than the ' || CAST({{ retrieved }} + {{ num_rel }} - {{ found }} AS TEXT) || ' documents that are retrieved or relevant')
    ELSE 1e0 * ({{ corpus_size }} - ({{ retrieved }} + {{ num_rel }} - {{ found }}))
END
{%- endmacro %}

{% macro spark__all_others(corpus_size, retrieved, num_rel, found) -%}
CASE
    WHEN {{ retrieved }} + {{ num_rel }} - {{ found }} > {{ corpus_size }} + 1e-6
    THEN raise_error('corpus_size ' || CAST({{ corpus_size }} AS STRING) || ' is less than the ' || CAST({{ retrieved }} + {{ num_rel }} - {{ found }} AS STRING) || ' documents that are retrieved or relevant')
    ELSE 1e0 * ({{ corpus_size }} - ({{ retrieved }} + {{ num_rel }} - {{ found }}))
END
{%- endmacro %}

{% macro postgres__all_others(corpus_size, retrieved, num_rel, found) -%}
CASE
    WHEN {{ retrieved }} + {{ num_rel }} - {{ found }} > {{ corpus_size }} + 1e-6::float8
    THEN CAST('corpus_size ' || CAST({{ corpus_size }} AS TEXT) || ' is less than the ' || CAST({{ retrieved }} + {{ num_rel }} - {{ found }} AS TEXT) || ' documents that are retrieved or relevant' AS DOUBLE PRECISION)
    ELSE 1e0::float8 * ({{ corpus_size }} - ({{ retrieved }} + {{ num_rel }} - {{ found }}))
END
{%- endmacro %}

{% macro sqlite__all_others(corpus_size, retrieved, num_rel, found) -%}
CASE
    WHEN {{ retrieved }} + {{ num_rel }} - {{ found }} > {{ corpus_size }} + 1e-6
    THEN json_extract('[]', 'corpus_size ' || CAST({{ corpus_size }} AS TEXT) || ' is less than the ' || CAST({{ retrieved }} + {{ num_rel }} - {{ found }} AS TEXT) || ' documents that are retrieved or relevant')
    ELSE 1e0 * ({{ corpus_size }} - ({{ retrieved }} + {{ num_rel }} - {{ found }}))
END
{%- endmacro %}

{% macro clickhouse__all_others(corpus_size, retrieved, num_rel, found) -%}
{{ exceptions.raise_compiler_error("all_others cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__all_others(corpus_size, retrieved, num_rel, found) -%}
CASE
    WHEN {{ retrieved }} + {{ num_rel }} - {{ found }} > {{ corpus_size }} + 1e-6::FLOAT
    THEN CAST('corpus_size ' || CAST({{ corpus_size }} AS VARCHAR) || ' is less than the ' || CAST({{ retrieved }} + {{ num_rel }} - {{ found }} AS VARCHAR) || ' documents that are retrieved or relevant' AS FLOAT)
    ELSE 1e0::FLOAT * ({{ corpus_size }} - ({{ retrieved }} + {{ num_rel }} - {{ found }}))
END
{%- endmacro %}

{% macro bigquery__all_others(corpus_size, retrieved, num_rel, found) -%}
CASE
    WHEN {{ retrieved }} + {{ num_rel }} - {{ found }} > {{ corpus_size }} + 1e-6
    THEN ERROR('corpus_size ' || CAST({{ corpus_size }} AS STRING) || ' is less than the ' || CAST({{ retrieved }} + {{ num_rel }} - {{ found }} AS STRING) || ' documents that are retrieved or relevant')
    ELSE 1e0 * ({{ corpus_size }} - ({{ retrieved }} + {{ num_rel }} - {{ found }}))
END
{%- endmacro %}

{% macro redshift__all_others(corpus_size, retrieved, num_rel, found) -%}
{{ exceptions.raise_compiler_error("all_others cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
