{#- RBP in expectation: the weights of the places that tied documents take up, a geometric sum, are shared among them. -#}
{% macro expected_rbp(j='j', k=none, p=0.8, gain='binary', max_rel=none, denominator='endless') %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('p', p, {"must": "a number between 0 and 1", "above": 0, "below": 1}) %}
{% do sqlmetrics.require('gain', gain, {"must": "one of binary, linear, exponential", "words": ["binary", "linear", "exponential"]}) %}
{% do sqlmetrics.require('max_rel', max_rel, {"must": "a number above 0, or none", "none": true, "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('denominator', denominator, {"must": "one of endless, cutoff, relevant, achievable, retrieved, listed", "words": ["endless", "cutoff", "relevant", "achievable", "retrieved", "listed"]}) %}
{{- return(adapter.dispatch('expected_rbp', 'sqlmetrics')(j, k, p, gain, max_rel, denominator)) -}}
{% endmacro %}

{% macro default__expected_rbp(j, k, p, gain, max_rel, denominator) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}
            THEN (power(1e0 * {{ sqlmetrics.literal(p) }}, {{ j ~ '.first_rank' }} - 1) - power(1e0 * {{ sqlmetrics.literal(p) }}, {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %})) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }} * {{ sqlmetrics.patient_gain(j ~ '.relevant', j ~ '.grade', gain, max_rel) }}
            ELSE 0e0
        END
    ) / nullif(sum({% if denominator == 'endless' %}CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN 1e0 END{% else %}CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN 1e0 - power(1e0 * {{ sqlmetrics.literal(p) }}, {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }}) END{% endif %}), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__expected_rbp(j, k, p, gain, max_rel, denominator) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}
            THEN (CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(p) }} = 0 THEN CASE WHEN {{ j ~ '.first_rank' }} - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(p) }}, 0)) * ({{ j ~ '.first_rank' }} - 1), -700)) END - CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(p) }} = 0 THEN CASE WHEN {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(p) }}, 0)) * ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}), -700)) END) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }} * {{ sqlmetrics.patient_gain(j ~ '.relevant', j ~ '.grade', gain, max_rel) }}
            ELSE 0e0::float8
        END
    ) / nullif(sum({% if denominator == 'endless' %}CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN 1e0::float8 END{% else %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN 1e0::float8 - CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(p) }} = 0 THEN CASE WHEN {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }} = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(p) }}, 0)) * ({{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }}), -700)) END
END{% endif %}), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__expected_rbp(j, k, p, gain, max_rel, denominator) -%}
{{ exceptions.raise_compiler_error("expected_rbp cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__expected_rbp(j, k, p, gain, max_rel, denominator) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}
            THEN (power(1e0::FLOAT * {{ sqlmetrics.literal(p) }}, {{ j ~ '.first_rank' }} - 1) - power(1e0::FLOAT * {{ sqlmetrics.literal(p) }}, {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %})) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }} * {{ sqlmetrics.patient_gain(j ~ '.relevant', j ~ '.grade', gain, max_rel) }}
            ELSE 0e0::FLOAT
        END
    ) / nullif(sum({% if denominator == 'endless' %}CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN 1e0::FLOAT END{% else %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN 1e0::FLOAT - power(1e0::FLOAT * {{ sqlmetrics.literal(p) }}, {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }})
END{% endif %}), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__expected_rbp(j, k, p, gain, max_rel, denominator) -%}
{{ exceptions.raise_compiler_error("expected_rbp cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
