{#- The relevant documents of each query in the order in which each gains most after all that stand above it. -#}
{% macro greedy_ranking(subtopics, alpha) %}
{{- return(adapter.dispatch('greedy_ranking', 'sqlmetrics')(subtopics, alpha)) -}}
{% endmacro %}

{% macro default__greedy_ranking(subtopics, alpha) -%}
{{ exceptions.raise_compiler_error("greedy_ranking cannot be computed by duckdb: it has no recursion over lists") }}
{%- endmacro %}

{% macro spark__greedy_ranking(subtopics, alpha) -%}
{{ exceptions.raise_compiler_error("greedy_ranking cannot be computed by spark: it has no recursion over lists") }}
{%- endmacro %}

{% macro postgres__greedy_ranking(subtopics, alpha) -%}
{{ exceptions.raise_compiler_error("greedy_ranking cannot be computed by postgres: it has no recursion over lists") }}
{%- endmacro %}

{% macro sqlite__greedy_ranking(subtopics, alpha) -%}
{{ exceptions.raise_compiler_error("greedy_ranking cannot be computed by sqlite: it has no recursion over lists") }}
{%- endmacro %}

{% macro clickhouse__greedy_ranking(subtopics, alpha) -%}
{{ exceptions.raise_compiler_error("greedy_ranking cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__greedy_ranking(subtopics, alpha) -%}
{{ exceptions.raise_compiler_error("greedy_ranking cannot be computed by snowflake: it has no recursion over lists") }}
{%- endmacro %}

{% macro bigquery__greedy_ranking(subtopics, alpha) -%}
{{ exceptions.raise_compiler_error("greedy_ranking cannot be computed by bigquery: it has no recursion over lists") }}
{%- endmacro %}

{% macro redshift__greedy_ranking(subtopics, alpha) -%}
{{ exceptions.raise_compiler_error("greedy_ranking cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}

{% macro trino__greedy_ranking(subtopics, alpha) -%}
{{ exceptions.raise_compiler_error("greedy_ranking cannot be computed by trino: it has no recursion over lists") }}
{%- endmacro %}

{% macro athena__greedy_ranking(subtopics, alpha) -%}
{{ exceptions.raise_compiler_error("greedy_ranking cannot be computed by athena: it has no recursion over lists") }}
{%- endmacro %}
