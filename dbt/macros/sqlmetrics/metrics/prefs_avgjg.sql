{#- The share of preferences that the ranking fulfils, averaged over subtopics (judgment groups). -#}
{% macro prefs_avgjg(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('prefs_avgjg', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__prefs_avgjg(j) -%}
{{ sqlmetrics.ratio(sqlmetrics.total(sqlmetrics.ratio(j ~ '.fulfilled', j ~ '.group_possible')), "count(CASE WHEN " ~ j ~ '.group_place' ~ " = 1 THEN 1 END)") }}
{%- endmacro %}

{% macro clickhouse__prefs_avgjg(j) -%}
{{ exceptions.raise_compiler_error("prefs_avgjg cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__prefs_avgjg(j) -%}
{{ exceptions.raise_compiler_error("prefs_avgjg cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
