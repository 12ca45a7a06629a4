{#- AP in expectation: the precision at each place that a relevant document may take among those of its score. -#}
{% macro expected_ap(j='j', k=none, denominator='relevant') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('denominator', denominator, {"must": "one of relevant, achievable, cutoff, listed", "words": ["relevant", "achievable", "cutoff", "listed"]}) %}
{{- return(adapter.dispatch('expected_ap', 'sqlmetrics')(j, k, denominator)) -}}
{% endmacro %}

{% macro default__expected_ap(j, k, denominator) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0 / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " * reduce(CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN sequence(" ~ j ~ '.first_rank' ~ ", " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ ") END, 0e0, (_sum, place) -> _sum + (" ~ j ~ '.hits_above' ~ " + 1 + 1e0 * (" ~ j ~ '.hits_tied' ~ " - 1) * (place - " ~ j ~ '.first_rank' ~ ") / greatest(" ~ j ~ '.num_tied' ~ " - 1, 1)) / place, _sum -> _sum) END"), sqlmetrics.per_query(j, sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret'))) }}
{%- endmacro %}

{% macro duckdb__expected_ap(j, k, denominator) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0 / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " * list_sum(list_transform(range(" ~ j ~ '.first_rank' ~ ", " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " + 1), lambda place: (" ~ j ~ '.hits_above' ~ " + 1 + 1e0 * (" ~ j ~ '.hits_tied' ~ " - 1) * (place - " ~ j ~ '.first_rank' ~ ") / greatest(" ~ j ~ '.num_tied' ~ " - 1, 1)) / place)) END"), sqlmetrics.per_query(j, sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret'))) }}
{%- endmacro %}

{% macro spark__expected_ap(j, k, denominator) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0 / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " * aggregate(CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN sequence(" ~ j ~ '.first_rank' ~ ", " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ ") END, 0e0, (_sum, place) -> _sum + (" ~ j ~ '.hits_above' ~ " + 1 + 1e0 * (" ~ j ~ '.hits_tied' ~ " - 1) * (place - " ~ j ~ '.first_rank' ~ ") / greatest(" ~ j ~ '.num_tied' ~ " - 1, 1)) / place) END"), sqlmetrics.per_query(j, sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret'))) }}
{%- endmacro %}

{% macro postgres__expected_ap(j, k, denominator) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0::float8 / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " * (SELECT sum((" ~ j ~ '.hits_above' ~ " + 1 + 1e0::float8 * (" ~ j ~ '.hits_tied' ~ " - 1) * (place - " ~ j ~ '.first_rank' ~ ") / greatest(" ~ j ~ '.num_tied' ~ " - 1, 1)) / place) FROM generate_series(" ~ j ~ '.first_rank' ~ ", " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ ") AS _seriesplace (place)) END"), sqlmetrics.per_query(j, sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret'))) }}
{%- endmacro %}

{% macro sqlite__expected_ap(j, k, denominator) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0 / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " * (WITH RECURSIVE _seriesplace (place) AS (SELECT " ~ j ~ '.first_rank' ~ " WHERE " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " UNION ALL SELECT place + 1 FROM _seriesplace WHERE place < " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ ") SELECT sum((" ~ j ~ '.hits_above' ~ " + 1 + 1e0 * (" ~ j ~ '.hits_tied' ~ " - 1) * (place - " ~ j ~ '.first_rank' ~ ") / max(" ~ j ~ '.num_tied' ~ " - 1, 1)) / place) FROM _seriesplace) END"), sqlmetrics.per_query(j, sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret'))) }}
{%- endmacro %}

{% macro clickhouse__expected_ap(j, k, denominator) -%}
{{ exceptions.raise_compiler_error("expected_ap cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__expected_ap(j, k, denominator) -%}
{{ exceptions.raise_compiler_error("expected_ap cannot be computed by snowflake: it has no sums over a number of ranks that is not fixed") }}
{%- endmacro %}

{% macro bigquery__expected_ap(j, k, denominator) -%}
{{ sqlmetrics.ratio(sqlmetrics.total("CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0 / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " * (SELECT sum((" ~ j ~ '.hits_above' ~ " + 1 + 1e0 * (" ~ j ~ '.hits_tied' ~ " - 1) * (place - " ~ j ~ '.first_rank' ~ ") / greatest(" ~ j ~ '.num_tied' ~ " - 1, 1)) / place) FROM UNNEST(GENERATE_ARRAY(" ~ j ~ '.first_rank' ~ ", " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ ")) AS place) END"), sqlmetrics.per_query(j, sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret'))) }}
{%- endmacro %}

{% macro redshift__expected_ap(j, k, denominator) -%}
{{ exceptions.raise_compiler_error("expected_ap cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
