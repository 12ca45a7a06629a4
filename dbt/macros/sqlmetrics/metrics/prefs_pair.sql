{#- The share of preferences that the ranking fulfils, averaged over pairs of documents, on which subtopics may differ. -#}
{% macro prefs_pair(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('prefs_pair', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__prefs_pair(j) -%}
{{ sqlmetrics.ratio(sqlmetrics.total(j ~ '.pair_fulfilled'), sqlmetrics.total(j ~ '.pair_possible')) }}
{%- endmacro %}

{% macro clickhouse__prefs_pair(j) -%}
{{ exceptions.raise_compiler_error("prefs_pair cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__prefs_pair(j) -%}
{{ exceptions.raise_compiler_error("prefs_pair cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
