{#- Precision at a rank mixed with the share of the ideal gain found by then. -#}
{% macro blended_ratio(hits, cg, rank, ideal_cg, beta) %}
{{- return(adapter.dispatch('blended_ratio', 'sqlmetrics')(hits, cg, rank, ideal_cg, beta)) -}}
{% endmacro %}

{% macro default__blended_ratio(hits, cg, rank, ideal_cg, beta) -%}
(1e0 * {{ hits }} + {{ sqlmetrics.literal(beta) }} * {{ cg }}) / (1e0 * {{ rank }} + {{ sqlmetrics.literal(beta) }} * {{ ideal_cg }})
{%- endmacro %}

{% macro postgres__blended_ratio(hits, cg, rank, ideal_cg, beta) -%}
(1e0::float8 * {{ hits }} + {{ sqlmetrics.literal(beta) }} * {{ cg }}) / (1e0::float8 * {{ rank }} + {{ sqlmetrics.literal(beta) }} * {{ ideal_cg }})
{%- endmacro %}

{% macro clickhouse__blended_ratio(hits, cg, rank, ideal_cg, beta) -%}
{{ exceptions.raise_compiler_error("blended_ratio cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__blended_ratio(hits, cg, rank, ideal_cg, beta) -%}
(1e0::FLOAT * {{ hits }} + {{ sqlmetrics.literal(beta) }} * {{ cg }}) / (1e0::FLOAT * {{ rank }} + {{ sqlmetrics.literal(beta) }} * {{ ideal_cg }})
{%- endmacro %}

{% macro redshift__blended_ratio(hits, cg, rank, ideal_cg, beta) -%}
{{ exceptions.raise_compiler_error("blended_ratio cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
