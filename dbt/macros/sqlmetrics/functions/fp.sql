{#- False positives: documents among the first k that are not relevant, judged or not. -#}
{% macro fp(j, k) %}
{{- return(adapter.dispatch('fp', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__fp(j, k) -%}
({{ sqlmetrics.per_query(j, sqlmetrics.retrieved_at(k, j ~ '.num_ret')) }} - {{ sqlmetrics.tp(j, sqlmetrics.literal(k)) }})
{%- endmacro %}

{% macro clickhouse__fp(j, k) -%}
{{ exceptions.raise_compiler_error("fp cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__fp(j, k) -%}
{{ exceptions.raise_compiler_error("fp cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
