{#- The share of the documents that are not relevant that is retrieved; 0 when all are relevant. -#}
{% macro false_share(corpus_size, retrieved, num_rel, found) %}
{{- return(adapter.dispatch('false_share', 'sqlmetrics')(corpus_size, retrieved, num_rel, found)) -}}
{% endmacro %}

{% macro default__false_share(corpus_size, retrieved, num_rel, found) -%}
CASE
    WHEN {{ sqlmetrics.all_others(corpus_size, retrieved, num_rel, found) }} >= 0
    THEN coalesce(1e0 * ({{ retrieved }} - {{ found }}) / nullif({{ corpus_size }} - {{ num_rel }}, 0), 0e0)
END
{%- endmacro %}

{% macro postgres__false_share(corpus_size, retrieved, num_rel, found) -%}
CASE
    WHEN {{ sqlmetrics.all_others(corpus_size, retrieved, num_rel, found) }} >= 0
    THEN coalesce(
        1e0::float8 * ({{ retrieved }} - {{ found }}) / nullif({{ corpus_size }} - {{ num_rel }}, 0),
        0e0::float8
    )
END
{%- endmacro %}

{% macro clickhouse__false_share(corpus_size, retrieved, num_rel, found) -%}
{{ exceptions.raise_compiler_error("false_share cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__false_share(corpus_size, retrieved, num_rel, found) -%}
CASE
    WHEN {{ sqlmetrics.all_others(corpus_size, retrieved, num_rel, found) }} >= 0
    THEN coalesce(
        1e0::FLOAT * ({{ retrieved }} - {{ found }}) / nullif({{ corpus_size }} - {{ num_rel }}, 0),
        0e0::FLOAT
    )
END
{%- endmacro %}

{% macro redshift__false_share(corpus_size, retrieved, num_rel, found) -%}
{{ exceptions.raise_compiler_error("false_share cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
