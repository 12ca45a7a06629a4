{#- What a document of this grade is worth. -#}
{% macro graded_gain(grade, gain, negative='zero') %}
{{- return(adapter.dispatch('graded_gain', 'sqlmetrics')(grade, gain, negative)) -}}
{% endmacro %}

{% macro default__graded_gain(grade, gain, negative) -%}
CASE
    WHEN {{ grade }} <= 0 AND ({{ grade }} = 0 OR {{ sqlmetrics.literal(negative) }} = 'zero')
    THEN 0e0
    ELSE {% if gain == 'binary' %}CASE WHEN {{ grade }} > 0 THEN 1e0 ELSE 0e0 END{% elif gain == 'linear' %}{{ grade }}{% elif gain == 'exponential' %}(power(2e0, {{ grade }}) - 1e0){% else %}NULL{% endif %}
END
{%- endmacro %}

{% macro postgres__graded_gain(grade, gain, negative) -%}
CASE
    WHEN {{ grade }} <= 0 AND ({{ grade }} = 0 OR {{ sqlmetrics.literal(negative) }} = 'zero')
    THEN 0e0::float8
    ELSE {% if gain == 'binary' %}CASE WHEN {{ grade }} > 0 THEN 1e0::float8 ELSE 0e0::float8 END{% elif gain == 'linear' %}{{ grade }}{% elif gain == 'exponential' %}(power(2e0::float8, {{ grade }}) - 1e0::float8){% else %}NULL{% endif %}
END
{%- endmacro %}

{% macro clickhouse__graded_gain(grade, gain, negative) -%}
{{ exceptions.raise_compiler_error("graded_gain cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__graded_gain(grade, gain, negative) -%}
CASE
    WHEN {{ grade }} <= 0 AND ({{ grade }} = 0 OR {{ sqlmetrics.literal(negative) }} = 'zero')
    THEN 0e0::FLOAT
    ELSE {% if gain == 'binary' %}CASE WHEN {{ grade }} > 0 THEN 1e0::FLOAT ELSE 0e0::FLOAT END{% elif gain == 'linear' %}{{ grade }}{% elif gain == 'exponential' %}(power(2e0::FLOAT, {{ grade }}) - 1e0::FLOAT){% else %}NULL{% endif %}
END
{%- endmacro %}

{% macro redshift__graded_gain(grade, gain, negative) -%}
{{ exceptions.raise_compiler_error("graded_gain cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
