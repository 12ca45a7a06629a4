{#- What a relevance is mapped to; one that is not in the map stays as it is. -#}
{% macro mapped_gain(relevance, gains) %}
{{- return(adapter.dispatch('mapped_gain', 'sqlmetrics')(relevance, gains)) -}}
{% endmacro %}

{% macro default__mapped_gain(relevance, gains) -%}
coalesce({{ sqlmetrics.map_gains(relevance, gains) }}, {{ relevance }})
{%- endmacro %}

{% macro clickhouse__mapped_gain(relevance, gains) -%}
{{ exceptions.raise_compiler_error("mapped_gain cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__mapped_gain(relevance, gains) -%}
{{ exceptions.raise_compiler_error("mapped_gain cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
