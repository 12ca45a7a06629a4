{#- The number of relevant documents, retrieved or not. -#}
{% macro num_rel(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('num_rel', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__num_rel(j) -%}
(1e0 * sum({{ j ~ '.relevant' }}))
{%- endmacro %}

{% macro postgres__num_rel(j) -%}
(1e0::float8 * sum({{ j ~ '.relevant' }}))
{%- endmacro %}

{% macro clickhouse__num_rel(j) -%}
{{ exceptions.raise_compiler_error("num_rel cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__num_rel(j) -%}
(1e0::FLOAT * sum({{ j ~ '.relevant' }}))
{%- endmacro %}

{% macro redshift__num_rel(j) -%}
{{ exceptions.raise_compiler_error("num_rel cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
