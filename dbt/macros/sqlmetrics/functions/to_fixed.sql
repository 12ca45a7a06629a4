{#- A number in whole multiples of a fixed part of the highest, whose sums are the same in whatever order they are added. -#}
{% macro to_fixed(x, highest=65536) %}
{{- return(adapter.dispatch('to_fixed', 'sqlmetrics')(x, highest)) -}}
{% endmacro %}

{% macro default__to_fixed(x, highest) -%}
{{ x }}
{%- endmacro %}

{% macro clickhouse__to_fixed(x, highest) -%}
{{ exceptions.raise_compiler_error("to_fixed cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__to_fixed(x, highest) -%}
{{ exceptions.raise_compiler_error("to_fixed cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
