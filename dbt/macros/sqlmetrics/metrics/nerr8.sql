{#- The gain per document seen by a user who stops at a document with a probability of its gain, and at rank k at the latest. -#}
{% macro nerr8(j='j', k=1000, expected='utility') %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('expected', expected, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('nerr8', 'sqlmetrics')(j, k, expected)) -}}
{% endmacro %}

{% macro default__nerr8(j, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum( CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'endless', "NULL") ~ " END )", "(sum(" ~ j ~ '.opening' ~ ") /* whom a document satisfies does not look at the ranks below it */ * " ~ sqlmetrics.patience_sum("1", sqlmetrics.literal(k), 'endless', "NULL") ~ " - sum( CASE WHEN " ~ j ~ '.rank' ~ " < " ~ sqlmetrics.literal(k) ~ " AND " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " > 0 THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " * " ~ sqlmetrics.patience_sum("(" ~ j ~ '.rank' ~ " + 1)", sqlmetrics.literal(k), 'endless', "NULL") ~ " ELSE 0e0 END ))", "0e0", "0e0", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro postgres__nerr8(j, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum( CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'endless', "NULL") ~ " END )", "(sum(" ~ j ~ '.opening' ~ ") /* whom a document satisfies does not look at the ranks below it */ * " ~ sqlmetrics.patience_sum("1", sqlmetrics.literal(k), 'endless', "NULL") ~ " - sum( CASE WHEN " ~ j ~ '.rank' ~ " < " ~ sqlmetrics.literal(k) ~ " AND " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " > 0 THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " * " ~ sqlmetrics.patience_sum("(" ~ j ~ '.rank' ~ " + 1)", sqlmetrics.literal(k), 'endless', "NULL") ~ " ELSE 0e0::float8 END ))", "0e0::float8", "0e0::float8", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro clickhouse__nerr8(j, k, expected) -%}
{{ exceptions.raise_compiler_error("nerr8 cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__nerr8(j, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum( CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'endless', "NULL") ~ " END )", "(sum(" ~ j ~ '.opening' ~ ") /* whom a document satisfies does not look at the ranks below it */ * " ~ sqlmetrics.patience_sum("1", sqlmetrics.literal(k), 'endless', "NULL") ~ " - sum( CASE WHEN " ~ j ~ '.rank' ~ " < " ~ sqlmetrics.literal(k) ~ " AND " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " > 0 THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " * " ~ sqlmetrics.patience_sum("(" ~ j ~ '.rank' ~ " + 1)", sqlmetrics.literal(k), 'endless', "NULL") ~ " ELSE 0e0::FLOAT END ))", "0e0::FLOAT", "0e0::FLOAT", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro redshift__nerr8(j, k, expected) -%}
{{ exceptions.raise_compiler_error("nerr8 cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
