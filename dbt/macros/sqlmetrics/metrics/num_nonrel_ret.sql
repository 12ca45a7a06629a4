{#- The number of documents retrieved that were judged not relevant. -#}
{% macro num_nonrel_ret(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('num_nonrel_ret', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__num_nonrel_ret(j) -%}
(1e0 * {{ sqlmetrics.judged_fp(j, none) }})
{%- endmacro %}

{% macro postgres__num_nonrel_ret(j) -%}
(1e0::float8 * {{ sqlmetrics.judged_fp(j, none) }})
{%- endmacro %}

{% macro clickhouse__num_nonrel_ret(j) -%}
{{ exceptions.raise_compiler_error("num_nonrel_ret cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__num_nonrel_ret(j) -%}
(1e0::FLOAT * {{ sqlmetrics.judged_fp(j, none) }})
{%- endmacro %}

{% macro redshift__num_nonrel_ret(j) -%}
{{ exceptions.raise_compiler_error("num_nonrel_ret cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
