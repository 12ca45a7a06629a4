{#- AP estimated from a sample of judgments: pooled documents that nobody judged count as relevant as often as judged ones. -#}
{% macro inf_ap(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('inf_ap', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__inf_ap(j) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.relevant' ~ " = 1 THEN 1e0 / " ~ j ~ '.rank' ~ " + 1e0 * (" ~ j ~ '.hits' ~ " - 1 + " ~ j ~ '.false_positives' ~ " + " ~ j ~ '.skips' ~ ") / " ~ j ~ '.rank' ~ " * (" ~ j ~ '.hits' ~ " - 1 + 1e-5) / (" ~ j ~ '.hits' ~ " - 1 + " ~ j ~ '.false_positives' ~ " + 2e-5) END"), "sum(" ~ j ~ '.relevant' ~ ")") }}
{%- endmacro %}

{% macro postgres__inf_ap(j) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.relevant' ~ " = 1 THEN 1e0::float8 / " ~ j ~ '.rank' ~ " + 1e0::float8 * (" ~ j ~ '.hits' ~ " - 1 + " ~ j ~ '.false_positives' ~ " + " ~ j ~ '.skips' ~ ") / " ~ j ~ '.rank' ~ " * (" ~ j ~ '.hits' ~ " - 1 + 1e-5::float8) / (" ~ j ~ '.hits' ~ " - 1 + " ~ j ~ '.false_positives' ~ " + 2e-5::float8) END"), "sum(" ~ j ~ '.relevant' ~ ")") }}
{%- endmacro %}

{% macro clickhouse__inf_ap(j) -%}
{{ exceptions.raise_compiler_error("inf_ap cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__inf_ap(j) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.relevant' ~ " = 1 THEN 1e0::FLOAT / " ~ j ~ '.rank' ~ " + 1e0::FLOAT * (" ~ j ~ '.hits' ~ " - 1 + " ~ j ~ '.false_positives' ~ " + " ~ j ~ '.skips' ~ ") / " ~ j ~ '.rank' ~ " * (" ~ j ~ '.hits' ~ " - 1 + 1e-5::FLOAT) / (" ~ j ~ '.hits' ~ " - 1 + " ~ j ~ '.false_positives' ~ " + 2e-5::FLOAT) END"), "sum(" ~ j ~ '.relevant' ~ ")") }}
{%- endmacro %}

{% macro redshift__inf_ap(j) -%}
{{ exceptions.raise_compiler_error("inf_ap cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
