{#- nDCG in expectation: the discounts of the places that tied documents take up are shared among them. -#}
{% macro expected_ndcg(j='j', k=none, gain='linear', negative='zero', discount='log', base=2, ideal='judged') %}
{% do sqlmetrics.require('k', k, {"must": "a whole number, 1 or more, or none", "none": true, "from": 1, "to": 2147483647, "whole": true}) %}
{% do sqlmetrics.require('gain', gain, {"must": "one of binary, linear, exponential", "words": ["binary", "linear", "exponential"]}) %}
{% do sqlmetrics.require('negative', negative, {"must": "one of zero, raw", "words": ["zero", "raw"]}) %}
{% do sqlmetrics.require('discount', discount, {"must": "one of log, clipped, reciprocal, none", "words": ["log", "clipped", "reciprocal", "none"]}) %}
{% do sqlmetrics.require('base', base, {"must": "a number above 1", "above": 1, "below": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('ideal', ideal, {"must": "one of judged, uncut, perfect", "words": ["judged", "uncut", "perfect"]}) %}
{{- return(adapter.dispatch('expected_ndcg', 'sqlmetrics')(j, k, gain, negative, discount, base, ideal)) -}}
{% endmacro %}

{% macro default__expected_ndcg(j, k, gain, negative, discount, base, ideal) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}
            THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.require_ties(j ~ '.num_tied') }} * reduce(CASE WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} THEN sequence({{ j ~ '.first_rank' }}, {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}) END, 0e0, (_sum, place) -> _sum + 1e0 / {{ sqlmetrics.rank_discount("place", discount, base) }}, _sum -> _sum)
        END
    ) / nullif(sum({% if ideal == 'retrieved' %}{{ exceptions.raise_compiler_error("ideal is not 'retrieved' where ties are expected") }}{% elif ideal == 'perfect' %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN {{ sqlmetrics.perfect_dcg((j ~ '.num_ret' if k is none else sqlmetrics.literal(k)), discount, base) }}
    ELSE CASE
        WHEN {{ sqlmetrics.ideal_place(ideal, j ~ '.ideal_rank', j ~ '.retrieved_ideal_rank') }} <= coalesce({% if ideal != 'uncut' %}{{ sqlmetrics.literal(k) }}{% else %}NULL{% endif %}, {{ j ~ '.ideal_rank' }})
        THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }}
    END
END{% else %}CASE
    WHEN {{ sqlmetrics.ideal_place(ideal, j ~ '.ideal_rank', j ~ '.retrieved_ideal_rank') }} <= coalesce({% if ideal != 'uncut' %}{{ sqlmetrics.literal(k) }}{% else %}NULL{% endif %}, {{ j ~ '.ideal_rank' }})
    THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }}
END{% endif %}), 0),
    0e0
)
{%- endmacro %}

{% macro duckdb__expected_ndcg(j, k, gain, negative, discount, base, ideal) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}
            THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.require_ties(j ~ '.num_tied') }} * list_sum(list_transform(range({{ j ~ '.first_rank' }}, {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} + 1), lambda place: 1e0 / {{ sqlmetrics.rank_discount("place", discount, base) }}))
        END
    ) / nullif(sum({% if ideal == 'retrieved' %}{{ exceptions.raise_compiler_error("ideal is not 'retrieved' where ties are expected") }}{% elif ideal == 'perfect' %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN {{ sqlmetrics.perfect_dcg((j ~ '.num_ret' if k is none else sqlmetrics.literal(k)), discount, base) }}
    ELSE CASE
        WHEN {{ sqlmetrics.ideal_place(ideal, j ~ '.ideal_rank', j ~ '.retrieved_ideal_rank') }} <= coalesce({% if ideal != 'uncut' %}{{ sqlmetrics.literal(k) }}{% else %}NULL{% endif %}, {{ j ~ '.ideal_rank' }})
        THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }}
    END
END{% else %}CASE
    WHEN {{ sqlmetrics.ideal_place(ideal, j ~ '.ideal_rank', j ~ '.retrieved_ideal_rank') }} <= coalesce({% if ideal != 'uncut' %}{{ sqlmetrics.literal(k) }}{% else %}NULL{% endif %}, {{ j ~ '.ideal_rank' }})
    THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }}
END{% endif %}), 0),
    0e0
)
{%- endmacro %}

{% macro spark__expected_ndcg(j, k, gain, negative, discount, base, ideal) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}
            THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.require_ties(j ~ '.num_tied') }} * aggregate(CASE WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} THEN sequence({{ j ~ '.first_rank' }}, {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}) END, 0e0, (_sum, place) -> _sum + 1e0 / {{ sqlmetrics.rank_discount("place", discount, base) }})
        END
    ) / nullif(sum({% if ideal == 'retrieved' %}{{ exceptions.raise_compiler_error("ideal is not 'retrieved' where ties are expected") }}{% elif ideal == 'perfect' %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN {{ sqlmetrics.perfect_dcg((j ~ '.num_ret' if k is none else sqlmetrics.literal(k)), discount, base) }}
    ELSE CASE
        WHEN {{ sqlmetrics.ideal_place(ideal, j ~ '.ideal_rank', j ~ '.retrieved_ideal_rank') }} <= coalesce({% if ideal != 'uncut' %}{{ sqlmetrics.literal(k) }}{% else %}NULL{% endif %}, {{ j ~ '.ideal_rank' }})
        THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }}
    END
END{% else %}CASE
    WHEN {{ sqlmetrics.ideal_place(ideal, j ~ '.ideal_rank', j ~ '.retrieved_ideal_rank') }} <= coalesce({% if ideal != 'uncut' %}{{ sqlmetrics.literal(k) }}{% else %}NULL{% endif %}, {{ j ~ '.ideal_rank' }})
    THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }}
