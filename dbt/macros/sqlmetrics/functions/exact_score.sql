{#- The score of a document as it is compared: a 32-bit score keeps its value, and with it the ties that 32 bits make. -#}
{% macro exact_score(score) %}
{{- return(adapter.dispatch('exact_score', 'sqlmetrics')(score)) -}}
{% endmacro %}

{% macro default__exact_score(score) -%}
CAST({{ score }} AS DOUBLE)
{%- endmacro %}

{% macro postgres__exact_score(score) -%}
CAST({{ score }} AS DOUBLE PRECISION)
{%- endmacro %}

{% macro sqlite__exact_score(score) -%}
CAST({{ score }} AS REAL)
{%- endmacro %}

{% macro clickhouse__exact_score(score) -%}
{{ exceptions.raise_compiler_error("exact_score cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro bigquery__exact_score(score) -%}
CAST({{ score }} AS FLOAT64)
{%- endmacro %}

{% macro redshift__exact_score(score) -%}
{{ exceptions.raise_compiler_error("exact_score cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
