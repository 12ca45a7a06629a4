{#- The share of preferences that the ranking fulfils: the better document is retrieved, the other one further down or not at all. -#}
{% macro prefs_simp(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('prefs_simp', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__prefs_simp(j) -%}
{{ sqlmetrics.ratio("sum(" ~ j ~ '.fulfilled' ~ ")", "sum(" ~ j ~ '.possible' ~ ")") }}
{%- endmacro %}

{% macro clickhouse__prefs_simp(j) -%}
{{ exceptions.raise_compiler_error("prefs_simp cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__prefs_simp(j) -%}
{{ exceptions.raise_compiler_error("prefs_simp cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
