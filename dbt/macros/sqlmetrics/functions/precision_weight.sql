{#- The share of the weight that precision has in F. -#}
{% macro precision_weight(beta, alpha, beta_squared) %}
{{- return(adapter.dispatch('precision_weight', 'sqlmetrics')(beta, alpha, beta_squared)) -}}
{% endmacro %}

{% macro default__precision_weight(beta, alpha, beta_squared) -%}
coalesce(1e0 * {{ sqlmetrics.literal(alpha) }}, 1e0 / (1e0 + {% if beta_squared is none %}(power(1e0 * {{ sqlmetrics.literal(beta) }}, 2)){% else %}{{ sqlmetrics.literal(beta_squared) }}{% endif %}))
{%- endmacro %}

{% macro postgres__precision_weight(beta, alpha, beta_squared) -%}
coalesce(1e0::float8 * {{ sqlmetrics.literal(alpha) }}, 1e0::float8 / (1e0::float8 + {% if beta_squared is none %}(CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(beta) }} = 0 THEN CASE WHEN 2 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(beta) }}, 0)) * (2), -700)) END){% else %}{{ sqlmetrics.literal(beta_squared) }}{% endif %}))
{%- endmacro %}

{% macro clickhouse__precision_weight(beta, alpha, beta_squared) -%}
{{ exceptions.raise_compiler_error("precision_weight cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__precision_weight(beta, alpha, beta_squared) -%}
coalesce(1e0::FLOAT * {{ sqlmetrics.literal(alpha) }}, 1e0::FLOAT / (1e0::FLOAT + {% if beta_squared is none %}(power(1e0::FLOAT * {{ sqlmetrics.literal(beta) }}, 2)){% else %}{{ sqlmetrics.literal(beta_squared) }}{% endif %}))
{%- endmacro %}

{% macro redshift__precision_weight(beta, alpha, beta_squared) -%}
{{ exceptions.raise_compiler_error("precision_weight cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
