{#- The number that whole multiples of a fixed part of the highest stand for. -#}
{% macro from_fixed(n, highest=65536) %}
{{- return(adapter.dispatch('from_fixed', 'sqlmetrics')(n, highest)) -}}
{% endmacro %}

{% macro default__from_fixed(n, highest) -%}
{{ n }}
{%- endmacro %}

{% macro clickhouse__from_fixed(n, highest) -%}
{{ exceptions.raise_compiler_error("from_fixed cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__from_fixed(n, highest) -%}
{{ exceptions.raise_compiler_error("from_fixed cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
