{#- 1 for one row of each subtopic that counts, else 0. -#}
{% macro counted_subtopic(subtopics, ideal_rank, relevant) %}
{{- return(adapter.dispatch('counted_subtopic', 'sqlmetrics')(subtopics, ideal_rank, relevant)) -}}
{% endmacro %}

{% macro default__counted_subtopic(subtopics, ideal_rank, relevant) -%}
{% if not (subtopics in ('relevant', 'judged',)) %}{{ exceptions.raise_compiler_error("subtopics is 'relevant' or 'judged', not '" ~ subtopics ~ "'") }}{% else %}CASE
    WHEN {{ ideal_rank }} > 1 OR ({{ sqlmetrics.literal(subtopics) }} = 'relevant' AND {{ relevant }} = 0)
    THEN 0
    ELSE 1
END{% endif %}
{%- endmacro %}

{% macro clickhouse__counted_subtopic(subtopics, ideal_rank, relevant) -%}
{{ exceptions.raise_compiler_error("counted_subtopic cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__counted_subtopic(subtopics, ideal_rank, relevant) -%}
{{ exceptions.raise_compiler_error("counted_subtopic cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
