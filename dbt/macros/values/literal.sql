{#- A value of Jinja as SQL. -#}
{% macro literal(value) -%}
{%- if value is none -%}NULL
{%- elif value is boolean -%}{{ 'TRUE' if value else 'FALSE' }}
{%- elif value is string -%}'{{ value | replace("'", "''") }}'
{%- else -%}{{ value }}
{%- endif -%}
{%- endmacro %}
