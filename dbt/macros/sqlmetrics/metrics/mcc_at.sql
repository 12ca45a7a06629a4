{#- The correlation, over the collection, of being among the first k with being relevant. -#}
{% macro mcc_at(j='j', k=none, corpus_size=none) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('corpus_size', corpus_size, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('mcc_at', 'sqlmetrics')(j, k, corpus_size)) -}}
{% endmacro %}

{% macro default__mcc_at(j, k, corpus_size) -%}
{{ sqlmetrics.phi_coefficient("sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ sqlmetrics.literal(corpus_size) ~ " END)", "sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ sqlmetrics.first_of(k, j ~ '.num_ret') ~ " END)", "sum(" ~ j ~ '.relevant' ~ ")", "sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ (j ~ '.rank' if k is none else sqlmetrics.literal(k)) ~ " THEN " ~ j ~ '.relevant' ~ " ELSE 0 END)") }}
{%- endmacro %}

{% macro clickhouse__mcc_at(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("mcc_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__mcc_at(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("mcc_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
