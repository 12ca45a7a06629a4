{#- The gain per document seen by a user who wants a gain of T and goes on the less readily, the nearer it is. -#}
{% macro inst(j='j', expected='utility') %}
{% do sqlmetrics.require('expected', expected, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('inst', 'sqlmetrics')(j, expected)) -}}
{% endmacro %}

{% macro default__inst(j, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum(" ~ j ~ '.gain' ~ " * " ~ j ~ '.reach' ~ ")", "sum(" ~ j ~ '.span' ~ " * " ~ j ~ '.reach' ~ ")", "sum(" ~ j ~ '.gain' ~ " * " ~ j ~ '.reach_beyond' ~ ")", "sum((" ~ j ~ '.until' ~ " - " ~ j ~ '.rank' ~ " + 1) * " ~ j ~ '.reach_beyond' ~ ")", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro clickhouse__inst(j, expected) -%}
{{ exceptions.raise_compiler_error("inst cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__inst(j, expected) -%}
{{ exceptions.raise_compiler_error("inst cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
