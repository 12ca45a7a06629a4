{#- The probability that a user whom nothing satisfies looks at this rank. -#}
{% macro view_probability(rank, shape, x) %}
{{- return(adapter.dispatch('view_probability', 'sqlmetrics')(rank, shape, x)) -}}
{% endmacro %}

{% macro default__view_probability(rank, shape, x) -%}
{% if shape == 'endless' %}1e0{% elif shape == 'reciprocal' %}(1e0 / {{ rank }}){% elif shape == 'log' %}(ln(2e0) / ln(1e0 + {{ rank }})){% elif shape == 'geometric' %}(power(1e0 * {{ x }}, {{ rank }} - 1)){% elif shape == 'squared' %}((2e0 * {{ x }} / ({{ rank }} - 1 + 2e0 * {{ x }})) * (2e0 * {{ x }} / ({{ rank }} - 1 + 2e0 * {{ x }}))){% elif shape == 'linear' %}CASE
    WHEN {{ rank }} - 1 < {{ x }}
    THEN 1e0 - 1e0 * ({{ rank }} - 1) / {{ x }}
    ELSE 0e0
END{% elif shape == 'power' %}((power(1e0 + {{ rank }}, {{ x }}) - power(1e0 * {{ rank }}, {{ x }})) / (power(2e0, {{ x }}) - 1e0)){% else %}NULL{% endif %}
{%- endmacro %}

{% macro postgres__view_probability(rank, shape, x) -%}
{% if shape == 'endless' %}1e0::float8{% elif shape == 'reciprocal' %}(1e0::float8 / {{ rank }}){% elif shape == 'log' %}(ln(2e0::float8) / ln(1e0::float8 + {{ rank }})){% elif shape == 'geometric' %}(CASE WHEN 1e0::float8 * {{ x }} = 0 THEN CASE WHEN {{ rank }} - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ x }}, 0)) * ({{ rank }} - 1), -700)) END){% elif shape == 'squared' %}((2e0::float8 * {{ x }} / ({{ rank }} - 1 + 2e0::float8 * {{ x }})) * (2e0::float8 * {{ x }} / ({{ rank }} - 1 + 2e0::float8 * {{ x }}))){% elif shape == 'linear' %}CASE
    WHEN {{ rank }} - 1 < {{ x }}
    THEN 1e0::float8 - 1e0::float8 * ({{ rank }} - 1) / {{ x }}
    ELSE 0e0::float8
END{% elif shape == 'power' %}((CASE WHEN 1e0::float8 + {{ rank }} = 0 THEN CASE WHEN {{ x }} = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 + {{ rank }}, 0)) * ({{ x }}), -700)) END - CASE WHEN 1e0::float8 * {{ rank }} = 0 THEN CASE WHEN {{ x }} = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ rank }}, 0)) * ({{ x }}), -700)) END) / (power(2e0::float8, {{ x }}) - 1e0::float8)){% else %}NULL{% endif %}
{%- endmacro %}

{% macro clickhouse__view_probability(rank, shape, x) -%}
{{ exceptions.raise_compiler_error("view_probability cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__view_probability(rank, shape, x) -%}
{% if shape == 'endless' %}1e0::FLOAT{% elif shape == 'reciprocal' %}(1e0::FLOAT / {{ rank }}){% elif shape == 'log' %}(ln(2e0::FLOAT) / ln(1e0::FLOAT + {{ rank }})){% elif shape == 'geometric' %}(power(1e0::FLOAT * {{ x }}, {{ rank }} - 1)){% elif shape == 'squared' %}((2e0::FLOAT * {{ x }} / ({{ rank }} - 1 + 2e0::FLOAT * {{ x }})) * (2e0::FLOAT * {{ x }} / ({{ rank }} - 1 + 2e0::FLOAT * {{ x }}))){% elif shape == 'linear' %}CASE
    WHEN {{ rank }} - 1 < {{ x }}
    THEN 1e0::FLOAT - 1e0::FLOAT * ({{ rank }} - 1) / {{ x }}
    ELSE 0e0::FLOAT
END{% elif shape == 'power' %}((power(1e0::FLOAT + {{ rank }}, {{ x }}) - power(1e0::FLOAT * {{ rank }}, {{ x }})) / (power(2e0::FLOAT, {{ x }}) - 1e0::FLOAT)){% else %}NULL{% endif %}
{%- endmacro %}

{% macro redshift__view_probability(rank, shape, x) -%}
{{ exceptions.raise_compiler_error("view_probability cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
