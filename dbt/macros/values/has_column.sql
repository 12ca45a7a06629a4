{#- Whether a relation has a column; one that is a query in WITH must have it. -#}
{% macro has_column(relation, column) %}
{%- if relation is string or relation.is_cte -%}{{ return(true) }}{%- endif -%}
{%- set known = load_relation(relation) if execute -%}
{%- if not known -%}{{ return(false) }}{%- endif -%}
{%- set found = adapter.get_columns_in_relation(known) | map(attribute='name') | map('lower') | list -%}
{{ return(column in found) }}
{% endmacro %}
