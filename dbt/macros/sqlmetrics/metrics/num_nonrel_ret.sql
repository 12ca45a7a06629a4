{#- The number of documents retrieved that were judged not relevant. -#}
{% macro num_nonrel_ret(j='j') %}
{{- return(adapter.dispatch('num_nonrel_ret', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__num_nonrel_ret(j) -%}
1e0 * sum(
    CASE
        WHEN {{ j ~ '.rank' }} IS NOT NULL AND {{ j ~ '.relevance' }} >= 0 AND {{ j ~ '.relevant' }} = 0
        THEN 1
        ELSE 0
    END
)
{%- endmacro %}

{% macro postgres__num_nonrel_ret(j) -%}
1e0::float8 * sum(
    CASE
        WHEN {{ j ~ '.rank' }} IS NOT NULL AND {{ j ~ '.relevance' }} >= 0 AND {{ j ~ '.relevant' }} = 0
        THEN 1
        ELSE 0
    END
)
{%- endmacro %}

{% macro clickhouse__num_nonrel_ret(j) -%}
{{ exceptions.raise_compiler_error("num_nonrel_ret cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__num_nonrel_ret(j) -%}
1e0::FLOAT * sum(
    CASE
        WHEN {{ j ~ '.rank' }} IS NOT NULL AND {{ j ~ '.relevance' }} >= 0 AND {{ j ~ '.relevant' }} = 0
        THEN 1
        ELSE 0
    END
)
{%- endmacro %}

{% macro redshift__num_nonrel_ret(j) -%}
{{ exceptions.raise_compiler_error("num_nonrel_ret cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
