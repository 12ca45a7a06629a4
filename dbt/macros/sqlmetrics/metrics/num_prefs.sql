{#- The number of preferences: pairs of documents of which one is judged more relevant than the other. -#}
{% macro num_prefs(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('num_prefs', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__num_prefs(j) -%}
(1e0 * sum({{ j ~ '.possible' }}))
{%- endmacro %}

{% macro postgres__num_prefs(j) -%}
(1e0::float8 * sum({{ j ~ '.possible' }}))
{%- endmacro %}

{% macro clickhouse__num_prefs(j) -%}
{{ exceptions.raise_compiler_error("num_prefs cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__num_prefs(j) -%}
(1e0::FLOAT * sum({{ j ~ '.possible' }}))
{%- endmacro %}

{% macro redshift__num_prefs(j) -%}
{{ exceptions.raise_compiler_error("num_prefs cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
