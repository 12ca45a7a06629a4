{#- The share of pairs of a relevant document and one judged not relevant that are not in order; the same score counts as not. -#}
{% macro ranking_loss(j='j') %}
{{- return(adapter.dispatch('ranking_loss', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__ranking_loss(j) -%}
coalesce(
    1e0 * sum(CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.misses_above', j ~ '.misses_tied', j ~ '.num_nonrel') }} END) / nullif(sum(CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ j ~ '.num_nonrel' }} END), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__ranking_loss(j) -%}
coalesce(
    1e0::float8 * sum(CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.misses_above', j ~ '.misses_tied', j ~ '.num_nonrel') }} END) / nullif(sum(CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ j ~ '.num_nonrel' }} END), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__ranking_loss(j) -%}
{{ exceptions.raise_compiler_error("ranking_loss cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__ranking_loss(j) -%}
coalesce(
    1e0::FLOAT * sum(CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.misses_above', j ~ '.misses_tied', j ~ '.num_nonrel') }} END) / nullif(sum(CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ j ~ '.num_nonrel' }} END), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__ranking_loss(j) -%}
{{ exceptions.raise_compiler_error("ranking_loss cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
