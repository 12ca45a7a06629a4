{#- By how much the gain at a rank, a fraction, is divided. -#}
{% macro rank_discount(rank, discount, base) %}
{{- return(adapter.dispatch('rank_discount', 'sqlmetrics')(rank, discount, base)) -}}
{% endmacro %}

{% macro default__rank_discount(rank, discount, base) -%}
{% if discount == 'log' %}(ln(1e0 + {{ rank }}) / ln(1e0 * {{ sqlmetrics.literal(base) }})){% elif discount == 'clipped' %}CASE
    WHEN {{ rank }} > {{ sqlmetrics.literal(base) }}
    THEN ln(1e0 * {{ rank }}) / ln(1e0 * {{ sqlmetrics.literal(base) }})
    ELSE 1e0
END{% elif discount == 'reciprocal' %}{{ rank }}{% elif discount == 'none' %}1e0{% else %}NULL{% endif %}
{%- endmacro %}

{% macro postgres__rank_discount(rank, discount, base) -%}
{% if discount == 'log' %}(ln(1e0::float8 + {{ rank }}) / ln(1e0::float8 * {{ sqlmetrics.literal(base) }})){% elif discount == 'clipped' %}CASE
    WHEN {{ rank }} > {{ sqlmetrics.literal(base) }}
    THEN ln(1e0::float8 * {{ rank }}) / ln(1e0::float8 * {{ sqlmetrics.literal(base) }})
    ELSE 1e0::float8
END{% elif discount == 'reciprocal' %}{{ rank }}{% elif discount == 'none' %}1e0::float8{% else %}NULL{% endif %}
{%- endmacro %}

{% macro clickhouse__rank_discount(rank, discount, base) -%}
{{ exceptions.raise_compiler_error("rank_discount cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__rank_discount(rank, discount, base) -%}
{% if discount == 'log' %}(ln(1e0::FLOAT + {{ rank }}) / ln(1e0::FLOAT * {{ sqlmetrics.literal(base) }})){% elif discount == 'clipped' %}CASE
    WHEN {{ rank }} > {{ sqlmetrics.literal(base) }}
    THEN ln(1e0::FLOAT * {{ rank }}) / ln(1e0::FLOAT * {{ sqlmetrics.literal(base) }})
    ELSE 1e0::FLOAT
END{% elif discount == 'reciprocal' %}{{ rank }}{% elif discount == 'none' %}1e0::FLOAT{% else %}NULL{% endif %}
{%- endmacro %}

{% macro redshift__rank_discount(rank, discount, base) -%}
{{ exceptions.raise_compiler_error("rank_discount cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
