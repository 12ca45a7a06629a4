{#- The rank at which Rprec at a multiple of R looks. -#}
{% macro rprec_cutoff(num_rel, multiple) %}
{{- return(adapter.dispatch('rprec_cutoff', 'sqlmetrics')(num_rel, multiple)) -}}
{% endmacro %}

{% macro default__rprec_cutoff(num_rel, multiple) -%}
floor(1e0 * {{ sqlmetrics.literal(multiple) }} * {{ num_rel }} + 9e-1)
{%- endmacro %}

{% macro postgres__rprec_cutoff(num_rel, multiple) -%}
floor(1e0::float8 * {{ sqlmetrics.literal(multiple) }} * {{ num_rel }} + 9e-1::float8)
{%- endmacro %}

{% macro clickhouse__rprec_cutoff(num_rel, multiple) -%}
{{ exceptions.raise_compiler_error("rprec_cutoff cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__rprec_cutoff(num_rel, multiple) -%}
floor(1e0::FLOAT * {{ sqlmetrics.literal(multiple) }} * {{ num_rel }} + 9e-1::FLOAT)
{%- endmacro %}

{% macro redshift__rprec_cutoff(num_rel, multiple) -%}
{{ exceptions.raise_compiler_error("rprec_cutoff cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
