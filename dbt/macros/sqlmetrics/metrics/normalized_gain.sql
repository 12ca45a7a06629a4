{#- The gain of each document, divided by a discount that grows with what the ranking has missed of the ideal gain so far. -#}
{% macro normalized_gain(j='j') %}
{{- return(adapter.dispatch('normalized_gain', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__normalized_gain(j) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} IS NOT NULL
            THEN {{ j ~ '.own_gain' }} * ln(2e0) / ln(2e0 + {{ j ~ '.rank' }} + {{ j ~ '.ideal_surplus' }} - {{ j ~ '.cg' }})
        END
    ) / nullif(sum({{ j ~ '.own_gain' }}), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__normalized_gain(j) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} IS NOT NULL
            THEN {{ j ~ '.own_gain' }} * ln(2e0::float8) / ln(2e0::float8 + {{ j ~ '.rank' }} + {{ j ~ '.ideal_surplus' }} - {{ j ~ '.cg' }})
        END
    ) / nullif(sum({{ j ~ '.own_gain' }}), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__normalized_gain(j) -%}
{{ exceptions.raise_compiler_error("normalized_gain cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__normalized_gain(j) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.rank' }} IS NOT NULL
            THEN {{ j ~ '.own_gain' }} * ln(2e0::FLOAT) / ln(2e0::FLOAT + {{ j ~ '.rank' }} + {{ j ~ '.ideal_surplus' }} - {{ j ~ '.cg' }})
        END
    ) / nullif(sum({{ j ~ '.own_gain' }}), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__normalized_gain(j) -%}
{{ exceptions.raise_compiler_error("normalized_gain cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
