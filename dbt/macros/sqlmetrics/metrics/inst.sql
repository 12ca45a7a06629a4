{#- The gain per document seen by a user who wants a gain of T and goes on the less readily, the nearer it is. -#}
{% macro inst(j='j', measure='utility') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('measure', measure, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('inst', 'sqlmetrics')(j, measure)) -}}
{% endmacro %}

{% macro default__inst(j, measure) -%}
{{ sqlmetrics.adaptive_user(j, measure) }}
{%- endmacro %}

{% macro clickhouse__inst(j, measure) -%}
{{ exceptions.raise_compiler_error("inst cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__inst(j, measure) -%}
{{ exceptions.raise_compiler_error("inst cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
