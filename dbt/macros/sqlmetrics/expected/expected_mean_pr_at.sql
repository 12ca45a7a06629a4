{#- The mean of precision and recall in expectation: it grows evenly with the relevant documents found, and all else is the same for all orders of tied documents. -#}
{% macro expected_mean_pr_at(j='j', k=none, mean='arithmetic') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('mean', mean, {"must": "one of arithmetic, geometric", "words": ["arithmetic", "geometric"]}) %}
{{- return(adapter.dispatch('expected_mean_pr_at', 'sqlmetrics')(j, k, mean)) -}}
{% endmacro %}

{% macro default__expected_mean_pr_at(j, k, mean) -%}
{% if mean == 'arithmetic' %}(({{ sqlmetrics.expected_precision_at(j, k=k) }} + {{ sqlmetrics.expected_recall_at(j, k=k) }}) / 2){% elif mean == 'geometric' %}sqrt({{ sqlmetrics.expected_precision_at(j, k=k) }} * {{ sqlmetrics.expected_recall_at(j, k=k) }}){% else %}NULL{% endif %}
{%- endmacro %}

{% macro clickhouse__expected_mean_pr_at(j, k, mean) -%}
{{ exceptions.raise_compiler_error("expected_mean_pr_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__expected_mean_pr_at(j, k, mean) -%}
{{ exceptions.raise_compiler_error("expected_mean_pr_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
