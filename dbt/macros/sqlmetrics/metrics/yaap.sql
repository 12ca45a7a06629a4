{#- AP as the log-odds that its sum of precisions makes, so that the extremes of queries average well. -#}
{% macro yaap(j='j') %}
{{- return(adapter.dispatch('yaap', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__yaap(j) -%}
ln(
    (
        1e0 + sum(
            CASE
                WHEN {{ j ~ '.rank' }} IS NOT NULL AND {{ j ~ '.relevant' }} = 1
                THEN 1e0 * {{ j ~ '.hits' }} / {{ j ~ '.rank' }}
                ELSE 0e0
            END
        )
    ) / (
        1e0 + sum(
            CASE
                WHEN {{ j ~ '.rank' }} IS NOT NULL AND {{ j ~ '.relevant' }} = 1
                THEN 1e0 - 1e0 * {{ j ~ '.hits' }} / {{ j ~ '.rank' }}
                ELSE 1e0 * {{ j ~ '.relevant' }}
            END
        )
    )
)
{%- endmacro %}

{% macro postgres__yaap(j) -%}
ln(
    (
        1e0::float8 + sum(
            CASE
                WHEN {{ j ~ '.rank' }} IS NOT NULL AND {{ j ~ '.relevant' }} = 1
                THEN 1e0::float8 * {{ j ~ '.hits' }} / {{ j ~ '.rank' }}
                ELSE 0e0::float8
            END
        )
    ) / (
        1e0::float8 + sum(
            CASE
                WHEN {{ j ~ '.rank' }} IS NOT NULL AND {{ j ~ '.relevant' }} = 1
                THEN 1e0::float8 - 1e0::float8 * {{ j ~ '.hits' }} / {{ j ~ '.rank' }}
                ELSE 1e0::float8 * {{ j ~ '.relevant' }}
            END
        )
    )
)
{%- endmacro %}

{% macro clickhouse__yaap(j) -%}
{{ exceptions.raise_compiler_error("yaap cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__yaap(j) -%}
ln(
    (
        1e0::FLOAT + sum(
            CASE
                WHEN {{ j ~ '.rank' }} IS NOT NULL AND {{ j ~ '.relevant' }} = 1
                THEN 1e0::FLOAT * {{ j ~ '.hits' }} / {{ j ~ '.rank' }}
                ELSE 0e0::FLOAT
            END
        )
    ) / (
        1e0::FLOAT + sum(
            CASE
                WHEN {{ j ~ '.rank' }} IS NOT NULL AND {{ j ~ '.relevant' }} = 1
                THEN 1e0::FLOAT - 1e0::FLOAT * {{ j ~ '.hits' }} / {{ j ~ '.rank' }}
                ELSE 1e0::FLOAT * {{ j ~ '.relevant' }}
            END
        )
    )
)
{%- endmacro %}

{% macro redshift__yaap(j) -%}
{{ exceptions.raise_compiler_error("yaap cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
