{#- True positives, on average over all orders of tied documents. -#}
{% macro expected_tp(j, k) %}
{{- return(adapter.dispatch('expected_tp', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__expected_tp(j, k) -%}
{{ sqlmetrics.total("(" ~ j ~ '.relevant' ~ " * " ~ sqlmetrics.first_k_chance(j, k) ~ ")") }}
{%- endmacro %}

{% macro clickhouse__expected_tp(j, k) -%}
{{ exceptions.raise_compiler_error("expected_tp cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__expected_tp(j, k) -%}
{{ exceptions.raise_compiler_error("expected_tp cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
