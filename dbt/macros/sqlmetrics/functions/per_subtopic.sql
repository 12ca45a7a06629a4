{#- What is the same in all rows of a subtopic, once for each subtopic that counts. -#}
{% macro per_subtopic(j, value, subtopics='relevant') %}
{{- return(adapter.dispatch('per_subtopic', 'sqlmetrics')(j, value, subtopics)) -}}
{% endmacro %}

{% macro default__per_subtopic(j, value, subtopics) -%}
sum(
    CASE
        WHEN {{ j ~ '.ideal_rank' }} = 1 AND ({{ sqlmetrics.literal(subtopics) }} = 'judged' OR {{ j ~ '.relevant' }} = 1)
        THEN {{ value }}
    END
)
{%- endmacro %}

{% macro clickhouse__per_subtopic(j, value, subtopics) -%}
{{ exceptions.raise_compiler_error("per_subtopic cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__per_subtopic(j, value, subtopics) -%}
{{ exceptions.raise_compiler_error("per_subtopic cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
