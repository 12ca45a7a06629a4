{#- The expected gain per document seen by a user who goes on to the next one with probability p. -#}
{% macro rbp(j='j', k=none, p=0.8, gain='binary', max_rel=none, denominator='endless') %}
{% do sqlmetrics.require('gain', gain, ['binary', 'linear', 'exponential']) %}
{% do sqlmetrics.require('denominator', denominator, ['endless', 'cutoff', 'relevant', 'achievable', 'retrieved', 'listed']) %}
{{- return(adapter.dispatch('rbp', 'sqlmetrics')(j, k, p, gain, max_rel, denominator)) -}}
{% endmacro %}

{% macro default__rbp(j, k, p, gain, max_rel, denominator) -%}
coalesce(
    (1e0 - {{ sqlmetrics.literal(p) }}) * sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
            THEN power(1e0 * {{ sqlmetrics.literal(p) }}, {{ j ~ '.rank' }} - 1) * {{ sqlmetrics.patient_gain(j ~ '.relevant', j ~ '.grade', gain, max_rel) }}
            ELSE 0e0
        END
    ) / nullif(sum({% if denominator == 'endless' %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN 1e0
    ELSE CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN 1e0 - power(1e0 * {{ sqlmetrics.literal(p) }}, {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }}) END
END{% else %}CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN 1e0 - power(1e0 * {{ sqlmetrics.literal(p) }}, {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }}) END{% endif %}), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__rbp(j, k, p, gain, max_rel, denominator) -%}
coalesce(
    (1e0::float8 - {{ sqlmetrics.literal(p) }}) * sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
            THEN CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(p) }} = 0 THEN CASE WHEN {{ j ~ '.rank' }} - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(p) }}, 0)) * ({{ j ~ '.rank' }} - 1), -700)) END * {{ sqlmetrics.patient_gain(j ~ '.relevant', j ~ '.grade', gain, max_rel) }}
            ELSE 0e0::float8
        END
    ) / nullif(sum({% if denominator == 'endless' %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN 1e0::float8
    ELSE CASE
        WHEN {{ j ~ '.ideal_rank' }} = 1
        THEN 1e0::float8 - CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(p) }} = 0 THEN CASE WHEN {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }} = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(p) }}, 0)) * ({{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }}), -700)) END
    END
END{% else %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN 1e0::float8 - CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(p) }} = 0 THEN CASE WHEN {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }} = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(p) }}, 0)) * ({{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }}), -700)) END
END{% endif %}), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__rbp(j, k, p, gain, max_rel, denominator) -%}
{{ exceptions.raise_compiler_error("rbp cannot be computed by clickhouse: write the query by sqlmetrics sql --dialect clickhouse, whose settings it needs") }}
{%- endmacro %}

{% macro snowflake__rbp(j, k, p, gain, max_rel, denominator) -%}
coalesce(
    (1e0::FLOAT - {{ sqlmetrics.literal(p) }}) * sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
            THEN power(1e0::FLOAT * {{ sqlmetrics.literal(p) }}, {{ j ~ '.rank' }} - 1) * {{ sqlmetrics.patient_gain(j ~ '.relevant', j ~ '.grade', gain, max_rel) }}
            ELSE 0e0::FLOAT
        END
    ) / nullif(sum({% if denominator == 'endless' %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN 1e0::FLOAT
    ELSE CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN 1e0::FLOAT - power(1e0::FLOAT * {{ sqlmetrics.literal(p) }}, {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }}) END
END{% else %}CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN 1e0::FLOAT - power(1e0::FLOAT * {{ sqlmetrics.literal(p) }}, {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }}) END{% endif %}), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__rbp(j, k, p, gain, max_rel, denominator) -%}
coalesce(
    (1e0::float8 - {{ sqlmetrics.literal(p) }}) * sum(
        CASE
            WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}
            THEN CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(p) }} = 0 THEN CASE WHEN {{ j ~ '.rank' }} - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(p) }}, 0)) * ({{ j ~ '.rank' }} - 1), -700)) END * {{ sqlmetrics.patient_gain(j ~ '.relevant', j ~ '.grade', gain, max_rel) }}
            ELSE 0e0::float8
        END
    ) / nullif(sum({% if denominator == 'endless' %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN 1e0::float8
    ELSE CASE
        WHEN {{ j ~ '.ideal_rank' }} = 1
        THEN 1e0::float8 - CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(p) }} = 0 THEN CASE WHEN {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }} = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(p) }}, 0)) * ({{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }}), -700)) END
    END
END{% else %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN 1e0::float8 - CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(p) }} = 0 THEN CASE WHEN {{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }} = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(p) }}, 0)) * ({{ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') }}), -700)) END
END{% endif %}), 0),
    0e0::float8
)
{%- endmacro %}
