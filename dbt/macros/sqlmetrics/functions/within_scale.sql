{#- The relevance itself, once it is known to lie within the grade scale. -#}
{% macro within_scale(relevance, max_rel) %}
{{- return(adapter.dispatch('within_scale', 'sqlmetrics')(relevance, max_rel)) -}}
{% endmacro %}

{% macro default__within_scale(relevance, max_rel) -%}
CASE
    WHEN {{ relevance }} > {{ max_rel }}
    THEN CAST(fail('relevance ' || CAST({{ relevance }} AS VARCHAR) || ' is above max_rel ' || CAST({{ max_rel }} AS VARCHAR)) AS DOUBLE)
    ELSE {{ relevance }}
END
{%- endmacro %}

{% macro duckdb__within_scale(relevance, max_rel) -%}
CASE
    WHEN {{ relevance }} > {{ max_rel }}
    THEN error('relevance ' || CAST({{ relevance }} AS TEXT) || ' is above max_rel ' || CAST({{ max_rel }} AS TEXT))
    ELSE {{ relevance }}
END
{%- endmacro %}

{% macro spark__within_scale(relevance, max_rel) -%}
CASE
    WHEN {{ relevance }} > {{ max_rel }}
    THEN raise_error('relevance ' || CAST({{ relevance }} AS STRING) || ' is above max_rel ' || CAST({{ max_rel }} AS STRING))
    ELSE {{ relevance }}
END
{%- endmacro %}

{% macro postgres__within_scale(relevance, max_rel) -%}
CASE
    WHEN {{ relevance }} > {{ max_rel }}
    THEN CAST('relevance ' || CAST({{ relevance }} AS TEXT) || ' is above max_rel ' || CAST({{ max_rel }} AS TEXT) AS DOUBLE PRECISION)
    ELSE {{ relevance }}
END
{%- endmacro %}

{% macro sqlite__within_scale(relevance, max_rel) -%}
CASE
    WHEN {{ relevance }} > {{ max_rel }}
    THEN json_extract('[]', 'relevance ' || CAST({{ relevance }} AS TEXT) || ' is above max_rel ' || CAST({{ max_rel }} AS TEXT))
    ELSE {{ relevance }}
END
{%- endmacro %}

{% macro clickhouse__within_scale(relevance, max_rel) -%}
{{ exceptions.raise_compiler_error("within_scale cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__within_scale(relevance, max_rel) -%}
CASE
    WHEN {{ relevance }} > {{ max_rel }}
    THEN CAST('relevance ' || CAST({{ relevance }} AS VARCHAR) || ' is above max_rel ' || CAST({{ max_rel }} AS VARCHAR) AS FLOAT)
    ELSE {{ relevance }}
END
{%- endmacro %}

{% macro bigquery__within_scale(relevance, max_rel) -%}
CASE
    WHEN {{ relevance }} > {{ max_rel }}
    THEN ERROR('relevance ' || CAST({{ relevance }} AS STRING) || ' is above max_rel ' || CAST({{ max_rel }} AS STRING))
    ELSE {{ relevance }}
END
{%- endmacro %}

{% macro redshift__within_scale(relevance, max_rel) -%}
{{ exceptions.raise_compiler_error("within_scale cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
