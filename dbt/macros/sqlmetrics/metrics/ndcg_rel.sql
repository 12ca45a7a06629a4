{#- nDCG at the rank of each document with a gain, averaged over all of them; those not retrieved take that of the whole ranking. -#}
{% macro ndcg_rel(j='j') %}
{{- return(adapter.dispatch('ndcg_rel', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__ndcg_rel(j) -%}
coalesce(
    sum(CASE WHEN {{ j ~ '.own_gain' }} > 0 THEN {{ j ~ '.dcg' }} / {{ j ~ '.ideal_dcg' }} END) / nullif(sum(CASE WHEN {{ j ~ '.own_gain' }} > 0 THEN 1 END), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__ndcg_rel(j) -%}
coalesce(
    sum(CASE WHEN {{ j ~ '.own_gain' }} > 0 THEN {{ j ~ '.dcg' }} / {{ j ~ '.ideal_dcg' }} END) / nullif(sum(CASE WHEN {{ j ~ '.own_gain' }} > 0 THEN 1 END), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__ndcg_rel(j) -%}
{{ exceptions.raise_compiler_error("ndcg_rel cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__ndcg_rel(j) -%}
coalesce(
    sum(CASE WHEN {{ j ~ '.own_gain' }} > 0 THEN {{ j ~ '.dcg' }} / {{ j ~ '.ideal_dcg' }} END) / nullif(sum(CASE WHEN {{ j ~ '.own_gain' }} > 0 THEN 1 END), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__ndcg_rel(j) -%}
{{ exceptions.raise_compiler_error("ndcg_rel cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
