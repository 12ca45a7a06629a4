{#- The share of preferences that the ranking fulfils, averaged over pairs of documents, on which subtopics may differ. -#}
{% macro prefs_pair(j='j') %}
{{- return(adapter.dispatch('prefs_pair', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__prefs_pair(j) -%}
coalesce(1e0 * sum({{ j ~ '.pair_fulfilled' }}) / nullif(sum({{ j ~ '.pair_possible' }}), 0), 0e0)
{%- endmacro %}

{% macro postgres__prefs_pair(j) -%}
coalesce(1e0::float8 * sum({{ j ~ '.pair_fulfilled' }}) / nullif(sum({{ j ~ '.pair_possible' }}), 0), 0e0::float8)
{%- endmacro %}

{% macro clickhouse__prefs_pair(j) -%}
{{ exceptions.raise_compiler_error("prefs_pair cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__prefs_pair(j) -%}
coalesce(1e0::FLOAT * sum({{ j ~ '.pair_fulfilled' }}) / nullif(sum({{ j ~ '.pair_possible' }}), 0), 0e0::FLOAT)
{%- endmacro %}

{% macro redshift__prefs_pair(j) -%}
{{ exceptions.raise_compiler_error("prefs_pair cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
