{#- The precision at a multiple of the number of documents relevant to a subtopic, averaged over the subtopics. -#}
{% macro rprec_ia(j='j', multiple=1, subtopics='relevant') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('multiple', multiple, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('subtopics', subtopics, {"must": "one of relevant, judged", "words": ["relevant", "judged"]}) %}
{{- return(adapter.dispatch('rprec_ia', 'sqlmetrics')(j, multiple, subtopics)) -}}
{% endmacro %}

{% macro default__rprec_ia(j, multiple, subtopics) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.rprec_cutoff(j ~ '.num_rel', multiple) ~ " THEN " ~ j ~ '.relevant' ~ " / " ~ sqlmetrics.rprec_cutoff(j ~ '.num_rel', multiple) ~ " END"), sqlmetrics.per_subtopic(j, "1", subtopics=subtopics)) }}
{%- endmacro %}

{% macro clickhouse__rprec_ia(j, multiple, subtopics) -%}
{{ exceptions.raise_compiler_error("rprec_ia cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__rprec_ia(j, multiple, subtopics) -%}
{{ exceptions.raise_compiler_error("rprec_ia cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
