{#- AP of a ranking that returns all documents of one score at once: the last rank of a score stands for all of them. -#}
{% macro step_ap(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('step_ap', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__step_ap(j) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.relevant' ~ " = 1 AND " ~ j ~ '.first_rank' ~ " IS NOT NULL THEN 1e0 * (" ~ j ~ '.hits_above' ~ " + " ~ j ~ '.hits_tied' ~ ") / coalesce( " ~ j ~ '.first_rank' ~ " + " ~ j ~ '.num_tied' ~ " - 1, " ~ j ~ '.hits_above' ~ " + " ~ j ~ '.hits_tied' ~ " + " ~ j ~ '.false_positives_above' ~ " + " ~ j ~ '.false_positives_tied' ~ " ) END"), "sum(" ~ j ~ '.relevant' ~ ")") }}
{%- endmacro %}

{% macro postgres__step_ap(j) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.relevant' ~ " = 1 AND " ~ j ~ '.first_rank' ~ " IS NOT NULL THEN 1e0::float8 * (" ~ j ~ '.hits_above' ~ " + " ~ j ~ '.hits_tied' ~ ") / coalesce( " ~ j ~ '.first_rank' ~ " + " ~ j ~ '.num_tied' ~ " - 1, " ~ j ~ '.hits_above' ~ " + " ~ j ~ '.hits_tied' ~ " + " ~ j ~ '.false_positives_above' ~ " + " ~ j ~ '.false_positives_tied' ~ " ) END"), "sum(" ~ j ~ '.relevant' ~ ")") }}
{%- endmacro %}

{% macro clickhouse__step_ap(j) -%}
{{ exceptions.raise_compiler_error("step_ap cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__step_ap(j) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.relevant' ~ " = 1 AND " ~ j ~ '.first_rank' ~ " IS NOT NULL THEN 1e0::FLOAT * (" ~ j ~ '.hits_above' ~ " + " ~ j ~ '.hits_tied' ~ ") / coalesce( " ~ j ~ '.first_rank' ~ " + " ~ j ~ '.num_tied' ~ " - 1, " ~ j ~ '.hits_above' ~ " + " ~ j ~ '.hits_tied' ~ " + " ~ j ~ '.false_positives_above' ~ " + " ~ j ~ '.false_positives_tied' ~ " ) END"), "sum(" ~ j ~ '.relevant' ~ ")") }}
{%- endmacro %}

{% macro redshift__step_ap(j) -%}
{{ exceptions.raise_compiler_error("step_ap cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
