{#- How many documents of a kind have the score of this one or a higher one; those not retrieved are tied below all others. -#}
{% macro at_or_above(first_rank, above, tied, total) %}
{{- return(adapter.dispatch('at_or_above', 'sqlmetrics')(first_rank, above, tied, total)) -}}
{% endmacro %}

{% macro default__at_or_above(first_rank, above, tied, total) -%}
CASE WHEN {{ first_rank }} IS NULL THEN {{ total }} ELSE {{ above }} + {{ tied }} END
{%- endmacro %}

{% macro clickhouse__at_or_above(first_rank, above, tied, total) -%}
{{ exceptions.raise_compiler_error("at_or_above cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__at_or_above(first_rank, above, tied, total) -%}
{{ exceptions.raise_compiler_error("at_or_above cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
