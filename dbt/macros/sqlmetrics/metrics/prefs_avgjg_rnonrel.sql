{#- The share of preferences that the ranking fulfils, averaged over subtopics, each as if as many documents were judged not relevant as are relevant. -#}
{% macro prefs_avgjg_rnonrel(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('prefs_avgjg_rnonrel', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__prefs_avgjg_rnonrel(j) -%}
{{ sqlmetrics.ratio(sqlmetrics.total(sqlmetrics.ratio(j ~ '.balanced_fulfilled', j ~ '.balanced_group_possible')), "count(CASE WHEN " ~ j ~ '.group_place' ~ " = 1 THEN 1 END)") }}
{%- endmacro %}

{% macro clickhouse__prefs_avgjg_rnonrel(j) -%}
{{ exceptions.raise_compiler_error("prefs_avgjg_rnonrel cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__prefs_avgjg_rnonrel(j) -%}
{{ exceptions.raise_compiler_error("prefs_avgjg_rnonrel cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
