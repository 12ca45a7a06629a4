{#- The share of relevant among the judged documents scored as high as each relevant one or higher, averaged over the relevant ones. -#}
{% macro lrap(j='j') %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{{- return(adapter.dispatch('lrap', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__lrap(j) -%}
coalesce({{ sqlmetrics.total("(1e0 * " ~ j ~ '.relevant' ~ " * " ~ sqlmetrics.hits_by_score(j) ~ " / nullif(" ~ sqlmetrics.hits_by_score(j) ~ " + " ~ sqlmetrics.false_positives_by_score(j) ~ ", 0))") }} / nullif(sum({{ j ~ '.relevant' }}), 0), 1e0)
{%- endmacro %}

{% macro postgres__lrap(j) -%}
coalesce({{ sqlmetrics.total("(1e0::float8 * " ~ j ~ '.relevant' ~ " * " ~ sqlmetrics.hits_by_score(j) ~ " / nullif(" ~ sqlmetrics.hits_by_score(j) ~ " + " ~ sqlmetrics.false_positives_by_score(j) ~ ", 0))") }} / nullif(sum({{ j ~ '.relevant' }}), 0), 1e0::float8)
{%- endmacro %}

{% macro clickhouse__lrap(j) -%}
{{ exceptions.raise_compiler_error("lrap cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__lrap(j) -%}
coalesce({{ sqlmetrics.total("(1e0::FLOAT * " ~ j ~ '.relevant' ~ " * " ~ sqlmetrics.hits_by_score(j) ~ " / nullif(" ~ sqlmetrics.hits_by_score(j) ~ " + " ~ sqlmetrics.false_positives_by_score(j) ~ ", 0))") }} / nullif(sum({{ j ~ '.relevant' }}), 0), 1e0::FLOAT)
{%- endmacro %}

{% macro redshift__lrap(j) -%}
{{ exceptions.raise_compiler_error("lrap cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
