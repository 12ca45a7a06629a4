{#- For each relevant document, 1 less the share of non-relevant ones ranked above it; unjudged documents are passed over. -#}
{% macro bpref(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('bpref', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__bpref(j) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.rank' ~ " IS NOT NULL AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0 - " ~ sqlmetrics.ratio("least(" ~ j ~ '.false_positives' ~ ", " ~ j ~ '.num_rel' ~ ")", "least(" ~ j ~ '.num_nonrel' ~ ", " ~ j ~ '.num_rel' ~ ")") ~ " END"), "sum(" ~ j ~ '.relevant' ~ ")") }}
{%- endmacro %}

{% macro postgres__bpref(j) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.rank' ~ " IS NOT NULL AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0::float8 - " ~ sqlmetrics.ratio("least(" ~ j ~ '.false_positives' ~ ", " ~ j ~ '.num_rel' ~ ")", "least(" ~ j ~ '.num_nonrel' ~ ", " ~ j ~ '.num_rel' ~ ")") ~ " END"), "sum(" ~ j ~ '.relevant' ~ ")") }}
{%- endmacro %}

{% macro sqlite__bpref(j) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.rank' ~ " IS NOT NULL AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0 - " ~ sqlmetrics.ratio("min(" ~ j ~ '.false_positives' ~ ", " ~ j ~ '.num_rel' ~ ")", "min(" ~ j ~ '.num_nonrel' ~ ", " ~ j ~ '.num_rel' ~ ")") ~ " END"), "sum(" ~ j ~ '.relevant' ~ ")") }}
{%- endmacro %}

{% macro clickhouse__bpref(j) -%}
{{ exceptions.raise_compiler_error("bpref cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__bpref(j) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.rank' ~ " IS NOT NULL AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0::FLOAT - " ~ sqlmetrics.ratio("least(" ~ j ~ '.false_positives' ~ ", " ~ j ~ '.num_rel' ~ ")", "least(" ~ j ~ '.num_nonrel' ~ ", " ~ j ~ '.num_rel' ~ ")") ~ " END"), "sum(" ~ j ~ '.relevant' ~ ")") }}
{%- endmacro %}

{% macro redshift__bpref(j) -%}
{{ exceptions.raise_compiler_error("bpref cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
