{#- The probability that a relevant document is ranked above one judged not relevant; the same score counts half. -#}
{% macro auc(j='j', max_fpr=none) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('max_fpr', max_fpr, {"must": "a number between 0 and 1, or none", "none": true, "above": 0, "below": 1}) %}
{{- return(adapter.dispatch('auc', 'sqlmetrics')(j, max_fpr)) -}}
{% endmacro %}

{% macro default__auc(j, max_fpr) -%}
{% if max_fpr is none %}{{ sqlmetrics.ratio("sum(" ~ j ~ '.relevant' ~ " * (" ~ j ~ '.num_nonrel' ~ " - (" ~ j ~ '.false_positives_above' ~ " + " ~ sqlmetrics.false_positives_by_score(j) ~ ") / 2e0)) /* pairs in order, and half of those tied */", "sum(" ~ j ~ '.relevant' ~ " * " ~ j ~ '.num_nonrel' ~ ")") }}{% else %}coalesce(
    (1e0 + ({{ sqlmetrics.total("CASE WHEN " ~ j ~ '.relevance' ~ " >= 0 AND " ~ j ~ '.relevant' ~ " = 0 THEN " ~ sqlmetrics.roc_area(j, "(1e0 * " ~ sqlmetrics.literal(max_fpr) ~ " * " ~ j ~ '.num_nonrel' ~ ")") ~ " END") }} / nullif(sum({{ j ~ '.relevant' }} * {{ j ~ '.num_nonrel' }}), 0) - 1e0 * {{ sqlmetrics.literal(max_fpr) }} * {{ sqlmetrics.literal(max_fpr) }} / 2) / ({{ sqlmetrics.literal(max_fpr) }} - 1e0 * {{ sqlmetrics.literal(max_fpr) }} * {{ sqlmetrics.literal(max_fpr) }} / 2)) / 2,
    0e0
) /* as McClish scales it: 0.5 by chance, whose area is max_fpr² / 2, and 1 at best, whose area is max_fpr */{% endif %}
{%- endmacro %}

{% macro postgres__auc(j, max_fpr) -%}
{% if max_fpr is none %}{{ sqlmetrics.ratio("sum(" ~ j ~ '.relevant' ~ " * (" ~ j ~ '.num_nonrel' ~ " - (" ~ j ~ '.false_positives_above' ~ " + " ~ sqlmetrics.false_positives_by_score(j) ~ ") / 2e0::float8)) /* pairs in order, and half of those tied */", "sum(" ~ j ~ '.relevant' ~ " * " ~ j ~ '.num_nonrel' ~ ")") }}{% else %}coalesce(
    (1e0::float8 + ({{ sqlmetrics.total("CASE WHEN " ~ j ~ '.relevance' ~ " >= 0 AND " ~ j ~ '.relevant' ~ " = 0 THEN " ~ sqlmetrics.roc_area(j, "(1e0::float8 * " ~ sqlmetrics.literal(max_fpr) ~ " * " ~ j ~ '.num_nonrel' ~ ")") ~ " END") }} / nullif(sum({{ j ~ '.relevant' }} * {{ j ~ '.num_nonrel' }}), 0) - 1e0::float8 * {{ sqlmetrics.literal(max_fpr) }} * {{ sqlmetrics.literal(max_fpr) }} / 2) / ({{ sqlmetrics.literal(max_fpr) }} - 1e0::float8 * {{ sqlmetrics.literal(max_fpr) }} * {{ sqlmetrics.literal(max_fpr) }} / 2)) / 2,
    0e0::float8
) /* as McClish scales it: 0.5 by chance, whose area is max_fpr² / 2, and 1 at best, whose area is max_fpr */{% endif %}
{%- endmacro %}

{% macro clickhouse__auc(j, max_fpr) -%}
{{ exceptions.raise_compiler_error("auc cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__auc(j, max_fpr) -%}
{% if max_fpr is none %}{{ sqlmetrics.ratio("sum(" ~ j ~ '.relevant' ~ " * (" ~ j ~ '.num_nonrel' ~ " - (" ~ j ~ '.false_positives_above' ~ " + " ~ sqlmetrics.false_positives_by_score(j) ~ ") / 2e0::FLOAT)) /* pairs in order, and half of those tied */", "sum(" ~ j ~ '.relevant' ~ " * " ~ j ~ '.num_nonrel' ~ ")") }}{% else %}coalesce(
    (1e0::FLOAT + ({{ sqlmetrics.total("CASE WHEN " ~ j ~ '.relevance' ~ " >= 0 AND " ~ j ~ '.relevant' ~ " = 0 THEN " ~ sqlmetrics.roc_area(j, "(1e0::FLOAT * " ~ sqlmetrics.literal(max_fpr) ~ " * " ~ j ~ '.num_nonrel' ~ ")") ~ " END") }} / nullif(sum({{ j ~ '.relevant' }} * {{ j ~ '.num_nonrel' }}), 0) - 1e0::FLOAT * {{ sqlmetrics.literal(max_fpr) }} * {{ sqlmetrics.literal(max_fpr) }} / 2) / ({{ sqlmetrics.literal(max_fpr) }} - 1e0::FLOAT * {{ sqlmetrics.literal(max_fpr) }} * {{ sqlmetrics.literal(max_fpr) }} / 2)) / 2,
    0e0::FLOAT
) /* as McClish scales it: 0.5 by chance, whose area is max_fpr² / 2, and 1 at best, whose area is max_fpr */{% endif %}
{%- endmacro %}

{% macro redshift__auc(j, max_fpr) -%}
{{ exceptions.raise_compiler_error("auc cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
