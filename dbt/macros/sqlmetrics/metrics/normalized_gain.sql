{#- The gain of each document, divided by a discount that grows with what the ranking has missed of the ideal gain so far. -#}
{% macro normalized_gain(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('normalized_gain', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__normalized_gain(j) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("(" ~ j ~ '.own_gain' ~ " / " ~ sqlmetrics.rank_discount("(1 + " ~ j ~ '.rank' ~ " + " ~ j ~ '.ideal_surplus' ~ " - " ~ j ~ '.cg' ~ ")", 'log', 2) ~ ")"), sqlmetrics.total(j ~ '.own_gain')) }}
{%- endmacro %}

{% macro clickhouse__normalized_gain(j) -%}
{{ exceptions.raise_compiler_error("normalized_gain cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__normalized_gain(j) -%}
{{ exceptions.raise_compiler_error("normalized_gain cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
