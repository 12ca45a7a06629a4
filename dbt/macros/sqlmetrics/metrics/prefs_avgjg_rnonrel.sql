{#- The share of preferences that the ranking fulfils, averaged over subtopics, each as if as many documents were judged not relevant as are relevant. -#}
{% macro prefs_avgjg_rnonrel(j='j') %}
{{- return(adapter.dispatch('prefs_avgjg_rnonrel', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__prefs_avgjg_rnonrel(j) -%}
coalesce(
    sum(1e0 * {{ j ~ '.balanced_fulfilled' }} / nullif({{ j ~ '.balanced_group_possible' }}, 0)) / nullif(sum(CASE WHEN {{ j ~ '.group_place' }} = 1 THEN 1 END), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__prefs_avgjg_rnonrel(j) -%}
coalesce(
    sum(1e0::float8 * {{ j ~ '.balanced_fulfilled' }} / nullif({{ j ~ '.balanced_group_possible' }}, 0)) / nullif(sum(CASE WHEN {{ j ~ '.group_place' }} = 1 THEN 1 END), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__prefs_avgjg_rnonrel(j) -%}
{{ exceptions.raise_compiler_error("prefs_avgjg_rnonrel cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__prefs_avgjg_rnonrel(j) -%}
coalesce(
    sum(1e0::FLOAT * {{ j ~ '.balanced_fulfilled' }} / nullif({{ j ~ '.balanced_group_possible' }}, 0)) / nullif(sum(CASE WHEN {{ j ~ '.group_place' }} = 1 THEN 1 END), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__prefs_avgjg_rnonrel(j) -%}
{{ exceptions.raise_compiler_error("prefs_avgjg_rnonrel cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
