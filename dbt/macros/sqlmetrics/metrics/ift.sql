{#- The gain per document seen by a user who forages: for a gain of T in all, and as long as a gain of A per document is found. -#}
{% macro ift(j='j', expected='utility') %}
{% do sqlmetrics.require('expected', expected, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('ift', 'sqlmetrics')(j, expected)) -}}
{% endmacro %}

{% macro default__ift(j, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum(" ~ j ~ '.gain' ~ " * " ~ j ~ '.reach' ~ ")", "sum(" ~ j ~ '.span' ~ " * " ~ j ~ '.reach' ~ ")", "sum(" ~ j ~ '.gain' ~ " * " ~ j ~ '.reach_beyond' ~ ")", "sum((" ~ j ~ '.until' ~ " - " ~ j ~ '.rank' ~ " + 1) * " ~ j ~ '.reach_beyond' ~ ")", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro clickhouse__ift(j, expected) -%}
{{ exceptions.raise_compiler_error("ift cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__ift(j, expected) -%}
{{ exceptions.raise_compiler_error("ift cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
