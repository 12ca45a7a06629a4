{#- The mean of two shares of the same documents, found / first and found / second. -#}
{% macro mean_share(found, first, second, mean) %}
{{- return(adapter.dispatch('mean_share', 'sqlmetrics')(found, first, second, mean)) -}}
{% endmacro %}

{% macro default__mean_share(found, first, second, mean) -%}
{% if mean == 'arithmetic' %}((1e0 * {{ found }} / nullif({{ first }}, 0) + 1e0 * {{ found }} / nullif({{ second }}, 0)) / 2){% elif mean == 'geometric' %}(1e0 * {{ found }} / nullif(sqrt(1e0 * {{ first }}) * sqrt(1e0 * {{ second }}), 0)){% else %}{{ exceptions.raise_compiler_error("mean is 'arithmetic' or 'geometric', not '" ~ mean ~ "'") }}{% endif %}
{%- endmacro %}

{% macro postgres__mean_share(found, first, second, mean) -%}
{% if mean == 'arithmetic' %}((1e0::float8 * {{ found }} / nullif({{ first }}, 0) + 1e0::float8 * {{ found }} / nullif({{ second }}, 0)) / 2){% elif mean == 'geometric' %}(1e0::float8 * {{ found }} / nullif(sqrt(1e0::float8 * {{ first }}) * sqrt(1e0::float8 * {{ second }}), 0)){% else %}{{ exceptions.raise_compiler_error("mean is 'arithmetic' or 'geometric', not '" ~ mean ~ "'") }}{% endif %}
{%- endmacro %}

{% macro clickhouse__mean_share(found, first, second, mean) -%}
{{ exceptions.raise_compiler_error("mean_share cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__mean_share(found, first, second, mean) -%}
{% if mean == 'arithmetic' %}((1e0::FLOAT * {{ found }} / nullif({{ first }}, 0) + 1e0::FLOAT * {{ found }} / nullif({{ second }}, 0)) / 2){% elif mean == 'geometric' %}(1e0::FLOAT * {{ found }} / nullif(sqrt(1e0::FLOAT * {{ first }}) * sqrt(1e0::FLOAT * {{ second }}), 0)){% else %}{{ exceptions.raise_compiler_error("mean is 'arithmetic' or 'geometric', not '" ~ mean ~ "'") }}{% endif %}
{%- endmacro %}

{% macro redshift__mean_share(found, first, second, mean) -%}
{{ exceptions.raise_compiler_error("mean_share cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
