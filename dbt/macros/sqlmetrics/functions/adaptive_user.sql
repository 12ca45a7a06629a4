{#- What a user expects whose probability to go on depends on what has been gained. -#}
{% macro adaptive_user(j, measure) %}
{{- return(adapter.dispatch('adaptive_user', 'sqlmetrics')(j, measure)) -}}
{% endmacro %}

{% macro default__adaptive_user(j, measure) -%}
{{ sqlmetrics.cwl_measure(j, measure, sqlmetrics.total("(" ~ j ~ '.gain' ~ " * " ~ j ~ '.reach' ~ ")"), sqlmetrics.total("(" ~ j ~ '.span' ~ " * " ~ j ~ '.reach' ~ ")"), gain_beyond=sqlmetrics.total("(" ~ j ~ '.gain' ~ " * " ~ j ~ '.reach_beyond' ~ ")"), depth_beyond=sqlmetrics.total("((" ~ j ~ '.until' ~ " - " ~ j ~ '.rank' ~ " + 1) * " ~ j ~ '.reach_beyond' ~ ")")) }}
{%- endmacro %}

{% macro clickhouse__adaptive_user(j, measure) -%}
{{ exceptions.raise_compiler_error("adaptive_user cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__adaptive_user(j, measure) -%}
{{ exceptions.raise_compiler_error("adaptive_user cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
