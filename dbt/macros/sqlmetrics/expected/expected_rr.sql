{#- RR in expectation: one over each place that the first relevant document may take among those of its score. -#}
{% macro expected_rr(j='j', k=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('expected_rr', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__expected_rr(j, k) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits_above' }} = 0
            THEN 1e0 / {{ sqlmetrics.require_ties(j ~ '.num_tied') }} * reduce(CASE WHEN 0 <= least({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }}, {{ j ~ '.num_tied' }} - {{ j ~ '.hits_tied' }}) THEN sequence(0, least({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }}, {{ j ~ '.num_tied' }} - {{ j ~ '.hits_tied' }})) END, 0e0, (_sum, _i) -> _sum + exp(coalesce(
                reduce(CASE WHEN 1 <= _i THEN sequence(1, _i) END, 0e0, (_sum, _t) -> _sum + ln(1e0 * ({{ j ~ '.num_tied' }} - {{ j ~ '.hits_tied' }} + 1 - _t) / ({{ j ~ '.num_tied' }} - _t)), _sum -> _sum),
                0e0
            )) / ({{ j ~ '.first_rank' }} + _i), _sum -> _sum)
        END
    ),
    0e0
)
{%- endmacro %}

{% macro duckdb__expected_rr(j, k) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits_above' }} = 0
            THEN 1e0 / {{ sqlmetrics.require_ties(j ~ '.num_tied') }} * list_sum(list_transform(range(0, least({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }}, {{ j ~ '.num_tied' }} - {{ j ~ '.hits_tied' }}) + 1), lambda _i: exp(coalesce(
                list_sum(list_transform(range(1, _i + 1), lambda _t: ln(1e0 * ({{ j ~ '.num_tied' }} - {{ j ~ '.hits_tied' }} + 1 - _t) / ({{ j ~ '.num_tied' }} - _t)))),
                0e0
            )) / ({{ j ~ '.first_rank' }} + _i)))
        END
    ),
    0e0
)
{%- endmacro %}

{% macro spark__expected_rr(j, k) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits_above' }} = 0
            THEN 1e0 / {{ sqlmetrics.require_ties(j ~ '.num_tied') }} * aggregate(CASE WHEN 0 <= least({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }}, {{ j ~ '.num_tied' }} - {{ j ~ '.hits_tied' }}) THEN sequence(0, least({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }}, {{ j ~ '.num_tied' }} - {{ j ~ '.hits_tied' }})) END, 0e0, (_sum, _i) -> _sum + exp(coalesce(
                aggregate(CASE WHEN 1 <= _i THEN sequence(1, _i) END, 0e0, (_sum, _t) -> _sum + ln(1e0 * ({{ j ~ '.num_tied' }} - {{ j ~ '.hits_tied' }} + 1 - _t) / ({{ j ~ '.num_tied' }} - _t))),
                0e0
            )) / ({{ j ~ '.first_rank' }} + _i))
        END
    ),
    0e0
)
{%- endmacro %}

{% macro postgres__expected_rr(j, k) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits_above' }} = 0
            THEN 1e0::float8 / {{ sqlmetrics.require_ties(j ~ '.num_tied') }} * (SELECT sum(exp(least(greatest(coalesce(
                (SELECT sum(ln(1e0::float8 * ({{ j ~ '.num_tied' }} - {{ j ~ '.hits_tied' }} + 1 - _t) / ({{ j ~ '.num_tied' }} - _t))) FROM generate_series(1, _i) AS _series_t (_t)),
                0e0::float8
            ), -700), 700)) / ({{ j ~ '.first_rank' }} + _i)) FROM generate_series(0, least({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }}, {{ j ~ '.num_tied' }} - {{ j ~ '.hits_tied' }})) AS _series_i (_i))
        END
    ),
    0e0::float8
)
{%- endmacro %}

{% macro sqlite__expected_rr(j, k) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits_above' }} = 0
            THEN 1e0 / {{ sqlmetrics.require_ties(j ~ '.num_tied') }} * (WITH RECURSIVE _series_i (_i) AS (SELECT 0 WHERE 0 <= min({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }}, {{ j ~ '.num_tied' }} - {{ j ~ '.hits_tied' }}) UNION ALL SELECT _i + 1 FROM _series_i WHERE _i < min({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }}, {{ j ~ '.num_tied' }} - {{ j ~ '.hits_tied' }})) SELECT sum(exp(coalesce(
                (WITH RECURSIVE _series_t (_t) AS (SELECT 1 WHERE 1 <= _i UNION ALL SELECT _t + 1 FROM _series_t WHERE _t < _i) SELECT sum(ln(1e0 * ({{ j ~ '.num_tied' }} - {{ j ~ '.hits_tied' }} + 1 - _t) / ({{ j ~ '.num_tied' }} - _t))) FROM _series_t),
                0e0
            )) / ({{ j ~ '.first_rank' }} + _i)) FROM _series_i)
        END
    ),
    0e0
)
{%- endmacro %}

{% macro clickhouse__expected_rr(j, k) -%}
{{ exceptions.raise_compiler_error("expected_rr cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__expected_rr(j, k) -%}
{{ exceptions.raise_compiler_error("expected_rr cannot be computed by snowflake: it has no sums over a number of ranks that is not fixed") }}
{%- endmacro %}

{% macro bigquery__expected_rr(j, k) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits_above' }} = 0
            THEN 1e0 / {{ sqlmetrics.require_ties(j ~ '.num_tied') }} * (SELECT sum(exp(coalesce(
                (SELECT sum(ln(1e0 * ({{ j ~ '.num_tied' }} - {{ j ~ '.hits_tied' }} + 1 - _t) / ({{ j ~ '.num_tied' }} - _t))) FROM UNNEST(GENERATE_ARRAY(1, _i)) AS _t),
                0e0
            )) / ({{ j ~ '.first_rank' }} + _i)) FROM UNNEST(GENERATE_ARRAY(0, least({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }}, {{ j ~ '.num_tied' }} - {{ j ~ '.hits_tied' }}))) AS _i)
        END
    ),
    0e0
)
{%- endmacro %}

{% macro redshift__expected_rr(j, k) -%}
{{ exceptions.raise_compiler_error("expected_rr cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
