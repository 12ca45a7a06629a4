{#- The documents that are judged for a query, each once, with their highest relevance to a subtopic. -#}
{% macro judgments_once(qrels) %}
{{- return(adapter.dispatch('judgments_once', 'sqlmetrics')(qrels)) -}}
{% endmacro %}

{% macro default__judgments_once(qrels) -%}
(
SELECT
    _q.query_id,
    _q.doc_id,
    max(_q.relevance) AS relevance
FROM {{ sqlmetrics.judgments(qrels) }} AS _q
GROUP BY
    _q.query_id,
    _q.doc_id
)
{%- endmacro %}

{% macro clickhouse__judgments_once(qrels) -%}
{{ exceptions.raise_compiler_error("judgments_once cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__judgments_once(qrels) -%}
{{ exceptions.raise_compiler_error("judgments_once cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
