{#- The probability that a relevant document is among the first k. -#}
{% macro expected_success_at(j='j', k=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('expected_success_at', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__expected_success_at(j, k) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits_above' }} = 0
            THEN (
                1e0 - CASE
                    WHEN {{ j ~ '.hits_tied' }} > {{ sqlmetrics.require_ties(j ~ '.num_tied') }} - ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1)
                    THEN 0e0
                    ELSE exp(reduce(CASE WHEN 0 <= {{ j ~ '.hits_tied' }} - 1 THEN sequence(0, {{ j ~ '.hits_tied' }} - 1) END, 0e0, (_sum, _i) -> _sum + ln(
                        1e0 * ({{ j ~ '.num_tied' }} - ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1) - _i) / ({{ j ~ '.num_tied' }} - _i)
                    ), _sum -> _sum))
                END
            ) / {{ j ~ '.hits_tied' }}
        END
    ),
    0e0
)
{%- endmacro %}

{% macro duckdb__expected_success_at(j, k) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits_above' }} = 0
            THEN (
                1e0 - CASE
                    WHEN {{ j ~ '.hits_tied' }} > {{ sqlmetrics.require_ties(j ~ '.num_tied') }} - ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1)
                    THEN 0e0
                    ELSE exp(list_sum(list_transform(range(0, {{ j ~ '.hits_tied' }} - 1 + 1), lambda _i: ln(
                        1e0 * ({{ j ~ '.num_tied' }} - ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1) - _i) / ({{ j ~ '.num_tied' }} - _i)
                    ))))
                END
            ) / {{ j ~ '.hits_tied' }}
        END
    ),
    0e0
)
{%- endmacro %}

{% macro spark__expected_success_at(j, k) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits_above' }} = 0
            THEN (
                1e0 - CASE
                    WHEN {{ j ~ '.hits_tied' }} > {{ sqlmetrics.require_ties(j ~ '.num_tied') }} - ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1)
                    THEN 0e0
                    ELSE exp(aggregate(CASE WHEN 0 <= {{ j ~ '.hits_tied' }} - 1 THEN sequence(0, {{ j ~ '.hits_tied' }} - 1) END, 0e0, (_sum, _i) -> _sum + ln(
                        1e0 * ({{ j ~ '.num_tied' }} - ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1) - _i) / ({{ j ~ '.num_tied' }} - _i)
                    )))
                END
            ) / {{ j ~ '.hits_tied' }}
        END
    ),
    0e0
)
{%- endmacro %}

{% macro postgres__expected_success_at(j, k) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits_above' }} = 0
            THEN (
                1e0::float8 - CASE
                    WHEN {{ j ~ '.hits_tied' }} > {{ sqlmetrics.require_ties(j ~ '.num_tied') }} - ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1)
                    THEN 0e0::float8
                    ELSE exp(least(greatest((SELECT sum(ln(
                        1e0::float8 * ({{ j ~ '.num_tied' }} - ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1) - _i) / ({{ j ~ '.num_tied' }} - _i)
                    )) FROM generate_series(0, {{ j ~ '.hits_tied' }} - 1) AS _series_i (_i)), -700), 700))
                END
            ) / {{ j ~ '.hits_tied' }}
        END
    ),
    0e0::float8
)
{%- endmacro %}

{% macro sqlite__expected_success_at(j, k) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits_above' }} = 0
            THEN (
                1e0 - CASE
                    WHEN {{ j ~ '.hits_tied' }} > {{ sqlmetrics.require_ties(j ~ '.num_tied') }} - ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1)
                    THEN 0e0
                    ELSE exp((WITH RECURSIVE _series_i (_i) AS (SELECT 0 WHERE 0 <= {{ j ~ '.hits_tied' }} - 1 UNION ALL SELECT _i + 1 FROM _series_i WHERE _i < {{ j ~ '.hits_tied' }} - 1) SELECT sum(ln(
                        1e0 * ({{ j ~ '.num_tied' }} - ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1) - _i) / ({{ j ~ '.num_tied' }} - _i)
                    )) FROM _series_i))
                END
            ) / {{ j ~ '.hits_tied' }}
        END
    ),
    0e0
)
{%- endmacro %}

{% macro clickhouse__expected_success_at(j, k) -%}
{{ exceptions.raise_compiler_error("expected_success_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__expected_success_at(j, k) -%}
{{ exceptions.raise_compiler_error("expected_success_at cannot be computed by snowflake: it has no sums over a number of ranks that is not fixed") }}
{%- endmacro %}

{% macro bigquery__expected_success_at(j, k) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits_above' }} = 0
            THEN (
                1e0 - CASE
                    WHEN {{ j ~ '.hits_tied' }} > {{ sqlmetrics.require_ties(j ~ '.num_tied') }} - ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1)
                    THEN 0e0
                    ELSE exp((SELECT sum(ln(
                        1e0 * ({{ j ~ '.num_tied' }} - ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1) - _i) / ({{ j ~ '.num_tied' }} - _i)
                    )) FROM UNNEST(GENERATE_ARRAY(0, {{ j ~ '.hits_tied' }} - 1)) AS _i))
                END
            ) / {{ j ~ '.hits_tied' }}
        END
    ),
    0e0
)
{%- endmacro %}

{% macro redshift__expected_success_at(j, k) -%}
{{ exceptions.raise_compiler_error("expected_success_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
