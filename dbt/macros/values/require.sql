{#- Stop when an argument is none of the words that it may be. -#}
{% macro require(name, value, words) %}
{%- if value is string and value not in words -%}
{{ exceptions.raise_compiler_error(name ~ " is one of " ~ (words | join(", ")) ~ ", not " ~ value) }}
{%- endif -%}
{% endmacro %}
