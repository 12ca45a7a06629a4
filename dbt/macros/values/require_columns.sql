{#- Stop if a relation that is there lacks a column; of others, such as WITH queries, nothing is known. -#}
{% macro require_columns(name, relation, columns) %}
{%- set known = load_relation(relation) if execute and relation is not string and not relation.is_cte -%}
{%- if known -%}
{%- set found = adapter.get_columns_in_relation(known) | map(attribute='name') | map('lower') | list -%}
{%- for column in columns if found and column not in found -%}
{%- set advice = "select 'bm25' as run_id, * from …" if column == 'run_id' else 'select … as ' ~ column ~ ' from …' -%}
{{ exceptions.raise_compiler_error(name ~ ': ' ~ relation ~ ' has no column ' ~ column ~ '; the columns are ' ~ found | join(', ') ~ '. Give it one in a model: ' ~ advice) }}
{%- endfor -%}
{%- endif -%}
{% endmacro %}
