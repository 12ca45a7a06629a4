{#- How many ranks of a stretch a user of INST looks at who looks at the first. -#}
{% macro inst_span(rank, until, aim) %}
{{- return(adapter.dispatch('inst_span', 'sqlmetrics')(rank, until, aim)) -}}
{% endmacro %}

{% macro default__inst_span(rank, until, aim) -%}
CASE
    WHEN {{ until }} < {{ rank }}
    THEN 0e0
    ELSE 1e0 + ({{ rank }} - 1 + {{ aim }}) * ({{ rank }} - 1 + {{ aim }}) * coalesce(
        reduce(CASE WHEN {{ rank }} + 1 <= {{ until }} THEN sequence({{ rank }} + 1, {{ until }}) END, 0e0, (_sum, _i) -> _sum + 1e0 / ((_i - 1 + {{ aim }}) * (_i - 1 + {{ aim }})), _sum -> _sum),
        0e0
    )
END
{%- endmacro %}

{% macro duckdb__inst_span(rank, until, aim) -%}
CASE
    WHEN {{ until }} < {{ rank }}
    THEN 0e0
    ELSE 1e0 + ({{ rank }} - 1 + {{ aim }}) * ({{ rank }} - 1 + {{ aim }}) * coalesce(
        list_sum(list_transform(range({{ rank }} + 1, {{ until }} + 1), lambda _i: 1e0 / ((_i - 1 + {{ aim }}) * (_i - 1 + {{ aim }})))),
        0e0
    )
END
{%- endmacro %}

{% macro spark__inst_span(rank, until, aim) -%}
CASE
    WHEN {{ until }} < {{ rank }}
    THEN 0e0
    ELSE 1e0 + ({{ rank }} - 1 + {{ aim }}) * ({{ rank }} - 1 + {{ aim }}) * coalesce(
        aggregate(CASE WHEN {{ rank }} + 1 <= {{ until }} THEN sequence({{ rank }} + 1, {{ until }}) END, 0e0, (_sum, _i) -> _sum + 1e0 / ((_i - 1 + {{ aim }}) * (_i - 1 + {{ aim }}))),
        0e0
    )
END
{%- endmacro %}

{% macro postgres__inst_span(rank, until, aim) -%}
CASE
    WHEN {{ until }} < {{ rank }}
    THEN 0e0::float8
    ELSE 1e0::float8 + ({{ rank }} - 1 + {{ aim }}) * ({{ rank }} - 1 + {{ aim }}) * coalesce(
        (SELECT sum(1e0::float8 / ((_i - 1 + {{ aim }}) * (_i - 1 + {{ aim }}))) FROM generate_series({{ rank }} + 1, {{ until }}) AS _series_i (_i)),
        0e0::float8
    )
END
{%- endmacro %}

{% macro sqlite__inst_span(rank, until, aim) -%}
CASE
    WHEN {{ until }} < {{ rank }}
    THEN 0e0
    ELSE 1e0 + ({{ rank }} - 1 + {{ aim }}) * ({{ rank }} - 1 + {{ aim }}) * coalesce(
        (WITH RECURSIVE _series_i (_i) AS (SELECT {{ rank }} + 1 WHERE {{ rank }} + 1 <= {{ until }} UNION ALL SELECT _i + 1 FROM _series_i WHERE _i < {{ until }}) SELECT sum(1e0 / ((_i - 1 + {{ aim }}) * (_i - 1 + {{ aim }}))) FROM _series_i),
        0e0
    )
END
{%- endmacro %}

{% macro clickhouse__inst_span(rank, until, aim) -%}
{{ exceptions.raise_compiler_error("inst_span cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__inst_span(rank, until, aim) -%}
{{ exceptions.raise_compiler_error("inst_span cannot be computed by snowflake: it has no sums over a number of ranks that is not fixed") }}
{%- endmacro %}

{% macro bigquery__inst_span(rank, until, aim) -%}
CASE
    WHEN {{ until }} < {{ rank }}
    THEN 0e0
    ELSE 1e0 + ({{ rank }} - 1 + {{ aim }}) * ({{ rank }} - 1 + {{ aim }}) * coalesce(
        (SELECT sum(1e0 / ((_i - 1 + {{ aim }}) * (_i - 1 + {{ aim }}))) FROM UNNEST(GENERATE_ARRAY({{ rank }} + 1, {{ until }})) AS _i),
        0e0
    )
END
{%- endmacro %}

{% macro redshift__inst_span(rank, until, aim) -%}
{{ exceptions.raise_compiler_error("inst_span cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
