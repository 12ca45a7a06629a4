{#- Relevant documents with the score of this one or a higher one; those not retrieved are tied below all others. -#}
{% macro hits_by_score(j) %}
{{- return(adapter.dispatch('hits_by_score', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__hits_by_score(j) -%}
CASE WHEN {{ j ~ '.first_rank' }} IS NULL THEN {{ j ~ '.num_rel' }} ELSE {{ j ~ '.hits_above' }} + {{ j ~ '.hits_tied' }} END
{%- endmacro %}

{% macro clickhouse__hits_by_score(j) -%}
{{ exceptions.raise_compiler_error("hits_by_score cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__hits_by_score(j) -%}
{{ exceptions.raise_compiler_error("hits_by_score cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
