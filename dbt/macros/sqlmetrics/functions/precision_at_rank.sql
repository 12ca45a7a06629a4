{#- Precision at the document's own rank; NULL when it was not retrieved. -#}
{% macro precision_at_rank(j) %}
{{- return(adapter.dispatch('precision_at_rank', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__precision_at_rank(j) -%}
(1e0 * {{ j ~ '.hits' }} / {{ j ~ '.rank' }})
{%- endmacro %}

{% macro postgres__precision_at_rank(j) -%}
(1e0::float8 * {{ j ~ '.hits' }} / {{ j ~ '.rank' }})
{%- endmacro %}

{% macro clickhouse__precision_at_rank(j) -%}
{{ exceptions.raise_compiler_error("precision_at_rank cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__precision_at_rank(j) -%}
(1e0::FLOAT * {{ j ~ '.hits' }} / {{ j ~ '.rank' }})
{%- endmacro %}

{% macro redshift__precision_at_rank(j) -%}
{{ exceptions.raise_compiler_error("precision_at_rank cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
