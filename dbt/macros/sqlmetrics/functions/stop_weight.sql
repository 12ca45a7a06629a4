{#- The share of users, up to a factor, who stop at a relevant document. -#}
{% macro stop_weight(j, number, stop, stops, gamma) %}
{{- return(adapter.dispatch('stop_weight', 'sqlmetrics')(j, number, stop, stops, gamma)) -}}
{% endmacro %}

{% macro default__stop_weight(j, number, stop, stops, gamma) -%}
{% if stop == 'uniform' %}1e0{% elif stop == 'graded' %}{% if stops is none %}{{ j ~ '.own_gain' }}{% else %}{{ sqlmetrics.mapped_gain(j ~ '.relevance', stops) }}{% endif %}{% elif stop == 'rank-biased' %}(power(1e0 * {{ sqlmetrics.literal(gamma) }}, {{ number }} - 1)){% else %}NULL{% endif %}
{%- endmacro %}

{% macro postgres__stop_weight(j, number, stop, stops, gamma) -%}
{% if stop == 'uniform' %}1e0::float8{% elif stop == 'graded' %}{% if stops is none %}{{ j ~ '.own_gain' }}{% else %}{{ sqlmetrics.mapped_gain(j ~ '.relevance', stops) }}{% endif %}{% elif stop == 'rank-biased' %}(CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(gamma) }} = 0 THEN CASE WHEN {{ number }} - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(gamma) }}, 0)) * ({{ number }} - 1), -700)) END){% else %}NULL{% endif %}
{%- endmacro %}

{% macro clickhouse__stop_weight(j, number, stop, stops, gamma) -%}
{{ exceptions.raise_compiler_error("stop_weight cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__stop_weight(j, number, stop, stops, gamma) -%}
{% if stop == 'uniform' %}1e0::FLOAT{% elif stop == 'graded' %}{% if stops is none %}{{ j ~ '.own_gain' }}{% else %}{{ sqlmetrics.mapped_gain(j ~ '.relevance', stops) }}{% endif %}{% elif stop == 'rank-biased' %}(power(1e0::FLOAT * {{ sqlmetrics.literal(gamma) }}, {{ number }} - 1)){% else %}NULL{% endif %}
{%- endmacro %}

{% macro redshift__stop_weight(j, number, stop, stops, gamma) -%}
{{ exceptions.raise_compiler_error("stop_weight cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
