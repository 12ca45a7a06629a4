{#- A share; 0 of nothing. -#}
{% macro ratio(part, whole) %}
{{- return(adapter.dispatch('ratio', 'sqlmetrics')(part, whole)) -}}
{% endmacro %}

{% macro default__ratio(part, whole) -%}
coalesce(1e0 * {{ part }} / nullif({{ whole }}, 0), 0e0)
{%- endmacro %}

{% macro postgres__ratio(part, whole) -%}
coalesce(1e0::float8 * {{ part }} / nullif({{ whole }}, 0), 0e0::float8)
{%- endmacro %}

{% macro clickhouse__ratio(part, whole) -%}
{{ exceptions.raise_compiler_error("ratio cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__ratio(part, whole) -%}
coalesce(1e0::FLOAT * {{ part }} / nullif({{ whole }}, 0), 0e0::FLOAT)
{%- endmacro %}

{% macro redshift__ratio(part, whole) -%}
{{ exceptions.raise_compiler_error("ratio cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
