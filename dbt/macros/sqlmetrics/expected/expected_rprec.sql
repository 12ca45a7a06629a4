{#- R-precision in expectation: each place that tied documents take up holds any of them with the same probability. -#}
{% macro expected_rprec(j='j', multiple=1) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('multiple', multiple, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{{- return(adapter.dispatch('expected_rprec', 'sqlmetrics')(j, multiple)) -}}
{% endmacro %}

{% macro default__expected_rprec(j, multiple) -%}
{{ sqlmetrics.ratio(sqlmetrics.expected_tp(j, sqlmetrics.recall_count(sqlmetrics.literal(multiple), j ~ '.num_rel', 0.9)), sqlmetrics.per_query(j, sqlmetrics.recall_count(sqlmetrics.literal(multiple), j ~ '.num_rel', 0.9))) }}
{%- endmacro %}

{% macro clickhouse__expected_rprec(j, multiple) -%}
{{ exceptions.raise_compiler_error("expected_rprec cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__expected_rprec(j, multiple) -%}
{{ exceptions.raise_compiler_error("expected_rprec cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
