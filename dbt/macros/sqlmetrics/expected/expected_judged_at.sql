{#- The share of judged documents in expectation: each place that tied documents take up holds any of them with the same probability. -#}
{% macro expected_judged_at(j='j', k=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('expected_judged_at', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__expected_judged_at(j, k) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.relevance' ~ " >= 0 THEN " ~ sqlmetrics.first_k_chance(j, sqlmetrics.literal(k)) ~ " END"), sqlmetrics.retrieved_at(k, "max(" ~ j ~ '.num_ret' ~ ")")) }}
{%- endmacro %}

{% macro clickhouse__expected_judged_at(j, k) -%}
{{ exceptions.raise_compiler_error("expected_judged_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__expected_judged_at(j, k) -%}
{{ exceptions.raise_compiler_error("expected_judged_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
