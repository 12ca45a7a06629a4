{#- The number of documents of one score, once it is known: judged_only with a depth leaves it to chance. -#}
{% macro require_ties(num_tied) %}
{{- return(adapter.dispatch('require_ties', 'sqlmetrics')(num_tied)) -}}
{% endmacro %}

{% macro default__require_ties(num_tied) -%}
coalesce(
    {{ num_tied }},
    CAST(fail('judged_only with depth leaves no expected score' || CAST({{ num_tied }} AS VARCHAR)) AS DOUBLE)
)
{%- endmacro %}

{% macro duckdb__require_ties(num_tied) -%}
coalesce(
    {{ num_tied }},
    error('judged_only with depth leaves no expected score' || CAST({{ num_tied }} AS TEXT))
)
{%- endmacro %}

{% macro spark__require_ties(num_tied) -%}
coalesce(
    {{ num_tied }},
    raise_error('judged_only with depth leaves no expected score' || CAST({{ num_tied }} AS STRING))
)
{%- endmacro %}

{% macro postgres__require_ties(num_tied) -%}
coalesce(
    {{ num_tied }},
    CAST('judged_only with depth leaves no expected score' || CAST({{ num_tied }} AS TEXT) AS DOUBLE PRECISION)
)
{%- endmacro %}

{% macro sqlite__require_ties(num_tied) -%}
coalesce(
    {{ num_tied }},
    json_extract('[]', 'judged_only with depth leaves no expected score' || CAST({{ num_tied }} AS TEXT))
)
{%- endmacro %}

{% macro clickhouse__require_ties(num_tied) -%}
{{ exceptions.raise_compiler_error("require_ties cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__require_ties(num_tied) -%}
coalesce(
    {{ num_tied }},
    CAST('judged_only with depth leaves no expected score' || CAST({{ num_tied }} AS VARCHAR) AS FLOAT)
)
{%- endmacro %}

{% macro bigquery__require_ties(num_tied) -%}
coalesce(
    {{ num_tied }},
    ERROR('judged_only with depth leaves no expected score' || CAST({{ num_tied }} AS STRING))
)
{%- endmacro %}

{% macro redshift__require_ties(num_tied) -%}
{{ exceptions.raise_compiler_error("require_ties cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
