{#- The weighted harmonic mean of precision and recall among the first k. -#}
{% macro f_at(j='j', k=none, beta=1.0, alpha=none, beta_squared=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('beta', beta, {"must": "a number above 0", "above": 0, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('alpha', alpha, {"must": "a number from 0 to 1, or none", "none": true, "from": 0, "to": 1}) %}
{% do sqlmetrics.require('beta_squared', beta_squared, {"must": "a number, 0 or more, or none", "none": true, "from": 0, "to": 1.7976931348623157e+308}) %}
{{- return(adapter.dispatch('f_at', 'sqlmetrics')(j, k, beta, alpha, beta_squared)) -}}
{% endmacro %}

{% macro default__f_at(j, k, beta, alpha, beta_squared) -%}
{{ sqlmetrics.ratio(sqlmetrics.tp(j, sqlmetrics.literal(k)), "(" ~ sqlmetrics.precision_weight(beta, alpha, beta_squared) ~ " * " ~ sqlmetrics.per_query(j, (j ~ '.num_ret' if k is none else sqlmetrics.literal(k))) ~ " + (1e0 - " ~ sqlmetrics.precision_weight(beta, alpha, beta_squared) ~ ") * sum(" ~ j ~ '.relevant' ~ "))") }}
{%- endmacro %}

{% macro postgres__f_at(j, k, beta, alpha, beta_squared) -%}
{{ sqlmetrics.ratio(sqlmetrics.tp(j, sqlmetrics.literal(k)), "(" ~ sqlmetrics.precision_weight(beta, alpha, beta_squared) ~ " * " ~ sqlmetrics.per_query(j, (j ~ '.num_ret' if k is none else sqlmetrics.literal(k))) ~ " + (1e0::float8 - " ~ sqlmetrics.precision_weight(beta, alpha, beta_squared) ~ ") * sum(" ~ j ~ '.relevant' ~ "))") }}
{%- endmacro %}

{% macro clickhouse__f_at(j, k, beta, alpha, beta_squared) -%}
{{ exceptions.raise_compiler_error("f_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__f_at(j, k, beta, alpha, beta_squared) -%}
{{ sqlmetrics.ratio(sqlmetrics.tp(j, sqlmetrics.literal(k)), "(" ~ sqlmetrics.precision_weight(beta, alpha, beta_squared) ~ " * " ~ sqlmetrics.per_query(j, (j ~ '.num_ret' if k is none else sqlmetrics.literal(k))) ~ " + (1e0::FLOAT - " ~ sqlmetrics.precision_weight(beta, alpha, beta_squared) ~ ") * sum(" ~ j ~ '.relevant' ~ "))") }}
{%- endmacro %}

{% macro redshift__f_at(j, k, beta, alpha, beta_squared) -%}
{{ exceptions.raise_compiler_error("f_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
