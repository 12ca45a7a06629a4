{#- nDCG at the rank of each document with a gain, averaged over all of them; those not retrieved take that of the whole ranking. -#}
{% macro ndcg_rel(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('ndcg_rel', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__ndcg_rel(j) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.own_gain' ~ " > 0 THEN " ~ j ~ '.dcg' ~ " / " ~ j ~ '.ideal_dcg' ~ " END"), "count(CASE WHEN " ~ j ~ '.own_gain' ~ " > 0 THEN 1 END)") }}
{%- endmacro %}

{% macro clickhouse__ndcg_rel(j) -%}
{{ exceptions.raise_compiler_error("ndcg_rel cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__ndcg_rel(j) -%}
{{ exceptions.raise_compiler_error("ndcg_rel cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
