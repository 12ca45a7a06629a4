{#- How many of a document's preferences the run fulfils: the other document is further down, or not retrieved. -#}
{% macro fulfilled_preferences(pairs, rank, lower, lower_ret, lower_after) %}
{{- return(adapter.dispatch('fulfilled_preferences', 'sqlmetrics')(pairs, rank, lower, lower_ret, lower_after)) -}}
{% endmacro %}

{% macro default__fulfilled_preferences(pairs, rank, lower, lower_ret, lower_after) -%}
CASE WHEN {{ rank }} IS NULL THEN 0 ELSE {% if pairs == 'both' %}{{ lower_after }}{% else %}({{ lower_after }} + {{ lower }} - {{ lower_ret }}){% endif %} END
{%- endmacro %}

{% macro clickhouse__fulfilled_preferences(pairs, rank, lower, lower_ret, lower_after) -%}
{{ exceptions.raise_compiler_error("fulfilled_preferences cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__fulfilled_preferences(pairs, rank, lower, lower_ret, lower_after) -%}
{{ exceptions.raise_compiler_error("fulfilled_preferences cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
