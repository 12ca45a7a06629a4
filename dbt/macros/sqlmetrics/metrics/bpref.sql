{#- For each relevant document, 1 less the share of non-relevant ones ranked above it; unjudged documents are passed over. -#}
{% macro bpref(j='j') %}
{{- return(adapter.dispatch('bpref', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__bpref(j) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} IS NULL OR {{ j ~ '.relevant' }} = 0
            THEN 0e0
            WHEN {{ j ~ '.misses' }} = 0
            THEN 1e0
            ELSE 1e0 - 1e0 * CASE WHEN {{ j ~ '.misses' }} < {{ j ~ '.num_rel' }} THEN {{ j ~ '.misses' }} ELSE {{ j ~ '.num_rel' }} END / CASE WHEN {{ j ~ '.num_nonrel' }} < {{ j ~ '.num_rel' }} THEN {{ j ~ '.num_nonrel' }} ELSE {{ j ~ '.num_rel' }} END
        END
    ) / nullif(max({{ j ~ '.num_rel' }}), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__bpref(j) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} IS NULL OR {{ j ~ '.relevant' }} = 0
            THEN 0e0::float8
            WHEN {{ j ~ '.misses' }} = 0
            THEN 1e0::float8
            ELSE 1e0::float8 - 1e0::float8 * CASE WHEN {{ j ~ '.misses' }} < {{ j ~ '.num_rel' }} THEN {{ j ~ '.misses' }} ELSE {{ j ~ '.num_rel' }} END / CASE WHEN {{ j ~ '.num_nonrel' }} < {{ j ~ '.num_rel' }} THEN {{ j ~ '.num_nonrel' }} ELSE {{ j ~ '.num_rel' }} END
        END
    ) / nullif(max({{ j ~ '.num_rel' }}), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__bpref(j) -%}
{{ exceptions.raise_compiler_error("bpref cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__bpref(j) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} IS NULL OR {{ j ~ '.relevant' }} = 0
            THEN 0e0::FLOAT
            WHEN {{ j ~ '.misses' }} = 0
            THEN 1e0::FLOAT
            ELSE 1e0::FLOAT - 1e0::FLOAT * CASE WHEN {{ j ~ '.misses' }} < {{ j ~ '.num_rel' }} THEN {{ j ~ '.misses' }} ELSE {{ j ~ '.num_rel' }} END / CASE WHEN {{ j ~ '.num_nonrel' }} < {{ j ~ '.num_rel' }} THEN {{ j ~ '.num_nonrel' }} ELSE {{ j ~ '.num_rel' }} END
        END
    ) / nullif(max({{ j ~ '.num_rel' }}), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__bpref(j) -%}
{{ exceptions.raise_compiler_error("bpref cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
