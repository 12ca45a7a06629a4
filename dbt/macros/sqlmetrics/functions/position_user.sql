{#- What a user expects whose probability to look at a rank is the same whatever the documents. -#}
{% macro position_user(j, measure, k, shape, x=none, goes_on=false) %}
{{- return(adapter.dispatch('position_user', 'sqlmetrics')(j, measure, k, shape, x, goes_on)) -}}
{% endmacro %}

{% macro default__position_user(j, measure, k, shape, x, goes_on) -%}
{{ sqlmetrics.cwl_measure(j, measure, sqlmetrics.total("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ k ~ " THEN " ~ j ~ '.gain' ~ " * " ~ sqlmetrics.view_probability(j ~ '.rank', shape, x) ~ " END"), "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.view_probability_sum("1", k, shape, x) ~ ")", gain_beyond=("(" ~ sqlmetrics.total("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ k ~ " THEN " ~ j ~ '.gain' ~ " END") ~ " * " ~ sqlmetrics.view_probability("(" ~ k ~ " + 1)", shape, x) ~ ")" if goes_on else "0e0"), depth_beyond=("(sum(" ~ j ~ '.opening' ~ ") * " ~ k ~ " * " ~ sqlmetrics.view_probability("(" ~ k ~ " + 1)", shape, x) ~ ")" if goes_on else "0e0")) }}
{%- endmacro %}

{% macro postgres__position_user(j, measure, k, shape, x, goes_on) -%}
{{ sqlmetrics.cwl_measure(j, measure, sqlmetrics.total("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ k ~ " THEN " ~ j ~ '.gain' ~ " * " ~ sqlmetrics.view_probability(j ~ '.rank', shape, x) ~ " END"), "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.view_probability_sum("1", k, shape, x) ~ ")", gain_beyond=("(" ~ sqlmetrics.total("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ k ~ " THEN " ~ j ~ '.gain' ~ " END") ~ " * " ~ sqlmetrics.view_probability("(" ~ k ~ " + 1)", shape, x) ~ ")" if goes_on else "0e0::float8"), depth_beyond=("(sum(" ~ j ~ '.opening' ~ ") * " ~ k ~ " * " ~ sqlmetrics.view_probability("(" ~ k ~ " + 1)", shape, x) ~ ")" if goes_on else "0e0::float8")) }}
{%- endmacro %}

{% macro clickhouse__position_user(j, measure, k, shape, x, goes_on) -%}
{{ exceptions.raise_compiler_error("position_user cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__position_user(j, measure, k, shape, x, goes_on) -%}
{{ sqlmetrics.cwl_measure(j, measure, sqlmetrics.total("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ k ~ " THEN " ~ j ~ '.gain' ~ " * " ~ sqlmetrics.view_probability(j ~ '.rank', shape, x) ~ " END"), "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.view_probability_sum("1", k, shape, x) ~ ")", gain_beyond=("(" ~ sqlmetrics.total("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ k ~ " THEN " ~ j ~ '.gain' ~ " END") ~ " * " ~ sqlmetrics.view_probability("(" ~ k ~ " + 1)", shape, x) ~ ")" if goes_on else "0e0::FLOAT"), depth_beyond=("(sum(" ~ j ~ '.opening' ~ ") * " ~ k ~ " * " ~ sqlmetrics.view_probability("(" ~ k ~ " + 1)", shape, x) ~ ")" if goes_on else "0e0::FLOAT")) }}
{%- endmacro %}

{% macro redshift__position_user(j, measure, k, shape, x, goes_on) -%}
{{ exceptions.raise_compiler_error("position_user cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
