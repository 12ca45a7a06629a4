{#- False positives among the judged documents: those of the first k that are judged not relevant. -#}
{% macro judged_fp(j, k) %}
{{- return(adapter.dispatch('judged_fp', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__judged_fp(j, k) -%}
sum(CASE WHEN {{ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ j ~ '.relevance' }} >= 0 AND {{ j ~ '.relevant' }} = 0 THEN 1 ELSE 0 END)
{%- endmacro %}

{% macro clickhouse__judged_fp(j, k) -%}
{{ exceptions.raise_compiler_error("judged_fp cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__judged_fp(j, k) -%}
{{ exceptions.raise_compiler_error("judged_fp cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
