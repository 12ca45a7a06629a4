{#- Specificity in expectation: each place that tied documents take up holds any of them with the same probability. -#}
{% macro expected_specificity_at(j='j', k=none, corpus_size=none) %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('corpus_size', corpus_size, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{{- return(adapter.dispatch('expected_specificity_at', 'sqlmetrics')(j, k, corpus_size)) -}}
{% endmacro %}

{% macro default__expected_specificity_at(j, k, corpus_size) -%}
1e0 - coalesce({% if corpus_size is none %}(sum(
    CASE
        WHEN {{ j ~ '.relevance' }} >= 0 AND {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}
        THEN 1e0 * (1 - {{ j ~ '.relevant' }}) * ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
        ELSE 0e0
    END
) / nullif(sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ j ~ '.num_nonrel' }} END), 0)){% else %}{{ sqlmetrics.false_share("sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ sqlmetrics.literal(corpus_size) ~ " END)", "sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ sqlmetrics.first_of(k, j ~ '.num_ret') ~ " END)", "sum(" ~ j ~ '.relevant' ~ ")", "sum( CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN 1e0 * " ~ j ~ '.relevant' ~ " * (" ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " - " ~ j ~ '.first_rank' ~ " + 1) / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " ELSE 0e0 END )") }}{% endif %}, 0e0)
{%- endmacro %}

{% macro postgres__expected_specificity_at(j, k, corpus_size) -%}
1e0::float8 - coalesce({% if corpus_size is none %}(sum(
    CASE
        WHEN {{ j ~ '.relevance' }} >= 0 AND {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}
        THEN 1e0::float8 * (1 - {{ j ~ '.relevant' }}) * ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
        ELSE 0e0::float8
    END
) / nullif(sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ j ~ '.num_nonrel' }} END), 0)){% else %}{{ sqlmetrics.false_share("sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ sqlmetrics.literal(corpus_size) ~ " END)", "sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ sqlmetrics.first_of(k, j ~ '.num_ret') ~ " END)", "sum(" ~ j ~ '.relevant' ~ ")", "sum( CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN 1e0::float8 * " ~ j ~ '.relevant' ~ " * (" ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " - " ~ j ~ '.first_rank' ~ " + 1) / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " ELSE 0e0::float8 END )") }}{% endif %}, 0e0::float8)
{%- endmacro %}

{% macro clickhouse__expected_specificity_at(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("expected_specificity_at cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__expected_specificity_at(j, k, corpus_size) -%}
1e0::FLOAT - coalesce({% if corpus_size is none %}(sum(
    CASE
        WHEN {{ j ~ '.relevance' }} >= 0 AND {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}
        THEN 1e0::FLOAT * (1 - {{ j ~ '.relevant' }}) * ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
        ELSE 0e0::FLOAT
    END
) / nullif(sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ j ~ '.num_nonrel' }} END), 0)){% else %}{{ sqlmetrics.false_share("sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ sqlmetrics.literal(corpus_size) ~ " END)", "sum(CASE WHEN " ~ j ~ '.ideal_rank' ~ " = 1 THEN " ~ sqlmetrics.first_of(k, j ~ '.num_ret') ~ " END)", "sum(" ~ j ~ '.relevant' ~ ")", "sum( CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN 1e0::FLOAT * " ~ j ~ '.relevant' ~ " * (" ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " - " ~ j ~ '.first_rank' ~ " + 1) / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " ELSE 0e0::FLOAT END )") }}{% endif %}, 0e0::FLOAT)
{%- endmacro %}

{% macro redshift__expected_specificity_at(j, k, corpus_size) -%}
{{ exceptions.raise_compiler_error("expected_specificity_at cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
