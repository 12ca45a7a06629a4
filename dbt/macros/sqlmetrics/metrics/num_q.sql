{#- The number of queries. -#}
{% macro num_q(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('num_q', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__num_q(j) -%}
{{ sqlmetrics.per_query(j, "1e0") }}
{%- endmacro %}

{% macro postgres__num_q(j) -%}
{{ sqlmetrics.per_query(j, "1e0::float8") }}
{%- endmacro %}

{% macro clickhouse__num_q(j) -%}
{{ exceptions.raise_compiler_error("num_q cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__num_q(j) -%}
{{ sqlmetrics.per_query(j, "1e0::FLOAT") }}
{%- endmacro %}

{% macro redshift__num_q(j) -%}
{{ exceptions.raise_compiler_error("num_q cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
