{#- The rank of a document in the ideal ranking; NULL where it is not part of it. -#}
{% macro ideal_place(ideal, ideal_rank, retrieved_ideal_rank) %}
{{- return(adapter.dispatch('ideal_place', 'sqlmetrics')(ideal, ideal_rank, retrieved_ideal_rank)) -}}
{% endmacro %}

{% macro default__ideal_place(ideal, ideal_rank, retrieved_ideal_rank) -%}
{% if ideal in ('judged', 'uncut',) %}{{ ideal_rank }}{% elif ideal == 'retrieved' %}{{ retrieved_ideal_rank }}{% elif ideal != 'perfect' %}{{ exceptions.raise_compiler_error("ideal is 'judged', 'uncut', 'retrieved' or 'perfect', not '" ~ ideal ~ "'") }}{% else %}NULL{% endif %}
{%- endmacro %}

{% macro clickhouse__ideal_place(ideal, ideal_rank, retrieved_ideal_rank) -%}
{{ exceptions.raise_compiler_error("ideal_place cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__ideal_place(ideal, ideal_rank, retrieved_ideal_rank) -%}
{{ exceptions.raise_compiler_error("ideal_place cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
