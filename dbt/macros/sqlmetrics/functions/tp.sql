{#- True positives: relevant documents among the first k. -#}
{% macro tp(j, k) %}
{{- return(adapter.dispatch('tp', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__tp(j, k) -%}
sum(CASE WHEN {{ sqlmetrics.first_k(j ~ '.rank', k) }} THEN {{ j ~ '.relevant' }} ELSE 0 END)
{%- endmacro %}

{% macro clickhouse__tp(j, k) -%}
{{ exceptions.raise_compiler_error("tp cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__tp(j, k) -%}
{{ exceptions.raise_compiler_error("tp cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
