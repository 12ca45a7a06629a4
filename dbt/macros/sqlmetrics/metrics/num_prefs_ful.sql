{#- The number of preferences that the ranking fulfils: the better document is retrieved, the other one further down or not at all. -#}
{% macro num_prefs_ful(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('num_prefs_ful', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__num_prefs_ful(j) -%}
(1e0 * sum({{ j ~ '.fulfilled' }}))
{%- endmacro %}

{% macro postgres__num_prefs_ful(j) -%}
(1e0::float8 * sum({{ j ~ '.fulfilled' }}))
{%- endmacro %}

{% macro clickhouse__num_prefs_ful(j) -%}
{{ exceptions.raise_compiler_error("num_prefs_ful cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__num_prefs_ful(j) -%}
(1e0::FLOAT * sum({{ j ~ '.fulfilled' }}))
{%- endmacro %}

{% macro redshift__num_prefs_ful(j) -%}
{{ exceptions.raise_compiler_error("num_prefs_ful cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
