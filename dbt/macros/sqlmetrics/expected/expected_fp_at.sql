{#- False positives in expectation: each place that tied documents take up holds any of them with the same probability. -#}
{% macro expected_fp_at(j='j', k=none) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('expected_fp_at', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__expected_fp_at(j, k) -%}
sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ sqlmetrics.first_of(k, j ~ '.num_ret') }} END) - sum(
    CASE
        WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}
        THEN 1e0 * {{ j ~ '.relevant' }} * ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
        ELSE 0e0
    END
)
{%- endmacro %}

{% macro postgres__expected_fp_at(j, k) -%}
sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ sqlmetrics.first_of(k, j ~ '.num_ret') }} END) - sum(
    CASE
        WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}
        THEN 1e0::float8 * {{ j ~ '.relevant' }} * ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
        ELSE 0e0::float8
    END
)
{%- endmacro %}

{% macro clickhouse__expected_fp_at(j, k) -%}
{{ exceptions.raise_compiler_error("expected_fp_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__expected_fp_at(j, k) -%}
sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ sqlmetrics.first_of(k, j ~ '.num_ret') }} END) - sum(
    CASE
        WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}
        THEN 1e0::FLOAT * {{ j ~ '.relevant' }} * ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
        ELSE 0e0::FLOAT
    END
)
{%- endmacro %}

{% macro redshift__expected_fp_at(j, k) -%}
{{ exceptions.raise_compiler_error("expected_fp_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
