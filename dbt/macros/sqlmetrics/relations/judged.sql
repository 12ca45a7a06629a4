{#- Every judged document of every run, retrieved or not, with its rank and the counts that metrics need. -#}
{% macro judged(qrels, run, rel=1, gains=none, ties='descending', depth=none, judged_only=false) %}
{% do sqlmetrics.require('rel', rel, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('gains', gains, {"must": "{relevance: gain, …} or none", "none": true, "gains": true}) %}
{% do sqlmetrics.require('ties', ties, {"must": "one of descending, ascending, rank, best, worst", "words": ["descending", "ascending", "rank", "best", "worst"], "refused": {"input": "the rows of a table have no order; take other ties"}}) %}
{% do sqlmetrics.require('depth', depth, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('judged_only', judged_only, {"must": "true or false", "truth": true}) %}
{{- return(adapter.dispatch('judged', 'sqlmetrics')(qrels, run, rel, gains, ties, depth, judged_only)) -}}
{% endmacro %}

{% macro default__judged(qrels, run, rel, gains, ties, depth, judged_only) -%}
(
WITH _truncated AS (
    SELECT
        *
    FROM {{ sqlmetrics.truncated(qrels, run, ties=ties, depth=depth, judged_only=judged_only) }} AS _r
)
SELECT
    *
FROM {{ sqlmetrics.graded('_truncated', rel=rel, gains=gains) }} AS _r
)
{%- endmacro %}

{% macro clickhouse__judged(qrels, run, rel, gains, ties, depth, judged_only) -%}
{{ exceptions.raise_compiler_error("judged cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__judged(qrels, run, rel, gains, ties, depth, judged_only) -%}
{{ exceptions.raise_compiler_error("judged cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
