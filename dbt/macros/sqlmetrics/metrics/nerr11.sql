{#- The gain per document seen by a user who stops at a document with a probability of its gain, else goes on as in INSQ. -#}
{% macro nerr11(j='j', T=1, k=1000, expected='utility') %}
{% do sqlmetrics.require('T', T, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more", "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('expected', expected, {"must": "one of utility, total_utility, cost, total_cost, depth", "words": ["utility", "total_utility", "cost", "total_cost", "depth"]}) %}
{{- return(adapter.dispatch('nerr11', 'sqlmetrics')(j, T, k, expected)) -}}
{% endmacro %}

{% macro default__nerr11(j, T, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum( CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'squared', sqlmetrics.literal(T)) ~ " END )", "(sum(" ~ j ~ '.opening' ~ ") /* whom a document satisfies does not look at the ranks below it */ * " ~ sqlmetrics.patience_sum("1", sqlmetrics.literal(k), 'squared', sqlmetrics.literal(T)) ~ " - sum( CASE WHEN " ~ j ~ '.rank' ~ " < " ~ sqlmetrics.literal(k) ~ " AND " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " > 0 THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " * " ~ sqlmetrics.patience_sum("(" ~ j ~ '.rank' ~ " + 1)", sqlmetrics.literal(k), 'squared', sqlmetrics.literal(T)) ~ " ELSE 0e0 END ))", "(sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.never_satisfied' ~ " END) * " ~ sqlmetrics.patience("(" ~ sqlmetrics.literal(k) ~ " + 1)", 'squared', sqlmetrics.literal(T)) ~ ")", "(sum(" ~ j ~ '.opening' ~ " * " ~ j ~ '.never_satisfied' ~ ") * " ~ sqlmetrics.literal(k) ~ " * " ~ sqlmetrics.patience("(" ~ sqlmetrics.literal(k) ~ " + 1)", 'squared', sqlmetrics.literal(T)) ~ ")", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro postgres__nerr11(j, T, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum( CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'squared', sqlmetrics.literal(T)) ~ " END )", "(sum(" ~ j ~ '.opening' ~ ") /* whom a document satisfies does not look at the ranks below it */ * " ~ sqlmetrics.patience_sum("1", sqlmetrics.literal(k), 'squared', sqlmetrics.literal(T)) ~ " - sum( CASE WHEN " ~ j ~ '.rank' ~ " < " ~ sqlmetrics.literal(k) ~ " AND " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " > 0 THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " * " ~ sqlmetrics.patience_sum("(" ~ j ~ '.rank' ~ " + 1)", sqlmetrics.literal(k), 'squared', sqlmetrics.literal(T)) ~ " ELSE 0e0::float8 END ))", "(sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.never_satisfied' ~ " END) * " ~ sqlmetrics.patience("(" ~ sqlmetrics.literal(k) ~ " + 1)", 'squared', sqlmetrics.literal(T)) ~ ")", "(sum(" ~ j ~ '.opening' ~ " * " ~ j ~ '.never_satisfied' ~ ") * " ~ sqlmetrics.literal(k) ~ " * " ~ sqlmetrics.patience("(" ~ sqlmetrics.literal(k) ~ " + 1)", 'squared', sqlmetrics.literal(T)) ~ ")", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro clickhouse__nerr11(j, T, k, expected) -%}
{{ exceptions.raise_compiler_error("nerr11 cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__nerr11(j, T, k, expected) -%}
{{ sqlmetrics.user_figure(expected, "sum( CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " * " ~ sqlmetrics.patience(j ~ '.rank', 'squared', sqlmetrics.literal(T)) ~ " END )", "(sum(" ~ j ~ '.opening' ~ ") /* whom a document satisfies does not look at the ranks below it */ * " ~ sqlmetrics.patience_sum("1", sqlmetrics.literal(k), 'squared', sqlmetrics.literal(T)) ~ " - sum( CASE WHEN " ~ j ~ '.rank' ~ " < " ~ sqlmetrics.literal(k) ~ " AND " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " > 0 THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " * " ~ sqlmetrics.patience_sum("(" ~ j ~ '.rank' ~ " + 1)", sqlmetrics.literal(k), 'squared', sqlmetrics.literal(T)) ~ " ELSE 0e0::FLOAT END ))", "(sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.never_satisfied' ~ " END) * " ~ sqlmetrics.patience("(" ~ sqlmetrics.literal(k) ~ " + 1)", 'squared', sqlmetrics.literal(T)) ~ ")", "(sum(" ~ j ~ '.opening' ~ " * " ~ j ~ '.never_satisfied' ~ ") * " ~ sqlmetrics.literal(k) ~ " * " ~ sqlmetrics.patience("(" ~ sqlmetrics.literal(k) ~ " + 1)", 'squared', sqlmetrics.literal(T)) ~ ")", "sum(" ~ j ~ '.opening' ~ ")") }}
{%- endmacro %}

{% macro redshift__nerr11(j, T, k, expected) -%}
{{ exceptions.raise_compiler_error("nerr11 cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
