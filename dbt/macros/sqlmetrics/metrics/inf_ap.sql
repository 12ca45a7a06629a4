{#- AP estimated from a sample of judgments: pooled documents that nobody judged count as relevant as often as judged ones. -#}
{% macro inf_ap(j='j') %}
{{- return(adapter.dispatch('inf_ap', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__inf_ap(j) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} IS NOT NULL AND {{ j ~ '.relevant' }} = 1
            THEN (1e0 + ({{ j ~ '.hits' }} - 1 + {{ j ~ '.misses' }} + {{ j ~ '.skips' }}) * ({{ j ~ '.hits' }} - 1 + 1e-5) / ({{ j ~ '.hits' }} - 1 + {{ j ~ '.misses' }} + 2e-5)) / {{ j ~ '.rank' }}
        END
    ) / nullif(sum({{ j ~ '.relevant' }}), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__inf_ap(j) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} IS NOT NULL AND {{ j ~ '.relevant' }} = 1
            THEN (1e0::float8 + ({{ j ~ '.hits' }} - 1 + {{ j ~ '.misses' }} + {{ j ~ '.skips' }}) * ({{ j ~ '.hits' }} - 1 + 1e-5::float8) / ({{ j ~ '.hits' }} - 1 + {{ j ~ '.misses' }} + 2e-5::float8)) / {{ j ~ '.rank' }}
        END
    ) / nullif(sum({{ j ~ '.relevant' }}), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__inf_ap(j) -%}
{{ exceptions.raise_compiler_error("inf_ap cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__inf_ap(j) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} IS NOT NULL AND {{ j ~ '.relevant' }} = 1
            THEN (1e0::FLOAT + ({{ j ~ '.hits' }} - 1 + {{ j ~ '.misses' }} + {{ j ~ '.skips' }}) * ({{ j ~ '.hits' }} - 1 + 1e-5::FLOAT) / ({{ j ~ '.hits' }} - 1 + {{ j ~ '.misses' }} + 2e-5::FLOAT)) / {{ j ~ '.rank' }}
        END
    ) / nullif(sum({{ j ~ '.relevant' }}), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__inf_ap(j) -%}
{{ exceptions.raise_compiler_error("inf_ap cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
