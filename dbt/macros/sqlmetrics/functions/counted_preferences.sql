{#- How many of a document's preferences count. -#}
{% macro counted_preferences(pairs, rank, lower, lower_ret) %}
{{- return(adapter.dispatch('counted_preferences', 'sqlmetrics')(pairs, rank, lower, lower_ret)) -}}
{% endmacro %}

{% macro default__counted_preferences(pairs, rank, lower, lower_ret) -%}
{% if not (pairs in ('judged', 'either', 'both',)) %}{{ exceptions.raise_compiler_error("pairs is 'judged', 'either' or 'both', not '" ~ pairs ~ "'") }}{% else %}CASE
    WHEN {{ sqlmetrics.literal(pairs) }} = 'judged' OR ({{ sqlmetrics.literal(pairs) }} = 'either' AND {{ rank }} IS NOT NULL)
    THEN {{ lower }}
    ELSE CASE
        WHEN {{ sqlmetrics.literal(pairs) }} = 'either' OR {{ rank }} IS NOT NULL
        THEN {{ lower_ret }}
        ELSE 0
    END
END{% endif %}
{%- endmacro %}

{% macro clickhouse__counted_preferences(pairs, rank, lower, lower_ret) -%}
{{ exceptions.raise_compiler_error("counted_preferences cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__counted_preferences(pairs, rank, lower, lower_ret) -%}
{{ exceptions.raise_compiler_error("counted_preferences cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
