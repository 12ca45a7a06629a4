{#- The precision at the rank of each relevant document, averaged over all relevant ones; one not found adds 0. -#}
{% macro ap(j='j', k=none, denominator='relevant') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('denominator', denominator, {"must": "one of relevant, achievable, cutoff, listed, found", "words": ["relevant", "achievable", "cutoff", "listed", "found"]}) %}
{{- return(adapter.dispatch('ap', 'sqlmetrics')(j, k, denominator)) -}}
{% endmacro %}

{% macro default__ap(j, k, denominator) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " THEN " ~ j ~ '.relevant' ~ " * " ~ sqlmetrics.precision_at_rank(j) ~ " END"), (sqlmetrics.tp(j, sqlmetrics.literal(k)) if denominator == 'found' else sqlmetrics.per_query(j, sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret')))) }}
{%- endmacro %}

{% macro clickhouse__ap(j, k, denominator) -%}
{{ exceptions.raise_compiler_error("ap cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__ap(j, k, denominator) -%}
{{ exceptions.raise_compiler_error("ap cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
