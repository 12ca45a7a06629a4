{#- The probability that a relevant document is ranked above one judged not relevant; the same score counts half. -#}
{% macro auc(j='j', max_fpr=none) %}
{% do sqlmetrics.require('max_fpr', max_fpr, {"must": "a number between 0 and 1, or none", "none": true, "above": 0, "below": 1}) %}
{{- return(adapter.dispatch('auc', 'sqlmetrics')(j, max_fpr)) -}}
{% endmacro %}

{% macro default__auc(j, max_fpr) -%}
coalesce(
    (1e0 + (1e0 * sum(CASE WHEN {{ j ~ '.relevant' }} = 0 AND {{ j ~ '.relevance' }} >= 0 THEN {{ sqlmetrics.roc_area(j ~ '.hits_above', sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.hits_above', j ~ '.hits_tied', j ~ '.num_rel'), j ~ '.misses_above', sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.misses_above', j ~ '.misses_tied', j ~ '.num_nonrel'), "(coalesce(1e0 * " ~ sqlmetrics.literal(max_fpr) ~ ", 1e0) * " ~ j ~ '.num_nonrel' ~ ")") }} END) / nullif(sum(CASE WHEN {{ j ~ '.relevant' }} = 0 AND {{ j ~ '.relevance' }} >= 0 THEN {{ j ~ '.num_rel' }} END), 0) - power(coalesce(1e0 * {{ sqlmetrics.literal(max_fpr) }}, 1e0), 2) / 2e0) / (coalesce(1e0 * {{ sqlmetrics.literal(max_fpr) }}, 1e0) - power(coalesce(1e0 * {{ sqlmetrics.literal(max_fpr) }}, 1e0), 2) / 2e0)) / 2e0,
    0e0
)
{%- endmacro %}

{% macro postgres__auc(j, max_fpr) -%}
coalesce(
    (1e0::float8 + (1e0::float8 * sum(CASE WHEN {{ j ~ '.relevant' }} = 0 AND {{ j ~ '.relevance' }} >= 0 THEN {{ sqlmetrics.roc_area(j ~ '.hits_above', sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.hits_above', j ~ '.hits_tied', j ~ '.num_rel'), j ~ '.misses_above', sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.misses_above', j ~ '.misses_tied', j ~ '.num_nonrel'), "(coalesce(1e0::float8 * " ~ sqlmetrics.literal(max_fpr) ~ ", 1e0::float8) * " ~ j ~ '.num_nonrel' ~ ")") }} END) / nullif(sum(CASE WHEN {{ j ~ '.relevant' }} = 0 AND {{ j ~ '.relevance' }} >= 0 THEN {{ j ~ '.num_rel' }} END), 0) - CASE WHEN coalesce(1e0::float8 * {{ sqlmetrics.literal(max_fpr) }}, 1e0::float8) = 0 THEN CASE WHEN 2 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(coalesce(1e0::float8 * {{ sqlmetrics.literal(max_fpr) }}, 1e0::float8), 0)) * (2), -700)) END / 2e0::float8) / (coalesce(1e0::float8 * {{ sqlmetrics.literal(max_fpr) }}, 1e0::float8) - CASE WHEN coalesce(1e0::float8 * {{ sqlmetrics.literal(max_fpr) }}, 1e0::float8) = 0 THEN CASE WHEN 2 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(coalesce(1e0::float8 * {{ sqlmetrics.literal(max_fpr) }}, 1e0::float8), 0)) * (2), -700)) END / 2e0::float8)) / 2e0::float8,
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__auc(j, max_fpr) -%}
{{ exceptions.raise_compiler_error("auc cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__auc(j, max_fpr) -%}
coalesce(
    (1e0::FLOAT + (1e0::FLOAT * sum(CASE WHEN {{ j ~ '.relevant' }} = 0 AND {{ j ~ '.relevance' }} >= 0 THEN {{ sqlmetrics.roc_area(j ~ '.hits_above', sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.hits_above', j ~ '.hits_tied', j ~ '.num_rel'), j ~ '.misses_above', sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.misses_above', j ~ '.misses_tied', j ~ '.num_nonrel'), "(coalesce(1e0::FLOAT * " ~ sqlmetrics.literal(max_fpr) ~ ", 1e0::FLOAT) * " ~ j ~ '.num_nonrel' ~ ")") }} END) / nullif(sum(CASE WHEN {{ j ~ '.relevant' }} = 0 AND {{ j ~ '.relevance' }} >= 0 THEN {{ j ~ '.num_rel' }} END), 0) - power(coalesce(1e0::FLOAT * {{ sqlmetrics.literal(max_fpr) }}, 1e0::FLOAT), 2) / 2e0::FLOAT) / (coalesce(1e0::FLOAT * {{ sqlmetrics.literal(max_fpr) }}, 1e0::FLOAT) - power(coalesce(1e0::FLOAT * {{ sqlmetrics.literal(max_fpr) }}, 1e0::FLOAT), 2) / 2e0::FLOAT)) / 2e0::FLOAT,
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__auc(j, max_fpr) -%}
{{ exceptions.raise_compiler_error("auc cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
