{#- How many of the retrieved documents are among the first k. -#}
{% macro retrieved_at(k, num_ret) %}
{{- return(adapter.dispatch('retrieved_at', 'sqlmetrics')(k, num_ret)) -}}
{% endmacro %}

{% macro default__retrieved_at(k, num_ret) -%}
CASE WHEN {{ sqlmetrics.literal(k) }} < {{ num_ret }} THEN {{ sqlmetrics.literal(k) }} ELSE {{ num_ret }} END
{%- endmacro %}

{% macro clickhouse__retrieved_at(k, num_ret) -%}
{{ exceptions.raise_compiler_error("retrieved_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__retrieved_at(k, num_ret) -%}
{{ exceptions.raise_compiler_error("retrieved_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
