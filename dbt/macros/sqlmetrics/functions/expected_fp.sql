{#- False positives, on average over all orders of tied documents. -#}
{% macro expected_fp(j, k) %}
{{- return(adapter.dispatch('expected_fp', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__expected_fp(j, k) -%}
({{ sqlmetrics.per_query(j, sqlmetrics.retrieved_at(k, j ~ '.num_ret')) }} - {{ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) }})
{%- endmacro %}

{% macro clickhouse__expected_fp(j, k) -%}
{{ exceptions.raise_compiler_error("expected_fp cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__expected_fp(j, k) -%}
{{ exceptions.raise_compiler_error("expected_fp cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
