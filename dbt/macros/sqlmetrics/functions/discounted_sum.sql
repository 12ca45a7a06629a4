{#- The values of the first k documents, each divided by a discount that grows with the rank; 0 where there are none. -#}
{% macro discounted_sum(value, rank, k, discount, base=2) %}
{{- return(adapter.dispatch('discounted_sum', 'sqlmetrics')(value, rank, k, discount, base)) -}}
{% endmacro %}

{% macro default__discounted_sum(value, rank, k, discount, base) -%}
{{ sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(rank, k) ~ " THEN " ~ value ~ " / " ~ sqlmetrics.rank_discount(rank, discount, base) ~ " ELSE 0e0 END") }}
{%- endmacro %}

{% macro postgres__discounted_sum(value, rank, k, discount, base) -%}
{{ sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(rank, k) ~ " THEN " ~ value ~ " / " ~ sqlmetrics.rank_discount(rank, discount, base) ~ " ELSE 0e0::float8 END") }}
{%- endmacro %}

{% macro clickhouse__discounted_sum(value, rank, k, discount, base) -%}
{{ exceptions.raise_compiler_error("discounted_sum cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__discounted_sum(value, rank, k, discount, base) -%}
{{ sqlmetrics.total("CASE WHEN " ~ sqlmetrics.first_k(rank, k) ~ " THEN " ~ value ~ " / " ~ sqlmetrics.rank_discount(rank, discount, base) ~ " ELSE 0e0::FLOAT END") }}
{%- endmacro %}

{% macro redshift__discounted_sum(value, rank, k, discount, base) -%}
{{ exceptions.raise_compiler_error("discounted_sum cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
