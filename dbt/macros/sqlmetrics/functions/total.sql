{#- The sum of numbers, the same to the last digit whatever the order of rows and the number of threads: numbers below 65536 are added in fixed parts, larger ones by size. -#}
{% macro total(x) %}
{{- return(adapter.dispatch('total', 'sqlmetrics')(x)) -}}
{% endmacro %}

{% macro default__total(x) -%}
sum({{ x }})
{%- endmacro %}

{% macro clickhouse__total(x) -%}
{{ exceptions.raise_compiler_error("total cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__total(x) -%}
{{ exceptions.raise_compiler_error("total cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
