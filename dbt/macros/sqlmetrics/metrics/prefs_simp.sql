{#- The share of preferences that the ranking fulfils: the better document is retrieved, the other one further down or not at all. -#}
{% macro prefs_simp(j='j') %}
{{- return(adapter.dispatch('prefs_simp', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__prefs_simp(j) -%}
coalesce(1e0 * sum({{ j ~ '.fulfilled' }}) / nullif(sum({{ j ~ '.possible' }}), 0), 0e0)
{%- endmacro %}

{% macro postgres__prefs_simp(j) -%}
coalesce(1e0::float8 * sum({{ j ~ '.fulfilled' }}) / nullif(sum({{ j ~ '.possible' }}), 0), 0e0::float8)
{%- endmacro %}

{% macro clickhouse__prefs_simp(j) -%}
{{ exceptions.raise_compiler_error("prefs_simp cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__prefs_simp(j) -%}
coalesce(1e0::FLOAT * sum({{ j ~ '.fulfilled' }}) / nullif(sum({{ j ~ '.possible' }}), 0), 0e0::FLOAT)
{%- endmacro %}

{% macro redshift__prefs_simp(j) -%}
{{ exceptions.raise_compiler_error("prefs_simp cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
