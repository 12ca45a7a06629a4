{#- What the relevant documents among the first k are divided by. -#}
{% macro divisor(denominator, k, num_rel, num_ret) %}
{{- return(adapter.dispatch('divisor', 'sqlmetrics')(denominator, k, num_rel, num_ret)) -}}
{% endmacro %}

{% macro default__divisor(denominator, k, num_rel, num_ret) -%}
{% if denominator == 'relevant' %}{{ num_rel }}{% elif denominator == 'cutoff' %}{% if k is none %}{{ num_ret }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}{% elif denominator == 'achievable' %}least({% if k is none %}{{ num_ret }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}, {{ num_rel }}){% elif denominator == 'retrieved' %}least({% if k is none %}{{ num_ret }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}, {{ num_ret }}){% elif denominator == 'listed' %}least({% if k is none %}{{ num_ret }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}, {{ num_ret }}, {{ num_rel }}){% else %}{{ exceptions.raise_compiler_error("denominator is 'relevant', 'cutoff', 'achievable', 'retrieved' or 'listed', not '" ~ denominator ~ "'") }}{% endif %}
{%- endmacro %}

{% macro sqlite__divisor(denominator, k, num_rel, num_ret) -%}
{% if denominator == 'relevant' %}{{ num_rel }}{% elif denominator == 'cutoff' %}{% if k is none %}{{ num_ret }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}{% elif denominator == 'achievable' %}min({% if k is none %}{{ num_ret }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}, {{ num_rel }}){% elif denominator == 'retrieved' %}min({% if k is none %}{{ num_ret }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}, {{ num_ret }}){% elif denominator == 'listed' %}min({% if k is none %}{{ num_ret }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}, {{ num_ret }}, {{ num_rel }}){% else %}{{ exceptions.raise_compiler_error("denominator is 'relevant', 'cutoff', 'achievable', 'retrieved' or 'listed', not '" ~ denominator ~ "'") }}{% endif %}
{%- endmacro %}

{% macro clickhouse__divisor(denominator, k, num_rel, num_ret) -%}
{{ exceptions.raise_compiler_error("divisor cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__divisor(denominator, k, num_rel, num_ret) -%}
{{ exceptions.raise_compiler_error("divisor cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
