{#- The probability that a document is among the first k, if tied documents stand in any order. -#}
{% macro first_k_chance(j, k) %}
{{- return(adapter.dispatch('first_k_chance', 'sqlmetrics')(j, k)) -}}
{% endmacro %}

{% macro default__first_k_chance(j, k) -%}
CASE
    WHEN {{ j ~ '.first_rank' }} <= least({{ j ~ '.last_rank' }}, {{ k }})
    THEN 1e0 * (least({{ j ~ '.last_rank' }}, {{ k }}) - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
    ELSE 0e0
END
{%- endmacro %}

{% macro postgres__first_k_chance(j, k) -%}
CASE
    WHEN {{ j ~ '.first_rank' }} <= least({{ j ~ '.last_rank' }}, {{ k }})
    THEN 1e0::float8 * (least({{ j ~ '.last_rank' }}, {{ k }}) - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
    ELSE 0e0::float8
END
{%- endmacro %}

{% macro sqlite__first_k_chance(j, k) -%}
CASE
    WHEN {{ j ~ '.first_rank' }} <= min({{ j ~ '.last_rank' }}, {{ k }})
    THEN 1e0 * (min({{ j ~ '.last_rank' }}, {{ k }}) - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
    ELSE 0e0
END
{%- endmacro %}

{% macro clickhouse__first_k_chance(j, k) -%}
{{ exceptions.raise_compiler_error("first_k_chance cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__first_k_chance(j, k) -%}
CASE
    WHEN {{ j ~ '.first_rank' }} <= least({{ j ~ '.last_rank' }}, {{ k }})
    THEN 1e0::FLOAT * (least({{ j ~ '.last_rank' }}, {{ k }}) - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
    ELSE 0e0::FLOAT
END
{%- endmacro %}

{% macro redshift__first_k_chance(j, k) -%}
{{ exceptions.raise_compiler_error("first_k_chance cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
