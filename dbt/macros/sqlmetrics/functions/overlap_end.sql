{#- The last rank at which two rankings are compared while they share so many documents. -#}
{% macro overlap_end(shared_until, longest, ranks) %}
{{- return(adapter.dispatch('overlap_end', 'sqlmetrics')(shared_until, longest, ranks)) -}}
{% endmacro %}

{% macro default__overlap_end(shared_until, longest, ranks) -%}
CASE
    WHEN {{ shared_until }} < {{ longest }} AND {{ shared_until }} < {% if ranks is none %}{{ longest }}{% else %}{{ sqlmetrics.literal(ranks) }}{% endif %}
    THEN {{ shared_until }}
    ELSE {% if ranks is none %}{{ longest }}{% else %}{{ sqlmetrics.literal(ranks) }}{% endif %}
END
{%- endmacro %}

{% macro clickhouse__overlap_end(shared_until, longest, ranks) -%}
{{ exceptions.raise_compiler_error("overlap_end cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__overlap_end(shared_until, longest, ranks) -%}
{{ exceptions.raise_compiler_error("overlap_end cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
