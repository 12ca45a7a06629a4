{#- Judged documents with what the ranking and the ideal ranking have gained down to their rank in the latter. -#}
{% macro ideal_levels(ranked_and_ideal) %}
{{- return(adapter.dispatch('ideal_levels', 'sqlmetrics')(ranked_and_ideal)) -}}
{% endmacro %}

{% macro default__ideal_levels(ranked_and_ideal) -%}
(
SELECT
    _p.*,
    CASE
        WHEN _p.own_gain > 0
        AND _p.ideal_rank = max(_p.ideal_rank) OVER (PARTITION BY _p.run_id, _p.query_id, _p.own_gain)
        THEN 1
        ELSE 0
    END AS level_end,
    CASE
        WHEN _p.num_ret > 1 + count(CASE WHEN _p.own_gain > 0 THEN 1 END) OVER (PARTITION BY _p.run_id, _p.query_id)
        THEN 1
        ELSE 0
    END AS goes_on
FROM {{ ranked_and_ideal }} AS _p
WHERE
    _p.in_ideal = 1
)
{%- endmacro %}

{% macro clickhouse__ideal_levels(ranked_and_ideal) -%}
{{ exceptions.raise_compiler_error("ideal_levels cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro redshift__ideal_levels(ranked_and_ideal) -%}
{{ exceptions.raise_compiler_error("ideal_levels cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
