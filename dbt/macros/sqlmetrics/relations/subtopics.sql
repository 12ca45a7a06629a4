{#- Every judgment of a document for a subtopic, with the document's rank and the counts that metrics need. -#}
{% macro subtopics(qrels, run, rel=1, ties='descending', depth=none, judged_only=false) %}
{% do sqlmetrics.require('rel', rel, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('ties', ties, {"must": "one of descending, ascending, rank, best, worst", "words": ["descending", "ascending", "rank", "best", "worst"], "refused": {"input": "the rows of a table have no order; take other ties"}}) %}
{% do sqlmetrics.require('depth', depth, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('judged_only', judged_only, {"must": "true or false", "truth": true}) %}
{{- return(adapter.dispatch('subtopics', 'sqlmetrics')(qrels, run, rel, ties, depth, judged_only)) -}}
{% endmacro %}

{% macro default__subtopics(qrels, run, rel, ties, depth, judged_only) -%}
(
WITH _documents AS (
    SELECT
        *
    FROM {{ sqlmetrics.judgments_once(qrels) }} AS _r
), _truncated AS (
    SELECT
        *
    FROM {{ sqlmetrics.truncated('_documents', run, ties=ties, depth=depth, judged_only=judged_only) }} AS _r
)
SELECT
    *
FROM {{ sqlmetrics.ranked_subtopics('_truncated', qrels, rel=rel) }} AS _r
)
{%- endmacro %}

{% macro clickhouse__subtopics(qrels, run, rel, ties, depth, judged_only) -%}
{{ exceptions.raise_compiler_error("subtopics cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__subtopics(qrels, run, rel, ties, depth, judged_only) -%}
{{ exceptions.raise_compiler_error("subtopics cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
