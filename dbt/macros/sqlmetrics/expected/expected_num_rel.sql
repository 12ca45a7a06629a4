{#- The number of relevant documents, which the order of tied documents does not change. -#}
{% macro expected_num_rel(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('expected_num_rel', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__expected_num_rel(j) -%}
(1e0 * sum({{ j ~ '.relevant' }}))
{%- endmacro %}

{% macro postgres__expected_num_rel(j) -%}
(1e0::float8 * sum({{ j ~ '.relevant' }}))
{%- endmacro %}

{% macro clickhouse__expected_num_rel(j) -%}
{{ exceptions.raise_compiler_error("expected_num_rel cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__expected_num_rel(j) -%}
(1e0::FLOAT * sum({{ j ~ '.relevant' }}))
{%- endmacro %}

{% macro redshift__expected_num_rel(j) -%}
{{ exceptions.raise_compiler_error("expected_num_rel cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
