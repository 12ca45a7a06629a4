{#- The share of relevant among the judged documents scored as high as each relevant one or higher, averaged over the relevant ones. -#}
{% macro lrap(j='j') %}
{{- return(adapter.dispatch('lrap', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__lrap(j) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.relevant' }} = 1
            THEN 1e0 * {{ sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.hits_above', j ~ '.hits_tied', j ~ '.num_rel') }} / ({{ sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.hits_above', j ~ '.hits_tied', j ~ '.num_rel') }} + {{ sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.misses_above', j ~ '.misses_tied', j ~ '.num_nonrel') }})
        END
    ) / nullif(sum({{ j ~ '.relevant' }}), 0),
    1e0
)
{%- endmacro %}

{% macro postgres__lrap(j) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.relevant' }} = 1
            THEN 1e0::float8 * {{ sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.hits_above', j ~ '.hits_tied', j ~ '.num_rel') }} / ({{ sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.hits_above', j ~ '.hits_tied', j ~ '.num_rel') }} + {{ sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.misses_above', j ~ '.misses_tied', j ~ '.num_nonrel') }})
        END
    ) / nullif(sum({{ j ~ '.relevant' }}), 0),
    1e0::float8
)
{%- endmacro %}

{% macro clickhouse__lrap(j) -%}
{{ exceptions.raise_compiler_error("lrap cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__lrap(j) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.relevant' }} = 1
            THEN 1e0::FLOAT * {{ sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.hits_above', j ~ '.hits_tied', j ~ '.num_rel') }} / ({{ sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.hits_above', j ~ '.hits_tied', j ~ '.num_rel') }} + {{ sqlmetrics.at_or_above(j ~ '.first_rank', j ~ '.misses_above', j ~ '.misses_tied', j ~ '.num_nonrel') }})
        END
    ) / nullif(sum({{ j ~ '.relevant' }}), 0),
    1e0::FLOAT
)
{%- endmacro %}

{% macro redshift__lrap(j) -%}
{{ exceptions.raise_compiler_error("lrap cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
