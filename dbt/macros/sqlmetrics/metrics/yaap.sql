{#- AP as log-odds, smoothed by 1 more on both sides, so that the extremes of queries average well. -#}
{% macro yaap(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('yaap', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__yaap(j) -%}
ln(
    (1e0 + sum({{ j ~ '.relevant' }}) * {{ sqlmetrics.ap(j) }}) / (1e0 + sum({{ j ~ '.relevant' }}) * (1e0 - {{ sqlmetrics.ap(j) }}))
)
{%- endmacro %}

{% macro postgres__yaap(j) -%}
ln(
    (1e0::float8 + sum({{ j ~ '.relevant' }}) * {{ sqlmetrics.ap(j) }}) / (1e0::float8 + sum({{ j ~ '.relevant' }}) * (1e0::float8 - {{ sqlmetrics.ap(j) }}))
)
{%- endmacro %}

{% macro clickhouse__yaap(j) -%}
{{ exceptions.raise_compiler_error("yaap cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__yaap(j) -%}
ln(
    (1e0::FLOAT + sum({{ j ~ '.relevant' }}) * {{ sqlmetrics.ap(j) }}) / (1e0::FLOAT + sum({{ j ~ '.relevant' }}) * (1e0::FLOAT - {{ sqlmetrics.ap(j) }}))
)
{%- endmacro %}

{% macro redshift__yaap(j) -%}
{{ exceptions.raise_compiler_error("yaap cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
