{#- The number of queries. -#}
{% macro num_q(j='j') %}
{{- return(adapter.dispatch('num_q', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__num_q(j) -%}
sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN 1e0 ELSE 0e0 END)
{%- endmacro %}

{% macro postgres__num_q(j) -%}
sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN 1e0::float8 ELSE 0e0::float8 END)
{%- endmacro %}

{% macro clickhouse__num_q(j) -%}
{{ exceptions.raise_compiler_error("num_q cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__num_q(j) -%}
sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN 1e0::FLOAT ELSE 0e0::FLOAT END)
{%- endmacro %}

{% macro redshift__num_q(j) -%}
{{ exceptions.raise_compiler_error("num_q cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
