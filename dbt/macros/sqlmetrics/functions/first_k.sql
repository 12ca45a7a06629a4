{#- Whether a document is among the first k. -#}
{% macro first_k(rank, k) %}
{{- return(adapter.dispatch('first_k', 'sqlmetrics')(rank, k)) -}}
{% endmacro %}

{% macro default__first_k(rank, k) -%}
({{ rank }} <= coalesce({{ k }}, {{ rank }}))
{%- endmacro %}

{% macro clickhouse__first_k(rank, k) -%}
{{ exceptions.raise_compiler_error("first_k cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__first_k(rank, k) -%}
{{ exceptions.raise_compiler_error("first_k cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
