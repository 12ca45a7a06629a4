{#- The weighted harmonic mean of precision and recall among the first k. -#}
{% macro f_at(j='j', k=none, beta=1.0, alpha=none, beta_squared=none) %}
{{- return(adapter.dispatch('f_at', 'sqlmetrics')(j, k, beta, alpha, beta_squared)) -}}
{% endmacro %}

{% macro default__f_at(j, k, beta, alpha, beta_squared) -%}
coalesce(
    sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE 0 END) / nullif(
        sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ sqlmetrics.precision_weight(beta, alpha, beta_squared) }} * {% if k is none %}{{ j ~ '.num_ret' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} + (1e0 - {{ sqlmetrics.precision_weight(beta, alpha, beta_squared) }}) * {{ j ~ '.num_rel' }} END),
        0
    ),
    0e0
)
{%- endmacro %}

{% macro postgres__f_at(j, k, beta, alpha, beta_squared) -%}
coalesce(
    sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE 0 END) / nullif(
        sum(
            CASE
                WHEN {{ j ~ '.ideal_rank' }} = 1
                THEN {{ sqlmetrics.precision_weight(beta, alpha, beta_squared) }} * {% if k is none %}{{ j ~ '.num_ret' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} + (1e0::float8 - {{ sqlmetrics.precision_weight(beta, alpha, beta_squared) }}) * {{ j ~ '.num_rel' }}
            END
        ),
        0
    ),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__f_at(j, k, beta, alpha, beta_squared) -%}
{{ exceptions.raise_compiler_error("f_at cannot be computed by clickhouse: write the query by sqlmetrics sql --dialect clickhouse, whose settings it needs") }}
{%- endmacro %}

{% macro snowflake__f_at(j, k, beta, alpha, beta_squared) -%}
coalesce(
    sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE 0 END) / nullif(
        sum(
            CASE
                WHEN {{ j ~ '.ideal_rank' }} = 1
                THEN {{ sqlmetrics.precision_weight(beta, alpha, beta_squared) }} * {% if k is none %}{{ j ~ '.num_ret' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} + (1e0::FLOAT - {{ sqlmetrics.precision_weight(beta, alpha, beta_squared) }}) * {{ j ~ '.num_rel' }}
            END
        ),
        0
    ),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__f_at(j, k, beta, alpha, beta_squared) -%}
coalesce(
    sum(CASE WHEN {{ j ~ '.rank' }} <= {% if k is none %}{{ j ~ '.rank' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN {{ j ~ '.relevant' }} ELSE 0 END) / nullif(
        sum(
            CASE
                WHEN {{ j ~ '.ideal_rank' }} = 1
                THEN {{ sqlmetrics.precision_weight(beta, alpha, beta_squared) }} * {% if k is none %}{{ j ~ '.num_ret' }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %} + (1e0::float8 - {{ sqlmetrics.precision_weight(beta, alpha, beta_squared) }}) * {{ j ~ '.num_rel' }}
            END
        ),
        0
    ),
    0e0::float8
)
{%- endmacro %}
