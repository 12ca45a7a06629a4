{#- Stop on an adapter that has no macros, and when the rows of a metric are not called by an alias. -#}
{% macro start(name, alias='j', parameter='j') %}
{%- set reasons = {
    'clickhouse': 'its queries need settings',
    'redshift': 'it does not support RANGE frames, which find ties',
} -%}
{%- if target.type in reasons -%}
{%- set instead = '; generate the query with sqlmetrics sql --dialect ' ~ target.type -%}
{%- do sqlmetrics.refuse(name, reasons[target.type] ~ instead) -%}
{%- endif -%}
{%- do sqlmetrics.require(parameter, alias, "the alias of the rows, such as 'j'") -%}
{% endmacro %}

{#- Stop at a macro that the adapter cannot compute. -#}
{% macro refuse(name, reason) %}
{%- do exceptions.raise_compiler_error(name ~ ' cannot be computed by ' ~ target.type ~ ': ' ~ reason) -%}
{% endmacro %}
