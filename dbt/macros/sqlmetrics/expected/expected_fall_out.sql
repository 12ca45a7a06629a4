{#- Fall-out in expectation: each place that tied documents take up holds any of them with the same probability. -#}
{% macro expected_fall_out(j='j', k=none, corpus_size=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('corpus_size', corpus_size, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('expected_fall_out', 'sqlmetrics')(j, k, corpus_size)) -}}
{% endmacro %}

{% macro default__expected_fall_out(j, k, corpus_size) -%}
{% if corpus_size is none %}{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.relevance' ~ " >= 0 THEN (1 - " ~ j ~ '.relevant' ~ ") * " ~ sqlmetrics.first_k_chance(j, sqlmetrics.literal(k)) ~ " END"), sqlmetrics.per_query(j, j ~ '.num_nonrel')) }}{% else %}{{ sqlmetrics.ratio(sqlmetrics.expected_fp(j, k), "(" ~ sqlmetrics.expected_fp(j, k) ~ " + " ~ sqlmetrics.expected_tn(j, k, corpus_size) ~ ")") }}{% endif %}
{%- endmacro %}

{% macro clickhouse__expected_fall_out(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("expected_fall_out cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__expected_fall_out(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("expected_fall_out cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
