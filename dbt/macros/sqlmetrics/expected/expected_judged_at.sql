{#- The share of judged documents in expectation: each place that tied documents take up holds any of them with the same probability. -#}
{% macro expected_judged_at(j='j', k=none) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('expected_judged_at', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__expected_judged_at(j, k) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevance' }} >= 0
            THEN 1e0 * ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
        END
    ) / nullif({% if k is none %}max({{ j ~ '.num_ret' }}){% else %}least(max({{ j ~ '.num_ret' }}), {{ sqlmetrics.literal(k) }}){% endif %}, 0),
    0e0
)
{%- endmacro %}

{% macro postgres__expected_judged_at(j, k) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevance' }} >= 0
            THEN 1e0::float8 * ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
        END
    ) / nullif({% if k is none %}max({{ j ~ '.num_ret' }}){% else %}least(max({{ j ~ '.num_ret' }}), {{ sqlmetrics.literal(k) }}){% endif %}, 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__expected_judged_at(j, k) -%}
{{ exceptions.raise_compiler_error("expected_judged_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__expected_judged_at(j, k) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevance' }} >= 0
            THEN 1e0::FLOAT * ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
        END
    ) / nullif({% if k is none %}max({{ j ~ '.num_ret' }}){% else %}least(max({{ j ~ '.num_ret' }}), {{ sqlmetrics.literal(k) }}){% endif %}, 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__expected_judged_at(j, k) -%}
{{ exceptions.raise_compiler_error("expected_judged_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
