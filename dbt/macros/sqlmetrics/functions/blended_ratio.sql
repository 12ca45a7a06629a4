{#- Precision at a document's rank mixed with the share of the ideal gain found by then. -#}
{% macro blended_ratio(j, beta) %}
{{- return(adapter.dispatch('blended_ratio', 'sqlmetrics')(j, beta)) -}}
{% endmacro %}

{% macro default__blended_ratio(j, beta) -%}
(({{ j ~ '.hits' }} + {{ sqlmetrics.literal(beta) }} * {{ j ~ '.cg' }}) / ({{ j ~ '.rank' }} + {{ sqlmetrics.literal(beta) }} * {{ j ~ '.ideal_cg' }}))
{%- endmacro %}

{% macro clickhouse__blended_ratio(j, beta) -%}
{{ exceptions.raise_compiler_error("blended_ratio cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__blended_ratio(j, beta) -%}
{{ exceptions.raise_compiler_error("blended_ratio cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
