{#- False negatives, on average over all orders of tied documents. -#}
{% macro expected_fn(j, k) %}
{{- return(adapter.dispatch('expected_fn', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__expected_fn(j, k) -%}
(sum({{ j ~ '.relevant' }}) - {{ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) }})
{%- endmacro %}

{% macro clickhouse__expected_fn(j, k) -%}
{{ exceptions.raise_compiler_error("expected_fn cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__expected_fn(j, k) -%}
{{ exceptions.raise_compiler_error("expected_fn cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
