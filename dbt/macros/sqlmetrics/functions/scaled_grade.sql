{#- How far a grade lies above the lowest of the scale; 0 below it. -#}
{% macro scaled_grade(grade, min_rel, max_rel) %}
{{- return(adapter.dispatch('scaled_grade', 'sqlmetrics')(grade, min_rel, max_rel)) -}}
{% endmacro %}

{% macro default__scaled_grade(grade, min_rel, max_rel) -%}
{% if max_rel is not none and min_rel is not none and max_rel <= min_rel %}{{ exceptions.raise_compiler_error('max_rel ' ~ max_rel ~ ' is not above min_rel ' ~ min_rel) }}{% else %}CASE
    WHEN {{ sqlmetrics.within_scale(grade, sqlmetrics.literal(max_rel)) }} > {{ sqlmetrics.literal(min_rel) }}
    THEN 1e0 * ({{ grade }} - {{ sqlmetrics.literal(min_rel) }})
    ELSE 0e0
END{% endif %}
{%- endmacro %}

{% macro postgres__scaled_grade(grade, min_rel, max_rel) -%}
{% if max_rel is not none and min_rel is not none and max_rel <= min_rel %}{{ exceptions.raise_compiler_error('max_rel ' ~ max_rel ~ ' is not above min_rel ' ~ min_rel) }}{% else %}CASE
    WHEN {{ sqlmetrics.within_scale(grade, sqlmetrics.literal(max_rel)) }} > {{ sqlmetrics.literal(min_rel) }}
    THEN 1e0::float8 * ({{ grade }} - {{ sqlmetrics.literal(min_rel) }})
    ELSE 0e0::float8
END{% endif %}
{%- endmacro %}

{% macro clickhouse__scaled_grade(grade, min_rel, max_rel) -%}
{{ exceptions.raise_compiler_error("scaled_grade cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__scaled_grade(grade, min_rel, max_rel) -%}
{% if max_rel is not none and min_rel is not none and max_rel <= min_rel %}{{ exceptions.raise_compiler_error('max_rel ' ~ max_rel ~ ' is not above min_rel ' ~ min_rel) }}{% else %}CASE
    WHEN {{ sqlmetrics.within_scale(grade, sqlmetrics.literal(max_rel)) }} > {{ sqlmetrics.literal(min_rel) }}
    THEN 1e0::FLOAT * ({{ grade }} - {{ sqlmetrics.literal(min_rel) }})
    ELSE 0e0::FLOAT
END{% endif %}
{%- endmacro %}

{% macro redshift__scaled_grade(grade, min_rel, max_rel) -%}
{{ exceptions.raise_compiler_error("scaled_grade cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
