{#- The mean of recall and specificity: the accuracy if as many documents were relevant as not. -#}
{% macro balanced_accuracy_at(j='j', k=none, corpus_size=none) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('corpus_size', corpus_size, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('balanced_accuracy_at', 'sqlmetrics')(j, k, corpus_size)) -}}
{% endmacro %}

{% macro default__balanced_accuracy_at(j, k, corpus_size) -%}
{{ sqlmetrics.balanced_share("sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ sqlmetrics.literal(corpus_size) ~ " END)", "sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ sqlmetrics.first_of(k, j ~ '.num_ret') ~ " END)", "sum(" ~ j ~ '.relevant' ~ ")", "sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ (j ~ '.rank' if k is none else sqlmetrics.literal(k)) ~ " THEN " ~ j ~ '.relevant' ~ " ELSE 0 END)") }}
{%- endmacro %}

{% macro clickhouse__balanced_accuracy_at(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("balanced_accuracy_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__balanced_accuracy_at(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("balanced_accuracy_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
