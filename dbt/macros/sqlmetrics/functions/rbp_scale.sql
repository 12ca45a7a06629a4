{#- What RBP is divided by: the weights of the ranks that count, and with scaled the highest gain of the query. -#}
{% macro rbp_scale(j, k, p, gain, scaled, denominator) %}
{{- return(adapter.dispatch('rbp_scale', 'sqlmetrics')(j, k, p, gain, scaled, denominator)) -}}
{% endmacro %}

{% macro default__rbp_scale(j, k, p, gain, scaled, denominator) -%}
({{ sqlmetrics.per_query(j, ("1e0" if denominator == 'endless' else "(1e0 - power(1e0 * " ~ sqlmetrics.literal(p) ~ ", " ~ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') ~ "))")) }} * {% if scaled %}max({{ sqlmetrics.rbp_gain(j ~ '.relevant', j ~ '.grade', gain, none) }}){% else %}1e0{% endif %})
{%- endmacro %}

{% macro postgres__rbp_scale(j, k, p, gain, scaled, denominator) -%}
({{ sqlmetrics.per_query(j, ("1e0::float8" if denominator == 'endless' else "(1e0::float8 - CASE WHEN 1e0::float8 * " ~ sqlmetrics.literal(p) ~ " = 0 THEN CASE WHEN " ~ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') ~ " = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * " ~ sqlmetrics.literal(p) ~ ", 0)) * (" ~ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') ~ "), -700)) END)")) }} * {% if scaled %}max({{ sqlmetrics.rbp_gain(j ~ '.relevant', j ~ '.grade', gain, none) }}){% else %}1e0::float8{% endif %})
{%- endmacro %}

{% macro clickhouse__rbp_scale(j, k, p, gain, scaled, denominator) -%}
{{ exceptions.raise_compiler_error("rbp_scale cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__rbp_scale(j, k, p, gain, scaled, denominator) -%}
({{ sqlmetrics.per_query(j, ("1e0::FLOAT" if denominator == 'endless' else "(1e0::FLOAT - power(1e0::FLOAT * " ~ sqlmetrics.literal(p) ~ ", " ~ sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret') ~ "))")) }} * {% if scaled %}max({{ sqlmetrics.rbp_gain(j ~ '.relevant', j ~ '.grade', gain, none) }}){% else %}1e0::FLOAT{% endif %})
{%- endmacro %}

{% macro redshift__rbp_scale(j, k, p, gain, scaled, denominator) -%}
{{ exceptions.raise_compiler_error("rbp_scale cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
