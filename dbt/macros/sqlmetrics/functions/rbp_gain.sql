{#- What a document gains in RBP. -#}
{% macro rbp_gain(relevant, grade, gain, max_rel) %}
{{- return(adapter.dispatch('rbp_gain', 'sqlmetrics')(relevant, grade, gain, max_rel)) -}}
{% endmacro %}

{% macro default__rbp_gain(relevant, grade, gain, max_rel) -%}
{% if gain == 'binary' and max_rel is none %}(1e0 * {{ relevant }}){% elif gain == 'binary' %}({{ sqlmetrics.graded_gain(sqlmetrics.within_scale(grade, sqlmetrics.literal(max_rel)), 'linear') }} / {{ sqlmetrics.literal(max_rel) }}){% else %}({{ sqlmetrics.graded_gain(sqlmetrics.within_scale(grade, sqlmetrics.literal(max_rel)), gain) }} / {% if max_rel is none %}1e0{% else %}{{ sqlmetrics.graded_gain(sqlmetrics.literal(max_rel), gain) }}{% endif %}){% endif %}
{%- endmacro %}

{% macro postgres__rbp_gain(relevant, grade, gain, max_rel) -%}
{% if gain == 'binary' and max_rel is none %}(1e0::float8 * {{ relevant }}){% elif gain == 'binary' %}({{ sqlmetrics.graded_gain(sqlmetrics.within_scale(grade, sqlmetrics.literal(max_rel)), 'linear') }} / {{ sqlmetrics.literal(max_rel) }}){% else %}({{ sqlmetrics.graded_gain(sqlmetrics.within_scale(grade, sqlmetrics.literal(max_rel)), gain) }} / {% if max_rel is none %}1e0::float8{% else %}{{ sqlmetrics.graded_gain(sqlmetrics.literal(max_rel), gain) }}{% endif %}){% endif %}
{%- endmacro %}

{% macro clickhouse__rbp_gain(relevant, grade, gain, max_rel) -%}
{{ exceptions.raise_compiler_error("rbp_gain cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__rbp_gain(relevant, grade, gain, max_rel) -%}
{% if gain == 'binary' and max_rel is none %}(1e0::FLOAT * {{ relevant }}){% elif gain == 'binary' %}({{ sqlmetrics.graded_gain(sqlmetrics.within_scale(grade, sqlmetrics.literal(max_rel)), 'linear') }} / {{ sqlmetrics.literal(max_rel) }}){% else %}({{ sqlmetrics.graded_gain(sqlmetrics.within_scale(grade, sqlmetrics.literal(max_rel)), gain) }} / {% if max_rel is none %}1e0::FLOAT{% else %}{{ sqlmetrics.graded_gain(sqlmetrics.literal(max_rel), gain) }}{% endif %}){% endif %}
{%- endmacro %}

{% macro redshift__rbp_gain(relevant, grade, gain, max_rel) -%}
{{ exceptions.raise_compiler_error("rbp_gain cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
