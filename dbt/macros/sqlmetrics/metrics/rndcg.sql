{#- nDCG at each rank where the gain of the ideal ranking falls, and at the end, averaged. -#}
{% macro rndcg(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('rndcg', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__rndcg(j) -%}
CASE WHEN max({{ j ~ '.num_rel' }}) > 0 THEN {{ sqlmetrics.ratio("(" ~ sqlmetrics.total("CASE WHEN " ~ j ~ '.level_end' ~ " = 1 THEN " ~ j ~ '.dcg' ~ " / " ~ j ~ '.ideal_dcg' ~ " END") ~ " + max(" ~ j ~ '.goes_on' ~ ") * " ~ sqlmetrics.ratio(sqlmetrics.discounted_sum(j ~ '.own_gain', j ~ '.rank', "NULL", 'log'), "max(" ~ j ~ '.ideal_dcg' ~ ")") ~ ")", "(sum(" ~ j ~ '.level_end' ~ ") + max(" ~ j ~ '.goes_on' ~ "))") }} ELSE 0e0 END
{%- endmacro %}

{% macro postgres__rndcg(j) -%}
CASE WHEN max({{ j ~ '.num_rel' }}) > 0 THEN {{ sqlmetrics.ratio("(" ~ sqlmetrics.total("CASE WHEN " ~ j ~ '.level_end' ~ " = 1 THEN " ~ j ~ '.dcg' ~ " / " ~ j ~ '.ideal_dcg' ~ " END") ~ " + max(" ~ j ~ '.goes_on' ~ ") * " ~ sqlmetrics.ratio(sqlmetrics.discounted_sum(j ~ '.own_gain', j ~ '.rank', "NULL", 'log'), "max(" ~ j ~ '.ideal_dcg' ~ ")") ~ ")", "(sum(" ~ j ~ '.level_end' ~ ") + max(" ~ j ~ '.goes_on' ~ "))") }} ELSE 0e0::float8 END
{%- endmacro %}

{% macro clickhouse__rndcg(j) -%}
{{ exceptions.raise_compiler_error("rndcg cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__rndcg(j) -%}
CASE WHEN max({{ j ~ '.num_rel' }}) > 0 THEN {{ sqlmetrics.ratio("(" ~ sqlmetrics.total("CASE WHEN " ~ j ~ '.level_end' ~ " = 1 THEN " ~ j ~ '.dcg' ~ " / " ~ j ~ '.ideal_dcg' ~ " END") ~ " + max(" ~ j ~ '.goes_on' ~ ") * " ~ sqlmetrics.ratio(sqlmetrics.discounted_sum(j ~ '.own_gain', j ~ '.rank', "NULL", 'log'), "max(" ~ j ~ '.ideal_dcg' ~ ")") ~ ")", "(sum(" ~ j ~ '.level_end' ~ ") + max(" ~ j ~ '.goes_on' ~ "))") }} ELSE 0e0::FLOAT END
{%- endmacro %}

{% macro redshift__rndcg(j) -%}
{{ exceptions.raise_compiler_error("rndcg cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
