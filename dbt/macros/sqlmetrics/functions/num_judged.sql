{#- How many of the first k documents are judged. -#}
{% macro num_judged(j, k) %}
{{- return(adapter.dispatch('num_judged', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__num_judged(j, k) -%}
sum(CASE WHEN {{ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ j ~ '.relevance' }} >= 0 THEN 1 ELSE 0 END)
{%- endmacro %}

{% macro clickhouse__num_judged(j, k) -%}
{{ exceptions.raise_compiler_error("num_judged cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__num_judged(j, k) -%}
{{ exceptions.raise_compiler_error("num_judged cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