END{% endif %}), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__expected_ndcg(j, k, gain, negative, discount, base, ideal) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}
            THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.require_ties(j ~ '.num_tied') }} * (SELECT sum(1e0::float8 / {{ sqlmetrics.rank_discount("place", discount, base) }}) FROM generate_series({{ j ~ '.first_rank' }}, {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}) AS _seriesplace (place))
        END
    ) / nullif(sum({% if ideal == 'retrieved' %}{{ exceptions.raise_compiler_error("ideal is not 'retrieved' where ties are expected") }}{% elif ideal == 'perfect' %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN {{ sqlmetrics.perfect_dcg((j ~ '.num_ret' if k is none else sqlmetrics.literal(k)), discount, base) }}
    ELSE CASE
        WHEN {{ sqlmetrics.ideal_place(ideal, j ~ '.ideal_rank', j ~ '.retrieved_ideal_rank') }} <= coalesce({% if ideal != 'uncut' %}{{ sqlmetrics.literal(k) }}{% else %}NULL{% endif %}, {{ j ~ '.ideal_rank' }})
        THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }}
    END
END{% else %}CASE
    WHEN {{ sqlmetrics.ideal_place(ideal, j ~ '.ideal_rank', j ~ '.retrieved_ideal_rank') }} <= coalesce({% if ideal != 'uncut' %}{{ sqlmetrics.literal(k) }}{% else %}NULL{% endif %}, {{ j ~ '.ideal_rank' }})
    THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }}
END{% endif %}), 0),
    0e0::float8
)
{%- endmacro %}

{% macro sqlite__expected_ndcg(j, k, gain, negative, discount, base, ideal) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}
            THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.require_ties(j ~ '.num_tied') }} * (WITH RECURSIVE _seriesplace (place) AS (SELECT {{ j ~ '.first_rank' }} WHERE {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} UNION ALL SELECT place + 1 FROM _seriesplace WHERE place < {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}) SELECT sum(1e0 / {{ sqlmetrics.rank_discount("place", discount, base) }}) FROM _seriesplace)
        END
    ) / nullif(sum({% if ideal == 'retrieved' %}{{ exceptions.raise_compiler_error("ideal is not 'retrieved' where ties are expected") }}{% elif ideal == 'perfect' %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN {{ sqlmetrics.perfect_dcg((j ~ '.num_ret' if k is none else sqlmetrics.literal(k)), discount, base) }}
    ELSE CASE
        WHEN {{ sqlmetrics.ideal_place(ideal, j ~ '.ideal_rank', j ~ '.retrieved_ideal_rank') }} <= coalesce({% if ideal != 'uncut' %}{{ sqlmetrics.literal(k) }}{% else %}NULL{% endif %}, {{ j ~ '.ideal_rank' }})
        THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }}
    END
END{% else %}CASE
    WHEN {{ sqlmetrics.ideal_place(ideal, j ~ '.ideal_rank', j ~ '.retrieved_ideal_rank') }} <= coalesce({% if ideal != 'uncut' %}{{ sqlmetrics.literal(k) }}{% else %}NULL{% endif %}, {{ j ~ '.ideal_rank' }})
    THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }}
END{% endif %}), 0),
    0e0
)
{%- endmacro %}

{% macro clickhouse__expected_ndcg(j, k, gain, negative, discount, base, ideal) -%}
{{ exceptions.raise_compiler_error("expected_ndcg cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__expected_ndcg(j, k, gain, negative, discount, base, ideal) -%}
{{ exceptions.raise_compiler_error("expected_ndcg cannot be computed by snowflake: it has no sums over a number of ranks that is not fixed") }}
{%- endmacro %}

{% macro bigquery__expected_ndcg(j, k, gain, negative, discount, base, ideal) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %}
            THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.require_ties(j ~ '.num_tied') }} * (SELECT sum(1e0 / {{ sqlmetrics.rank_discount("place", discount, base) }}) FROM UNNEST(GENERATE_ARRAY({{ j ~ '.first_rank' }}, {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %})) AS place)
        END
    ) / nullif(sum({% if ideal == 'retrieved' %}{{ exceptions.raise_compiler_error("ideal is not 'retrieved' where ties are expected") }}{% elif ideal == 'perfect' %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN {{ sqlmetrics.perfect_dcg((j ~ '.num_ret' if k is none else sqlmetrics.literal(k)), discount, base) }}
    ELSE CASE
        WHEN {{ sqlmetrics.ideal_place(ideal, j ~ '.ideal_rank', j ~ '.retrieved_ideal_rank') }} <= coalesce({% if ideal != 'uncut' %}{{ sqlmetrics.literal(k) }}{% else %}NULL{% endif %}, {{ j ~ '.ideal_rank' }})
        THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }}
    END
END{% else %}CASE
    WHEN {{ sqlmetrics.ideal_place(ideal, j ~ '.ideal_rank', j ~ '.retrieved_ideal_rank') }} <= coalesce({% if ideal != 'uncut' %}{{ sqlmetrics.literal(k) }}{% else %}NULL{% endif %}, {{ j ~ '.ideal_rank' }})
    THEN {{ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) }} / {{ sqlmetrics.rank_discount(j ~ '.ideal_rank', discount, base) }}
END{% endif %}), 0),
    0e0
)
{%- endmacro %}

{% macro redshift__expected_ndcg(j, k, gain, negative, discount, base, ideal) -%}
{{ exceptions.raise_compiler_error("expected_ndcg cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
