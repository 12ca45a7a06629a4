{#- nDCG at each rank where the gain of the ideal ranking falls, and at the end, averaged. -#}
{% macro rndcg(j='j') %}
{{- return(adapter.dispatch('rndcg', 'sqlmetrics')(j)) -}}
{% endmacro %}

{% macro default__rndcg(j) -%}
CASE
    WHEN max({{ j ~ '.num_rel' }}) > 0 AND max({{ j ~ '.own_gain' }}) > 0
    THEN (
        sum(
            CASE
                WHEN {{ j ~ '.own_gain' }} > 0 AND {{ j ~ '.ideal_rank' }} = {{ j ~ '.level_end' }}
                THEN {{ j ~ '.dcg' }} / {{ j ~ '.ideal_dcg' }}
                ELSE 0e0
            END
        ) + CASE
            WHEN max({{ j ~ '.num_ret' }}) > 1 + max(CASE WHEN {{ j ~ '.own_gain' }} > 0 THEN {{ j ~ '.ideal_rank' }} END)
            THEN sum(CASE WHEN {{ j ~ '.rank' }} IS NOT NULL THEN {{ j ~ '.own_gain' }} / {{ sqlmetrics.rank_discount(j ~ '.rank', 'log', 2) }} ELSE 0e0 END) / max({{ j ~ '.ideal_dcg' }})
            ELSE 0e0
        END
    ) / (
        sum(CASE WHEN {{ j ~ '.own_gain' }} > 0 AND {{ j ~ '.ideal_rank' }} = {{ j ~ '.level_end' }} THEN 1 ELSE 0 END) + CASE
            WHEN max({{ j ~ '.num_ret' }}) > 1 + max(CASE WHEN {{ j ~ '.own_gain' }} > 0 THEN {{ j ~ '.ideal_rank' }} END)
            THEN 1
            ELSE 0
        END
    )
    ELSE 0e0
END
{%- endmacro %}

{% macro postgres__rndcg(j) -%}
CASE
    WHEN max({{ j ~ '.num_rel' }}) > 0 AND max({{ j ~ '.own_gain' }}) > 0
    THEN (
        sum(
            CASE
                WHEN {{ j ~ '.own_gain' }} > 0 AND {{ j ~ '.ideal_rank' }} = {{ j ~ '.level_end' }}
                THEN {{ j ~ '.dcg' }} / {{ j ~ '.ideal_dcg' }}
                ELSE 0e0::float8
            END
        ) + CASE
            WHEN max({{ j ~ '.num_ret' }}) > 1 + max(CASE WHEN {{ j ~ '.own_gain' }} > 0 THEN {{ j ~ '.ideal_rank' }} END)
            THEN sum(
                CASE
                    WHEN {{ j ~ '.rank' }} IS NOT NULL
                    THEN {{ j ~ '.own_gain' }} / {{ sqlmetrics.rank_discount(j ~ '.rank', 'log', 2) }}
                    ELSE 0e0::float8
                END
            ) / max({{ j ~ '.ideal_dcg' }})
            ELSE 0e0::float8
        END
    ) / (
        sum(CASE WHEN {{ j ~ '.own_gain' }} > 0 AND {{ j ~ '.ideal_rank' }} = {{ j ~ '.level_end' }} THEN 1 ELSE 0 END) + CASE
            WHEN max({{ j ~ '.num_ret' }}) > 1 + max(CASE WHEN {{ j ~ '.own_gain' }} > 0 THEN {{ j ~ '.ideal_rank' }} END)
            THEN 1
            ELSE 0
        END
    )
    ELSE 0e0::float8
END
{%- endmacro %}

{% macro clickhouse__rndcg(j) -%}
{{ exceptions.raise_compiler_error("rndcg cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__rndcg(j) -%}
CASE
    WHEN max({{ j ~ '.num_rel' }}) > 0 AND max({{ j ~ '.own_gain' }}) > 0
    THEN (
        sum(
            CASE
                WHEN {{ j ~ '.own_gain' }} > 0 AND {{ j ~ '.ideal_rank' }} = {{ j ~ '.level_end' }}
                THEN {{ j ~ '.dcg' }} / {{ j ~ '.ideal_dcg' }}
                ELSE 0e0::FLOAT
            END
        ) + CASE
            WHEN max({{ j ~ '.num_ret' }}) > 1 + max(CASE WHEN {{ j ~ '.own_gain' }} > 0 THEN {{ j ~ '.ideal_rank' }} END)
            THEN sum(
                CASE
                    WHEN {{ j ~ '.rank' }} IS NOT NULL
                    THEN {{ j ~ '.own_gain' }} / {{ sqlmetrics.rank_discount(j ~ '.rank', 'log', 2) }}
                    ELSE 0e0::FLOAT
                END
            ) / max({{ j ~ '.ideal_dcg' }})
            ELSE 0e0::FLOAT
        END
    ) / (
        sum(CASE WHEN {{ j ~ '.own_gain' }} > 0 AND {{ j ~ '.ideal_rank' }} = {{ j ~ '.level_end' }} THEN 1 ELSE 0 END) + CASE
            WHEN max({{ j ~ '.num_ret' }}) > 1 + max(CASE WHEN {{ j ~ '.own_gain' }} > 0 THEN {{ j ~ '.ideal_rank' }} END)
            THEN 1
            ELSE 0
        END
    )
    ELSE 0e0::FLOAT
END
{%- endmacro %}

{% macro redshift__rndcg(j) -%}
{{ exceptions.raise_compiler_error("rndcg cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
