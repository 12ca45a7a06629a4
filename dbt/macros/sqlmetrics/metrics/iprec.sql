{#- The highest precision at any rank where at least this recall is reached. -#}
{% macro iprec(j='j', recall=none, rounding=0.9) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('recall', recall, {"must": "a number from 0 to 1, or none", "none": true, "from": 0, "to": 1}) %}
{% do sqlmetrics.require('rounding', rounding, {"must": "a number from 0 to 1", "from": 0, "to": 1}) %}
{{- return(adapter.dispatch('iprec', 'sqlmetrics')(j, recall, rounding)) -}}
{% endmacro %}

{% macro default__iprec(j, recall, rounding) -%}
coalesce(
    max(CASE WHEN {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits' }} >= {{ sqlmetrics.recall_count(("0" if recall is none else sqlmetrics.literal(recall)), j ~ '.num_rel', rounding) }} THEN {{ sqlmetrics.precision_at_rank(j) }} END),
    0e0
)
{%- endmacro %}

{% macro postgres__iprec(j, recall, rounding) -%}
coalesce(
    max(CASE WHEN {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits' }} >= {{ sqlmetrics.recall_count(("0" if recall is none else sqlmetrics.literal(recall)), j ~ '.num_rel', rounding) }} THEN {{ sqlmetrics.precision_at_rank(j) }} END),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__iprec(j, recall, rounding) -%}
{{ exceptions.raise_compiler_error("iprec cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__iprec(j, recall, rounding) -%}
coalesce(
    max(CASE WHEN {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits' }} >= {{ sqlmetrics.recall_count(("0" if recall is none else sqlmetrics.literal(recall)), j ~ '.num_rel', rounding) }} THEN {{ sqlmetrics.precision_at_rank(j) }} END),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__iprec(j, recall, rounding) -%}
{{ exceptions.raise_compiler_error("iprec cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
