{#- The correlation of being retrieved with being relevant; 0 where all documents or none are the one or the other. -#}
{% macro phi_coefficient(corpus_size, retrieved, num_rel, found) %}
{{- return(adapter.dispatch('phi_coefficient', 'sqlmetrics')(corpus_size, retrieved, num_rel, found)) -}}
{% endmacro %}

{% macro default__phi_coefficient(corpus_size, retrieved, num_rel, found) -%}
CASE
    WHEN {{ sqlmetrics.all_others(corpus_size, retrieved, num_rel, found) }} >= 0
    THEN coalesce(
        (1e0 * {{ corpus_size }} * {{ found }} - 1e0 * {{ retrieved }} * {{ num_rel }}) / nullif(
            sqrt(1e0 * {{ retrieved }} * {{ num_rel }}) * sqrt(1e0 * ({{ corpus_size }} - {{ retrieved }}) * ({{ corpus_size }} - {{ num_rel }})),
            0
        ),
        0e0
    )
END
{%- endmacro %}

{% macro postgres__phi_coefficient(corpus_size, retrieved, num_rel, found) -%}
CASE
    WHEN {{ sqlmetrics.all_others(corpus_size, retrieved, num_rel, found) }} >= 0
    THEN coalesce(
        (1e0::float8 * {{ corpus_size }} * {{ found }} - 1e0::float8 * {{ retrieved }} * {{ num_rel }}) / nullif(
            sqrt(1e0::float8 * {{ retrieved }} * {{ num_rel }}) * sqrt(1e0::float8 * ({{ corpus_size }} - {{ retrieved }}) * ({{ corpus_size }} - {{ num_rel }})),
            0
        ),
        0e0::float8
    )
END
{%- endmacro %}

{% macro clickhouse__phi_coefficient(corpus_size, retrieved, num_rel, found) -%}
{{ exceptions.raise_compiler_error("phi_coefficient cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__phi_coefficient(corpus_size, retrieved, num_rel, found) -%}
CASE
    WHEN {{ sqlmetrics.all_others(corpus_size, retrieved, num_rel, found) }} >= 0
    THEN coalesce(
        (1e0::FLOAT * {{ corpus_size }} * {{ found }} - 1e0::FLOAT * {{ retrieved }} * {{ num_rel }}) / nullif(
            sqrt(1e0::FLOAT * {{ retrieved }} * {{ num_rel }}) * sqrt(1e0::FLOAT * ({{ corpus_size }} - {{ retrieved }}) * ({{ corpus_size }} - {{ num_rel }})),
            0
        ),
        0e0::FLOAT
    )
END
{%- endmacro %}

{% macro redshift__phi_coefficient(corpus_size, retrieved, num_rel, found) -%}
{{ exceptions.raise_compiler_error("phi_coefficient cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
