{#- How many relevant documents a recall stands for. -#}
{% macro recall_count(recall, num_rel, rounding) %}
{{- return(adapter.dispatch('recall_count', 'sqlmetrics')(recall, num_rel, rounding)) -}}
{% endmacro %}

{% macro default__recall_count(recall, num_rel, rounding) -%}
CAST(floor(1e0 * {{ recall }} * {{ num_rel }} + {{ sqlmetrics.literal(rounding) }}) AS BIGINT)
{%- endmacro %}

{% macro postgres__recall_count(recall, num_rel, rounding) -%}
CAST(floor(1e0::float8 * {{ recall }} * {{ num_rel }} + {{ sqlmetrics.literal(rounding) }}) AS BIGINT)
{%- endmacro %}

{% macro sqlite__recall_count(recall, num_rel, rounding) -%}
CAST(floor(1e0 * {{ recall }} * {{ num_rel }} + {{ sqlmetrics.literal(rounding) }}) AS INTEGER)
{%- endmacro %}

{% macro clickhouse__recall_count(recall, num_rel, rounding) -%}
{{ exceptions.raise_compiler_error("recall_count cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__recall_count(recall, num_rel, rounding) -%}
CAST(floor(1e0::FLOAT * {{ recall }} * {{ num_rel }} + {{ sqlmetrics.literal(rounding) }}) AS BIGINT)
{%- endmacro %}

{% macro bigquery__recall_count(recall, num_rel, rounding) -%}
CAST(floor(1e0 * {{ recall }} * {{ num_rel }} + {{ sqlmetrics.literal(rounding) }}) AS INT64)
{%- endmacro %}

{% macro redshift__recall_count(recall, num_rel, rounding) -%}
{{ exceptions.raise_compiler_error("recall_count cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
