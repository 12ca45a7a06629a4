{#- The retrieved documents with what puts those of the same score in order. -#}
{% macro retrieved_ordered(qrels, run, ties='descending') %}
{{- return(adapter.dispatch('retrieved_ordered', 'sqlmetrics')(qrels, run, ties)) -}}
{% endmacro %}

{% macro default__retrieved_ordered(qrels, run, ties) -%}
(
SELECT
    _p.run_id,
    _p.query_id,
    _p.doc_id,
    _p.score,
    {% if ties == 'ascending' %}_p.doc_id{% else %}NULL{% endif %} AS id_order,
    {% if ties == 'input' %}{{ exceptions.raise_compiler_error("ties is 'descending', 'ascending', 'rank', 'best' or 'worst'") }}{% else %}{{ sqlmetrics.tie_order(ties, "_p.listed_rank", 0, "_j.relevance", "_p.doc_id") }}{% endif %} AS tie_order
FROM {{ sqlmetrics.retrieved(run, by_rank=ties == 'rank') }} AS _p
LEFT JOIN (
    SELECT
        _q.query_id,
        _q.doc_id,
        _q.relevance
    FROM {{ sqlmetrics.judgments(qrels) }} AS _q
    WHERE
        {{ sqlmetrics.literal(ties) }} IN ('best', 'worst')
) AS _j
    ON _p.query_id = _j.query_id AND _p.doc_id = _j.doc_id
)
{%- endmacro %}

{% macro clickhouse__retrieved_ordered(qrels, run, ties) -%}
{{ exceptions.raise_compiler_error("retrieved_ordered cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__retrieved_ordered(qrels, run, ties) -%}
{{ exceptions.raise_compiler_error("retrieved_ordered cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
