{#- True negatives: documents of the collection that are neither among the first k nor relevant. -#}
{% macro tn(j, k, corpus_size) %}
{{- return(adapter.dispatch('tn', 'sqlmetrics')(j, k, corpus_size)) -}}
{% endmacro %}

{% macro default__tn(j, k, corpus_size) -%}
{{ sqlmetrics.remaining(sqlmetrics.per_query(j, sqlmetrics.literal(corpus_size)), "(" ~ sqlmetrics.tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.fp(j, k) ~ " + " ~ sqlmetrics.fn(j, k) ~ ")") }}
{%- endmacro %}

{% macro clickhouse__tn(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("tn cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__tn(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("tn cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
