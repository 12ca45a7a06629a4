{#- The relevance of the first k documents, one sign for each: its digit, > above 9, . below 0, - without a judgment. -#}
{% macro relstring(j='j', k=10) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('relstring', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__relstring(j, k) -%}
array_to_string(
    list_transform(
        range(1, {{ sqlmetrics.literal(k) }} + 1),
        LAMBDA _rank : CASE
            WHEN max({{ j ~ '.num_ret' }}) < _rank
            THEN ''
            ELSE coalesce(
                max(
                    CASE
                        WHEN {{ j ~ '.rank' }} = _rank AND {{ j ~ '.relevance' }} >= 10
                        THEN '>'
                        WHEN {{ j ~ '.rank' }} = _rank AND {{ j ~ '.relevance' }} < 0
                        THEN '.'
                        WHEN {{ j ~ '.rank' }} = _rank
                        THEN CAST(CAST(floor({{ j ~ '.relevance' }}) AS INT) AS TEXT)
                    END
                ),
                '-'
            )
        END
    ),
    ''
)
{%- endmacro %}

{% macro spark__relstring(j, k) -%}
{{ exceptions.raise_compiler_error("relstring cannot be computed by spark: it has no functions over lists") }}
{%- endmacro %}

{% macro postgres__relstring(j, k) -%}
{{ exceptions.raise_compiler_error("relstring cannot be computed by postgres: it has no functions over lists") }}
{%- endmacro %}

{% macro sqlite__relstring(j, k) -%}
{{ exceptions.raise_compiler_error("relstring cannot be computed by sqlite: it has no functions over lists") }}
{%- endmacro %}

{% macro clickhouse__relstring(j, k) -%}
{{ exceptions.raise_compiler_error("relstring cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__relstring(j, k) -%}
{{ exceptions.raise_compiler_error("relstring cannot be computed by snowflake: it has no functions over lists") }}
{%- endmacro %}

{% macro bigquery__relstring(j, k) -%}
{{ exceptions.raise_compiler_error("relstring cannot be computed by bigquery: it has no functions over lists") }}
{%- endmacro %}

{% macro redshift__relstring(j, k) -%}
{{ exceptions.raise_compiler_error("relstring cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}

{% macro trino__relstring(j, k) -%}
{{ exceptions.raise_compiler_error("relstring cannot be computed by trino: it has no functions over lists") }}
{%- endmacro %}

{% macro athena__relstring(j, k) -%}
{{ exceptions.raise_compiler_error("relstring cannot be computed by athena: it has no functions over lists") }}
{%- endmacro %}
