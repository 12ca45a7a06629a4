{#- Every judged document of every run, retrieved or not, with its rank and the counts that metrics need. -#}
{% macro judged(qrels, run, rel=1, gains=none, ties='descending', depth=none, judged_only=false) %}
{% do sqlmetrics.require('ties', ties, ['descending', 'ascending', 'input', 'rank', 'best', 'worst']) %}
{{- return(adapter.dispatch('judged', 'sqlmetrics')(qrels, run, rel, gains, ties, depth, judged_only)) -}}
{% endmacro %}

{% macro default__judged(qrels, run, rel, gains, ties, depth, judged_only) -%}
(
WITH _condensed AS (
    SELECT
        *
    FROM {{ sqlmetrics.condensed(qrels, run, ties=ties, depth=depth, judged_only=judged_only) }} AS _r
)
SELECT
    *
FROM {{ sqlmetrics.graded('_condensed', rel=rel, gains=gains) }} AS _r
)
{%- endmacro %}

{% macro clickhouse__judged(qrels, run, rel, gains, ties, depth, judged_only) -%}
{{ exceptions.raise_compiler_error("judged cannot be computed by clickhouse: write the query by sqlmetrics sql --dialect clickhouse, whose settings it needs") }}
{%- endmacro %}
