{#- The precision of all that was retrieved times its recall, which is AP without regard to order. -#}
{% macro set_ap(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('set_ap', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__set_ap(j) -%}
({{ sqlmetrics.precision_at(j) }} * {{ sqlmetrics.recall_at(j) }})
{%- endmacro %}

{% macro clickhouse__set_ap(j) -%}
{{ exceptions.raise_compiler_error("set_ap cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__set_ap(j) -%}
{{ exceptions.raise_compiler_error("set_ap cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
