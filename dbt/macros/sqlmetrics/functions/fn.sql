{#- False negatives: relevant documents that are not among the first k. -#}
{% macro fn(j, k) %}
{{- return(adapter.dispatch('fn', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__fn(j, k) -%}
(sum({{ j ~ '.relevant' }}) - {{ sqlmetrics.tp(j, sqlmetrics.literal(k)) }})
{%- endmacro %}

{% macro clickhouse__fn(j, k) -%}
{{ exceptions.raise_compiler_error("fn cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__fn(j, k) -%}
{{ exceptions.raise_compiler_error("fn cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
