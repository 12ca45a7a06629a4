{#- The blended ratio of documents and gain, averaged over the relevant documents down to the preferred rank: that of the first document of the highest gain retrieved. -#}
{% macro p_plus(j='j', beta=1.0) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('beta', beta, {"must": "a number, 0 or more", "from": 0, "to": 1.7976931348623157e+308}) %}
{{- return(adapter.dispatch('p_plus', 'sqlmetrics')(j, beta)) -}}
{% endmacro %}

{% macro default__p_plus(j, beta) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ j ~ '.preferred_rank' ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN " ~ sqlmetrics.blended_ratio(j, beta) ~ " END"), "sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ j ~ '.preferred_rank' ~ " THEN " ~ j ~ '.relevant' ~ " END)") }}
{%- endmacro %}

{% macro clickhouse__p_plus(j, beta) -%}
{{ exceptions.raise_compiler_error("p_plus cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__p_plus(j, beta) -%}
{{ exceptions.raise_compiler_error("p_plus cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
