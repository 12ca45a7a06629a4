{#- For each relevant document 1, divided by a discount that grows with the documents not relevant above it. -#}
{% macro binary_gain(j='j') %}
{{- return(adapter.dispatch('binary_gain', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__binary_gain(j) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} IS NOT NULL AND {{ j ~ '.relevant' }} = 1
            THEN ln(2e0) / ln(2e0 + {{ j ~ '.rank' }} - {{ j ~ '.hits' }})
        END
    ) / nullif(sum({{ j ~ '.relevant' }}), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__binary_gain(j) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} IS NOT NULL AND {{ j ~ '.relevant' }} = 1
            THEN ln(2e0::float8) / ln(2e0::float8 + {{ j ~ '.rank' }} - {{ j ~ '.hits' }})
        END
    ) / nullif(sum({{ j ~ '.relevant' }}), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__binary_gain(j) -%}
{{ exceptions.raise_compiler_error("binary_gain cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__binary_gain(j) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} IS NOT NULL AND {{ j ~ '.relevant' }} = 1
            THEN ln(2e0::FLOAT) / ln(2e0::FLOAT + {{ j ~ '.rank' }} - {{ j ~ '.hits' }})
        END
    ) / nullif(sum({{ j ~ '.relevant' }}), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__binary_gain(j) -%}
{{ exceptions.raise_compiler_error("binary_gain cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
