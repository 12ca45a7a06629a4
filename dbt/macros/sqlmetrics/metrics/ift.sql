{#- The gain per document seen by a user who forages: for a gain of T in all, and as long as a gain of A per document is found. -#}
{% macro ift(j='j', measure='utility') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('measure', measure, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('ift', 'sqlmetrics')(j, measure)) -}}
{% endmacro %}

{% macro default__ift(j, measure) -%}
{{ sqlmetrics.adaptive_user(j, measure) }}
{%- endmacro %}

{% macro clickhouse__ift(j, measure) -%}
{{ exceptions.raise_compiler_error("ift cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__ift(j, measure) -%}
{{ exceptions.raise_compiler_error("ift cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
