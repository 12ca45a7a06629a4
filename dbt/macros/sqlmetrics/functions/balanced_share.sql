{#- The mean of the share of the relevant documents that is retrieved and that of the others that is not; one alone where there are no others. -#}
{% macro balanced_share(corpus_size, retrieved, num_rel, found) %}
{{- return(adapter.dispatch('balanced_share', 'sqlmetrics')(corpus_size, retrieved, num_rel, found)) -}}
{% endmacro %}

{% macro default__balanced_share(corpus_size, retrieved, num_rel, found) -%}
CASE
    WHEN {{ sqlmetrics.all_others(corpus_size, retrieved, num_rel, found) }} >= 0
    THEN CASE
        WHEN {{ num_rel }} = 0
        THEN 1e0 - 1e0 * {{ retrieved }} / {{ corpus_size }}
        WHEN {{ num_rel }} = {{ corpus_size }}
        THEN 1e0 * {{ found }} / {{ num_rel }}
        ELSE (1e0 * {{ found }} / {{ num_rel }} + 1e0 - 1e0 * ({{ retrieved }} - {{ found }}) / ({{ corpus_size }} - {{ num_rel }})) / 2
    END
END
{%- endmacro %}

{% macro postgres__balanced_share(corpus_size, retrieved, num_rel, found) -%}
CASE
    WHEN {{ sqlmetrics.all_others(corpus_size, retrieved, num_rel, found) }} >= 0
    THEN CASE
        WHEN {{ num_rel }} = 0
        THEN 1e0::float8 - 1e0::float8 * {{ retrieved }} / {{ corpus_size }}
        WHEN {{ num_rel }} = {{ corpus_size }}
        THEN 1e0::float8 * {{ found }} / {{ num_rel }}
        ELSE (1e0::float8 * {{ found }} / {{ num_rel }} + 1e0::float8 - 1e0::float8 * ({{ retrieved }} - {{ found }}) / ({{ corpus_size }} - {{ num_rel }})) / 2
    END
END
{%- endmacro %}

{% macro clickhouse__balanced_share(corpus_size, retrieved, num_rel, found) -%}
{{ exceptions.raise_compiler_error("balanced_share cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__balanced_share(corpus_size, retrieved, num_rel, found) -%}
CASE
    WHEN {{ sqlmetrics.all_others(corpus_size, retrieved, num_rel, found) }} >= 0
    THEN CASE
        WHEN {{ num_rel }} = 0
        THEN 1e0::FLOAT - 1e0::FLOAT * {{ retrieved }} / {{ corpus_size }}
        WHEN {{ num_rel }} = {{ corpus_size }}
        THEN 1e0::FLOAT * {{ found }} / {{ num_rel }}
        ELSE (1e0::FLOAT * {{ found }} / {{ num_rel }} + 1e0::FLOAT - 1e0::FLOAT * ({{ retrieved }} - {{ found }}) / ({{ corpus_size }} - {{ num_rel }})) / 2
    END
END
{%- endmacro %}

{% macro redshift__balanced_share(corpus_size, retrieved, num_rel, found) -%}
{{ exceptions.raise_compiler_error("balanced_share cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
