{#- The precision of all that was retrieved times its recall, which is AP without regard to order. -#}
{% macro set_ap(j='j') %}
{{- return(adapter.dispatch('set_ap', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__set_ap(j) -%}
coalesce(
    power(1e0 * sum(CASE WHEN {{ j ~ '.rank' }} IS NOT NULL THEN {{ j ~ '.relevant' }} ELSE 0 END), 2) / nullif(sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ j ~ '.num_ret' }} END) * sum({{ j ~ '.relevant' }}), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__set_ap(j) -%}
coalesce(
    CASE WHEN 1e0::float8 * sum(CASE WHEN {{ j ~ '.rank' }} IS NOT NULL THEN {{ j ~ '.relevant' }} ELSE 0 END) = 0 THEN CASE WHEN 2 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * sum(CASE WHEN {{ j ~ '.rank' }} IS NOT NULL THEN {{ j ~ '.relevant' }} ELSE 0 END), 0)) * (2), -700)) END / nullif(sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ j ~ '.num_ret' }} END) * sum({{ j ~ '.relevant' }}), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__set_ap(j) -%}
{{ exceptions.raise_compiler_error("set_ap cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__set_ap(j) -%}
coalesce(
    power(1e0::FLOAT * sum(CASE WHEN {{ j ~ '.rank' }} IS NOT NULL THEN {{ j ~ '.relevant' }} ELSE 0 END), 2) / nullif(sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ j ~ '.num_ret' }} END) * sum({{ j ~ '.relevant' }}), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__set_ap(j) -%}
{{ exceptions.raise_compiler_error("set_ap cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
