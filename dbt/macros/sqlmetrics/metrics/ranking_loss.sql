{#- The share of pairs of a relevant document and one judged not relevant that are not in order; the same score counts as not. -#}
{% macro ranking_loss(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('ranking_loss', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__ranking_loss(j) -%}
{{ sqlmetrics.ratio("sum(" ~ j ~ '.relevant' ~ " * " ~ sqlmetrics.false_positives_by_score(j) ~ ")", "sum(" ~ j ~ '.relevant' ~ " * " ~ j ~ '.num_nonrel' ~ ")") }}
{%- endmacro %}

{% macro clickhouse__ranking_loss(j) -%}
{{ exceptions.raise_compiler_error("ranking_loss cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__ranking_loss(j) -%}
{{ exceptions.raise_compiler_error("ranking_loss cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
