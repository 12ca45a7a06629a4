{#- True negatives, on average over all orders of tied documents. -#}
{% macro expected_tn(j, k, corpus_size) %}
{{- return(adapter.dispatch('expected_tn', 'sqlmetrics')(j, k, corpus_size)) -}}
{% endmacro %}

{% macro default__expected_tn(j, k, corpus_size) -%}
{{ sqlmetrics.remaining(sqlmetrics.per_query(j, sqlmetrics.literal(corpus_size)), "(" ~ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.expected_fp(j, k) ~ " + " ~ sqlmetrics.expected_fn(j, k) ~ ")") }}
{%- endmacro %}

{% macro clickhouse__expected_tn(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("expected_tn cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__expected_tn(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("expected_tn cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
