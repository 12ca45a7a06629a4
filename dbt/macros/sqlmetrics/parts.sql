{#- The measure of a user whose probability of continuing depends on the gain so far. -#}
{% macro adaptive_user(j, measure) -%}
{{ sqlmetrics.cwl_measure(j, measure, sqlmetrics.exact_sum("(" ~ j ~ '.gain' ~ " * " ~ j ~ '.reach' ~ ")"), sqlmetrics.exact_sum("(" ~ j ~ '.span' ~ " * " ~ j ~ '.reach' ~ ")"), gain_beyond=sqlmetrics.exact_sum("(" ~ j ~ '.gain' ~ " * " ~ j ~ '.reach_beyond' ~ ")"), depth_beyond=sqlmetrics.exact_sum("((" ~ j ~ '.until' ~ " - " ~ j ~ '.rank' ~ " + 1) * " ~ j ~ '.reach_beyond' ~ ")")) }}
{%- endmacro %}

{#- Precision at a document's rank, blended with the share of the ideal gain found by then. -#}
{% macro blended_ratio(j, beta) -%}
(({{ j ~ '.hits' }} + {{ sqlmetrics.literal(beta) }} * {{ j ~ '.cg' }}) / ({{ j ~ '.rank' }} + {{ sqlmetrics.literal(beta) }} * {{ j ~ '.ideal_cg' }}))
{%- endmacro %}

{#- The measure of a user who stops at a document with the probability of its gain, and otherwise continues as if documents did not matter. -#}
{% macro cascade_user(j, measure, k, shape, x=none, goes_on=false) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.cwl_measure(j, measure, sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " * " ~ sqlmetrics.view_probability(j ~ '.rank', shape, sqlmetrics.literal(x)) ~ " END"), "(" ~ sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " * " ~ sqlmetrics.ranks_seen(j ~ '.rank', shape, x) ~ " END") ~ " + (sum(" ~ j ~ '.opening' ~ ") - " ~ sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.unsatisfied' ~ " END") ~ ") * " ~ sqlmetrics.view_probability_sum(sqlmetrics.literal(k), shape, sqlmetrics.literal(x)) ~ ")", gain_beyond=("(" ~ sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ j ~ '.never_satisfied' ~ " END") ~ " * " ~ sqlmetrics.view_probability("(" ~ sqlmetrics.literal(k) ~ " + 1)", shape, sqlmetrics.literal(x)) ~ ")" if goes_on else "0e0" ~ real), depth_beyond=("(" ~ sqlmetrics.exact_sum("(" ~ j ~ '.opening' ~ " * " ~ j ~ '.never_satisfied' ~ ")") ~ " * " ~ sqlmetrics.literal(k) ~ " * " ~ sqlmetrics.view_probability("(" ~ sqlmetrics.literal(k) ~ " + 1)", shape, sqlmetrics.literal(x)) ~ ")" if goes_on else "0e0" ~ real)) }}
{%- endmacro %}

{#- The number of a document's preferences that count. -#}
{% macro counted_preferences(pairs, rank, lower, lower_ret) -%}
{% if not (pairs in ('judged', 'either', 'both',)) %}{{ exceptions.raise_compiler_error("pairs must be 'judged', 'either' or 'both', not '" ~ pairs ~ "'") }}{% else %}CASE
    WHEN {{ sqlmetrics.literal(pairs) }} = 'judged' OR ({{ sqlmetrics.literal(pairs) }} = 'either' AND {{ rank }} IS NOT NULL)
    THEN {{ lower }}
    ELSE CASE
        WHEN {{ sqlmetrics.literal(pairs) }} = 'either' OR {{ rank }} IS NOT NULL
        THEN {{ lower_ret }}
        ELSE 0
    END
END{% endif %}
{%- endmacro %}

{#- The measure of a user of a ranking, from sums over the ranks; each document costs 1 to look at. -#}
{% macro cwl_measure(j, measure, gain, depth, gain_beyond=0.0, depth_beyond=0.0) -%}
{%- set real = sqlmetrics.real() -%}
{% if measure == 'utility' %}({{ gain }} / {{ depth }}){% elif measure == 'total_utility' %}(({{ gain }} - {{ gain_beyond }}) / sum({{ j ~ '.opening' }})){% elif measure == 'cost' %}1e0{{ real }}{% elif measure == 'total_cost' %}(1e0{{ real }} * ({{ depth }} - {{ depth_beyond }}) / sum({{ j ~ '.opening' }})){% elif measure == 'depth' %}(1e0{{ real }} * {{ depth }} / sum({{ j ~ '.opening' }})){% else %}NULL{% endif %}
{%- endmacro %}

{#- The sum of the first k values, each divided by a discount that grows with the rank; 0 if there are none. -#}
{% macro discounted_sum(value, rank, k, discount, base=2) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(rank, k) ~ " THEN " ~ value ~ " / " ~ sqlmetrics.rank_discount(rank, discount, base) ~ " ELSE 0e0" ~ real ~ " END") }}
{%- endmacro %}

{#- The sum of 1 / i² for i = first, first + 1, …, last, by the formula of Euler and Maclaurin. -#}
{% macro distant_squares(first, last) -%}
{%- set real = sqlmetrics.real() -%}
(({{ last }} - {{ first }}) / ({{ first }} * {{ last }}) + ({{ sqlmetrics.power(first, "-2") }} + {{ sqlmetrics.power(last, "-2") }}) / 2e0{{ real }} + ({{ sqlmetrics.power(first, "-3") }} - {{ sqlmetrics.power(last, "-3") }}) / 6e0{{ real }} - ({{ sqlmetrics.power(first, "-5") }} - {{ sqlmetrics.power(last, "-5") }}) / 3e1{{ real }} + ({{ sqlmetrics.power(first, "-7") }} - {{ sqlmetrics.power(last, "-7") }}) / 42e0{{ real }} - ({{ sqlmetrics.power(first, "-9") }} - {{ sqlmetrics.power(last, "-9") }}) / 3e1{{ real }})
{%- endmacro %}

{#- The divisor of the relevant documents among the first k. -#}
{% macro divisor(denominator, k, num_rel, num_ret) -%}
{{- adapter.dispatch('divisor', 'sqlmetrics')(denominator, k, num_rel, num_ret) -}}
{%- endmacro %}
{% macro default__divisor(denominator, k, num_rel, num_ret) -%}
{% if denominator == 'relevant' %}{{ num_rel }}{% elif denominator == 'cutoff' %}{% if k is none %}{{ num_ret }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}{% elif denominator == 'achievable' %}least({% if k is none %}{{ num_ret }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}, {{ num_rel }}){% elif denominator == 'retrieved' %}least({% if k is none %}{{ num_ret }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}, {{ num_ret }}){% elif denominator == 'listed' %}least({% if k is none %}{{ num_ret }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}, {{ num_ret }}, {{ num_rel }}){% else %}{{ exceptions.raise_compiler_error("denominator must be 'relevant', 'cutoff', 'achievable', 'retrieved' or 'listed', not '" ~ denominator ~ "'") }}{% endif %}
{%- endmacro %}
{% macro sqlite__divisor(denominator, k, num_rel, num_ret) -%}
{% if denominator == 'relevant' %}{{ num_rel }}{% elif denominator == 'cutoff' %}{% if k is none %}{{ num_ret }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}{% elif denominator == 'achievable' %}min({% if k is none %}{{ num_ret }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}, {{ num_rel }}){% elif denominator == 'retrieved' %}min({% if k is none %}{{ num_ret }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}, {{ num_ret }}){% elif denominator == 'listed' %}min({% if k is none %}{{ num_ret }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}, {{ num_ret }}, {{ num_rel }}){% else %}{{ exceptions.raise_compiler_error("denominator must be 'relevant', 'cutoff', 'achievable', 'retrieved' or 'listed', not '" ~ denominator ~ "'") }}{% endif %}
{%- endmacro %}

{#- The sum of gains over the documents down to a place. -#}
{% macro down_to_place(p, gain) -%}
{{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed(gain, p ~ '.highest') ~ ") OVER ( PARTITION BY " ~ p ~ '.run_id' ~ ", " ~ p ~ '.query_id' ~ " ORDER BY " ~ sqlmetrics.ascending(p ~ '.place') ~ " RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", p ~ '.highest') }}
{%- endmacro %}

{#- The score of a document for comparisons: a 32-bit score keeps its value, and so the ties that 32 bits create. -#}
{% macro exact_score(score) -%}
{{- adapter.dispatch('exact_score', 'sqlmetrics')(score) -}}
{%- endmacro %}
{% macro default__exact_score(score) -%}
CAST({{ score }} AS DOUBLE)
{%- endmacro %}
{% macro postgres__exact_score(score) -%}
CAST({{ score }} AS DOUBLE PRECISION)
{%- endmacro %}
{% macro sqlite__exact_score(score) -%}
CAST({{ score }} AS REAL)
{%- endmacro %}
{% macro bigquery__exact_score(score) -%}
CAST({{ score }} AS FLOAT64)
{%- endmacro %}

{#- The sum of numbers, the same to the last digit whatever the order of rows and the number of threads: numbers below 65536 are added in fixed units, larger ones by size. -#}
{% macro exact_sum(x) -%}
sum({{ x }})
{%- endmacro %}

{#- False negatives, averaged over all orders of tied documents. -#}
{% macro expected_fn(j, k) -%}
(sum({{ j ~ '.relevant' }}) - {{ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) }})
{%- endmacro %}

{#- False positives, averaged over all orders of tied documents. -#}
{% macro expected_fp(j, k) -%}
({{ sqlmetrics.once_per_query(j, sqlmetrics.retrieved_at(k, j ~ '.num_ret')) }} - {{ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) }})
{%- endmacro %}

{#- True negatives, averaged over all orders of tied documents. -#}
{% macro expected_tn(j, k, corpus_size) -%}
{{ sqlmetrics.remaining(sqlmetrics.once_per_query(j, sqlmetrics.literal(corpus_size)), "(" ~ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.expected_fp(j, k) ~ " + " ~ sqlmetrics.expected_fn(j, k) ~ ")") }}
{%- endmacro %}

{#- True positives, averaged over all orders of tied documents. -#}
{% macro expected_tp(j, k) -%}
{{ sqlmetrics.exact_sum("(" ~ j ~ '.relevant' ~ " * " ~ sqlmetrics.within_k_chance(j, k) ~ ")") }}
{%- endmacro %}

{#- The number of documents judged not relevant that score at least as high as this one; those not retrieved tie below all others. -#}
{% macro false_positives_by_score(j) -%}
CASE WHEN {{ j ~ '.first_rank' }} IS NULL THEN {{ j ~ '.num_nonrel' }} ELSE {{ j ~ '.false_positives_above' }} + {{ j ~ '.false_positives_tied' }} END
{%- endmacro %}

{#- False negatives: relevant documents that are not among the first k. -#}
{% macro fn(j, k) -%}
(sum({{ j ~ '.relevant' }}) - {{ sqlmetrics.tp(j, sqlmetrics.literal(k)) }})
{%- endmacro %}

{#- False positives: documents among the first k that are not relevant, judged or not. -#}
{% macro fp(j, k) -%}
({{ sqlmetrics.once_per_query(j, sqlmetrics.retrieved_at(k, j ~ '.num_ret')) }} - {{ sqlmetrics.tp(j, sqlmetrics.literal(k)) }})
{%- endmacro %}

{#- The number that whole multiples of a fixed unit stand for. -#}
{% macro from_fixed(n, highest=65536) -%}
{{ n }}
{%- endmacro %}

{#- The number of a document's preferences that the run fulfils: the other document is ranked lower or not retrieved. -#}
{% macro fulfilled_preferences(pairs, rank, lower, lower_ret, lower_after) -%}
CASE WHEN {{ rank }} IS NULL THEN 0 ELSE {% if pairs == 'both' %}{{ lower_after }}{% else %}({{ lower_after }} + {{ lower }} - {{ lower_ret }}){% endif %} END
{%- endmacro %}

{#- The gain of a document with this grade. -#}
{% macro graded_gain(grade, gain, negative='zero') -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN {{ grade }} <= 0 AND ({{ grade }} = 0 OR {{ sqlmetrics.literal(negative) }} = 'zero')
    THEN 0e0{{ real }}
    ELSE {% if gain == 'binary' %}CASE WHEN {{ grade }} > 0 THEN 1e0{{ real }} ELSE 0e0{{ real }} END{% elif gain == 'linear' %}{{ grade }}{% elif gain == 'exponential' %}(power(2e0{{ real }}, {{ grade }}) - 1e0{{ real }}){% else %}NULL{% endif %}
END
{%- endmacro %}

{#- The sum of 1 / i for i = 1, 2, …, last. -#}
{% macro harmonic_number(last) -%}
{{- adapter.dispatch('harmonic_number', 'sqlmetrics')(last) -}}
{%- endmacro %}
{% macro default__harmonic_number(last) -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN {{ last }} < 20
    THEN reduce(CASE WHEN 1 <= 19 THEN sequence(1, 19) END, 0e0, (_sum, _i) -> _sum + CASE WHEN _i <= {{ last }} THEN 1e0{{ real }} / _i ELSE 0e0{{ real }} END, _sum -> _sum)
    ELSE ln(1e0{{ real }} * {{ last }}) + 0.5772156649015329e0{{ real }} + 1e0{{ real }} / (2 * {{ last }}) - {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-2") }} / 12 + {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-4") }} / 120 - {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-6") }} / 252 + {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-8") }} / 240
END
{%- endmacro %}
{% macro duckdb__harmonic_number(last) -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN {{ last }} < 20
    THEN list_sum(list_transform(range(1, 19 + 1), lambda _i: CASE WHEN _i <= {{ last }} THEN 1e0{{ real }} / _i ELSE 0e0{{ real }} END))
    ELSE ln(1e0{{ real }} * {{ last }}) + 0.5772156649015329e0{{ real }} + 1e0{{ real }} / (2 * {{ last }}) - {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-2") }} / 12 + {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-4") }} / 120 - {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-6") }} / 252 + {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-8") }} / 240
END
{%- endmacro %}
{% macro spark__harmonic_number(last) -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN {{ last }} < 20
    THEN aggregate(CASE WHEN 1 <= 19 THEN sequence(1, 19) END, 0e0, (_sum, _i) -> _sum + CASE WHEN _i <= {{ last }} THEN 1e0{{ real }} / _i ELSE 0e0{{ real }} END)
    ELSE ln(1e0{{ real }} * {{ last }}) + 0.5772156649015329e0{{ real }} + 1e0{{ real }} / (2 * {{ last }}) - {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-2") }} / 12 + {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-4") }} / 120 - {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-6") }} / 252 + {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-8") }} / 240
END
{%- endmacro %}
{% macro postgres__harmonic_number(last) -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN {{ last }} < 20
    THEN (SELECT sum(CASE WHEN _i <= {{ last }} THEN 1e0{{ real }} / _i ELSE 0e0{{ real }} END) FROM generate_series(1, 19) AS _series_i (_i))
    ELSE ln(1e0{{ real }} * {{ last }}) + 0.5772156649015329e0{{ real }} + 1e0{{ real }} / (2 * {{ last }}) - {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-2") }} / 12 + {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-4") }} / 120 - {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-6") }} / 252 + {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-8") }} / 240
END
{%- endmacro %}
{% macro sqlite__harmonic_number(last) -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN {{ last }} < 20
    THEN (WITH RECURSIVE _series_i (_i) AS (SELECT 1 WHERE 1 <= 19 UNION ALL SELECT _i + 1 FROM _series_i WHERE _i < 19) SELECT sum(CASE WHEN _i <= {{ last }} THEN 1e0{{ real }} / _i ELSE 0e0{{ real }} END) FROM _series_i)
    ELSE ln(1e0{{ real }} * {{ last }}) + 0.5772156649015329e0{{ real }} + 1e0{{ real }} / (2 * {{ last }}) - {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-2") }} / 12 + {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-4") }} / 120 - {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-6") }} / 252 + {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-8") }} / 240
END
{%- endmacro %}
{% macro snowflake__harmonic_number(last) -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN {{ last }} < 20
    THEN (CASE WHEN 1 <= {{ last }} THEN 1e0{{ real }} / 1 ELSE 0e0{{ real }} END + CASE WHEN 2 <= {{ last }} THEN 1e0{{ real }} / 2 ELSE 0e0{{ real }} END + CASE WHEN 3 <= {{ last }} THEN 1e0{{ real }} / 3 ELSE 0e0{{ real }} END + CASE WHEN 4 <= {{ last }} THEN 1e0{{ real }} / 4 ELSE 0e0{{ real }} END + CASE WHEN 5 <= {{ last }} THEN 1e0{{ real }} / 5 ELSE 0e0{{ real }} END + CASE WHEN 6 <= {{ last }} THEN 1e0{{ real }} / 6 ELSE 0e0{{ real }} END + CASE WHEN 7 <= {{ last }} THEN 1e0{{ real }} / 7 ELSE 0e0{{ real }} END + CASE WHEN 8 <= {{ last }} THEN 1e0{{ real }} / 8 ELSE 0e0{{ real }} END + CASE WHEN 9 <= {{ last }} THEN 1e0{{ real }} / 9 ELSE 0e0{{ real }} END + CASE WHEN 10 <= {{ last }} THEN 1e0{{ real }} / 10 ELSE 0e0{{ real }} END + CASE WHEN 11 <= {{ last }} THEN 1e0{{ real }} / 11 ELSE 0e0{{ real }} END + CASE WHEN 12 <= {{ last }} THEN 1e0{{ real }} / 12 ELSE 0e0{{ real }} END + CASE WHEN 13 <= {{ last }} THEN 1e0{{ real }} / 13 ELSE 0e0{{ real }} END + CASE WHEN 14 <= {{ last }} THEN 1e0{{ real }} / 14 ELSE 0e0{{ real }} END + CASE WHEN 15 <= {{ last }} THEN 1e0{{ real }} / 15 ELSE 0e0{{ real }} END + CASE WHEN 16 <= {{ last }} THEN 1e0{{ real }} / 16 ELSE 0e0{{ real }} END + CASE WHEN 17 <= {{ last }} THEN 1e0{{ real }} / 17 ELSE 0e0{{ real }} END + CASE WHEN 18 <= {{ last }} THEN 1e0{{ real }} / 18 ELSE 0e0{{ real }} END + CASE WHEN 19 <= {{ last }} THEN 1e0{{ real }} / 19 ELSE 0e0{{ real }} END)
    ELSE ln(1e0{{ real }} * {{ last }}) + 0.5772156649015329e0{{ real }} + 1e0{{ real }} / (2 * {{ last }}) - {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-2") }} / 12 + {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-4") }} / 120 - {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-6") }} / 252 + {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-8") }} / 240
END
{%- endmacro %}
{% macro bigquery__harmonic_number(last) -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN {{ last }} < 20
    THEN (SELECT sum(CASE WHEN _i <= {{ last }} THEN 1e0{{ real }} / _i ELSE 0e0{{ real }} END) FROM UNNEST(GENERATE_ARRAY(1, 19)) AS _i)
    ELSE ln(1e0{{ real }} * {{ last }}) + 0.5772156649015329e0{{ real }} + 1e0{{ real }} / (2 * {{ last }}) - {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-2") }} / 12 + {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-4") }} / 120 - {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-6") }} / 252 + {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ last, "-8") }} / 240
END
{%- endmacro %}

{#- The number of relevant documents that score at least as high as this one; those not retrieved tie below all others. -#}
{% macro hits_by_score(j) -%}
CASE WHEN {{ j ~ '.first_rank' }} IS NULL THEN {{ j ~ '.num_rel' }} ELSE {{ j ~ '.hits_above' }} + {{ j ~ '.hits_tied' }} END
{%- endmacro %}

{#- The probability that an IFT user continues past a rank. -#}
{% macro ift_step(rank, gained, wanting, A, b2, R2) -%}
{%- set real = sqlmetrics.real() -%}
({{ wanting }} / coalesce(1e0{{ real }} + {{ sqlmetrics.literal(b2) }} * {{ sqlmetrics.exp("1e0" ~ real ~ " * " ~ sqlmetrics.literal(R2) ~ " * (" ~ sqlmetrics.literal(A) ~ " - " ~ gained ~ " / " ~ rank ~ ")") }}, 1e0{{ real }}))
{%- endmacro %}

{#- The number of ranks of a stretch seen by an INST user who looks at the first. -#}
{% macro inst_span(rank, until, aim) -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN {{ until }} < {{ rank }}
    THEN 0e0{{ real }}
    ELSE 1e0{{ real }} + ({{ rank }} - 1 + {{ aim }}) * ({{ rank }} - 1 + {{ aim }}) * {{ sqlmetrics.inverse_squares("(" ~ rank ~ " + " ~ aim ~ ")", "(" ~ until ~ " - " ~ rank ~ ")") }}
END
{%- endmacro %}

{#- The sum of 1 / i² for i = first, first + 1, and so on. -#}
{% macro inverse_squares(first, count) -%}
{{- adapter.dispatch('inverse_squares', 'sqlmetrics')(first, count) -}}
{%- endmacro %}
{% macro default__inverse_squares(first, count) -%}
{%- set real = sqlmetrics.real() -%}
(
    reduce(CASE WHEN 0 <= 19 THEN sequence(0, 19) END, 0e0, (_sum, _i) -> _sum + CASE
        WHEN _i < {{ count }}
        THEN 1e0{{ real }} / (({{ first }} + _i) * ({{ first }} + _i))
        ELSE 0e0{{ real }}
    END, _sum -> _sum) + CASE WHEN {{ count }} > 20 THEN {{ sqlmetrics.distant_squares("(" ~ first ~ " + 20e0" ~ real ~ ")", "(" ~ first ~ " + " ~ count ~ " - 1e0" ~ real ~ ")") }} ELSE 0e0{{ real }} END
)
{%- endmacro %}
{% macro duckdb__inverse_squares(first, count) -%}
{%- set real = sqlmetrics.real() -%}
(
    list_sum(list_transform(range(0, 19 + 1), lambda _i: CASE
        WHEN _i < {{ count }}
        THEN 1e0{{ real }} / (({{ first }} + _i) * ({{ first }} + _i))
        ELSE 0e0{{ real }}
    END)) + CASE WHEN {{ count }} > 20 THEN {{ sqlmetrics.distant_squares("(" ~ first ~ " + 20e0" ~ real ~ ")", "(" ~ first ~ " + " ~ count ~ " - 1e0" ~ real ~ ")") }} ELSE 0e0{{ real }} END
)
{%- endmacro %}
{% macro spark__inverse_squares(first, count) -%}
{%- set real = sqlmetrics.real() -%}
(
    aggregate(CASE WHEN 0 <= 19 THEN sequence(0, 19) END, 0e0, (_sum, _i) -> _sum + CASE
        WHEN _i < {{ count }}
        THEN 1e0{{ real }} / (({{ first }} + _i) * ({{ first }} + _i))
        ELSE 0e0{{ real }}
    END) + CASE WHEN {{ count }} > 20 THEN {{ sqlmetrics.distant_squares("(" ~ first ~ " + 20e0" ~ real ~ ")", "(" ~ first ~ " + " ~ count ~ " - 1e0" ~ real ~ ")") }} ELSE 0e0{{ real }} END
)
{%- endmacro %}
{% macro postgres__inverse_squares(first, count) -%}
{%- set real = sqlmetrics.real() -%}
(
    (SELECT sum(CASE
        WHEN _i < {{ count }}
        THEN 1e0{{ real }} / (({{ first }} + _i) * ({{ first }} + _i))
        ELSE 0e0{{ real }}
    END) FROM generate_series(0, 19) AS _series_i (_i)) + CASE WHEN {{ count }} > 20 THEN {{ sqlmetrics.distant_squares("(" ~ first ~ " + 20e0" ~ real ~ ")", "(" ~ first ~ " + " ~ count ~ " - 1e0" ~ real ~ ")") }} ELSE 0e0{{ real }} END
)
{%- endmacro %}
{% macro sqlite__inverse_squares(first, count) -%}
{%- set real = sqlmetrics.real() -%}
(
    (WITH RECURSIVE _series_i (_i) AS (SELECT 0 WHERE 0 <= 19 UNION ALL SELECT _i + 1 FROM _series_i WHERE _i < 19) SELECT sum(CASE
        WHEN _i < {{ count }}
        THEN 1e0{{ real }} / (({{ first }} + _i) * ({{ first }} + _i))
        ELSE 0e0{{ real }}
    END) FROM _series_i) + CASE WHEN {{ count }} > 20 THEN {{ sqlmetrics.distant_squares("(" ~ first ~ " + 20e0" ~ real ~ ")", "(" ~ first ~ " + " ~ count ~ " - 1e0" ~ real ~ ")") }} ELSE 0e0{{ real }} END
)
{%- endmacro %}
{% macro snowflake__inverse_squares(first, count) -%}
{%- set real = sqlmetrics.real() -%}
(
    (
        CASE
            WHEN 0 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 0) * ({{ first }} + 0))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 1 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 1) * ({{ first }} + 1))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 2 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 2) * ({{ first }} + 2))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 3 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 3) * ({{ first }} + 3))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 4 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 4) * ({{ first }} + 4))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 5 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 5) * ({{ first }} + 5))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 6 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 6) * ({{ first }} + 6))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 7 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 7) * ({{ first }} + 7))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 8 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 8) * ({{ first }} + 8))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 9 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 9) * ({{ first }} + 9))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 10 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 10) * ({{ first }} + 10))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 11 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 11) * ({{ first }} + 11))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 12 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 12) * ({{ first }} + 12))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 13 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 13) * ({{ first }} + 13))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 14 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 14) * ({{ first }} + 14))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 15 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 15) * ({{ first }} + 15))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 16 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 16) * ({{ first }} + 16))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 17 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 17) * ({{ first }} + 17))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 18 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 18) * ({{ first }} + 18))
            ELSE 0e0{{ real }}
        END + CASE
            WHEN 19 < {{ count }}
            THEN 1e0{{ real }} / (({{ first }} + 19) * ({{ first }} + 19))
            ELSE 0e0{{ real }}
        END
    ) + CASE WHEN {{ count }} > 20 THEN {{ sqlmetrics.distant_squares("(" ~ first ~ " + 20e0" ~ real ~ ")", "(" ~ first ~ " + " ~ count ~ " - 1e0" ~ real ~ ")") }} ELSE 0e0{{ real }} END
)
{%- endmacro %}
{% macro bigquery__inverse_squares(first, count) -%}
{%- set real = sqlmetrics.real() -%}
(
    (SELECT sum(CASE
        WHEN _i < {{ count }}
        THEN 1e0{{ real }} / (({{ first }} + _i) * ({{ first }} + _i))
        ELSE 0e0{{ real }}
    END) FROM UNNEST(GENERATE_ARRAY(0, 19)) AS _i) + CASE WHEN {{ count }} > 20 THEN {{ sqlmetrics.distant_squares("(" ~ first ~ " + 20e0" ~ real ~ ")", "(" ~ first ~ " + " ~ count ~ " - 1e0" ~ real ~ ")") }} ELSE 0e0{{ real }} END
)
{%- endmacro %}

{#- False positives among the judged documents: those of the first k that are judged not relevant. -#}
{% macro judged_fp(j, k) -%}
sum(CASE WHEN {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ j ~ '.relevance' }} >= 0 AND {{ j ~ '.relevant' }} = 0 THEN 1 ELSE 0 END)
{%- endmacro %}

{#- The cut-off, or the number of rows where it is smaller. -#}
{% macro k_at_most(k, most) -%}
{{- adapter.dispatch('k_at_most', 'sqlmetrics')(k, most) -}}
{%- endmacro %}
{% macro default__k_at_most(k, most) -%}
least({% if k is none %}{{ most }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}, {{ most }})
{%- endmacro %}
{% macro sqlite__k_at_most(k, most) -%}
min({% if k is none %}{{ most }}{% else %}{{ sqlmetrics.literal(k) }}{% endif %}, {{ most }})
{%- endmacro %}

{#- The gain that a relevance is mapped to; a relevance that is not in the map stays as it is. -#}
{% macro mapped_gain(relevance, gains) -%}
coalesce({{ sqlmetrics.map_gains(relevance, gains) }}, {{ relevance }})
{%- endmacro %}

{#- The mean of numbers, the same to the last digit whatever the order of rows. -#}
{% macro mean_of(x) -%}
{{ sqlmetrics.rate(sqlmetrics.exact_sum(x), "count(" ~ x ~ ")") }}
{%- endmacro %}

{#- How many neighbours a query should get. -#}
{% macro neighbours_wanted(k, num_exact, denominator) -%}
{{- adapter.dispatch('neighbours_wanted', 'sqlmetrics')(k, num_exact, denominator) -}}
{%- endmacro %}
{% macro default__neighbours_wanted(k, num_exact, denominator) -%}
{%- set real = sqlmetrics.real() -%}
{% if denominator == 'cutoff' %}CASE
    WHEN {{ num_exact }} < {{ sqlmetrics.literal(k) }}
    THEN {{ sqlmetrics.error("'a query has ' || " ~ sqlmetrics.text(num_exact) ~ " || ' exact neighbours, fewer than k = ' || " ~ sqlmetrics.text(sqlmetrics.literal(k)) ~ " || '; if there are no more, use denominator := ''achievable'''") }}
    ELSE 1e0{{ real }} * {{ sqlmetrics.k_at_most(k, num_exact) }}
END{% else %}(1e0{{ real }} * {{ sqlmetrics.k_at_most(k, num_exact) }}){% endif %}
{%- endmacro %}
{% macro spark__neighbours_wanted(k, num_exact, denominator) -%}
{%- set real = sqlmetrics.real() -%}
{% if denominator == 'cutoff' %}CASE
    WHEN {{ num_exact }} < {{ sqlmetrics.literal(k) }}
    THEN {{ sqlmetrics.error("'a query has ' || " ~ sqlmetrics.text(num_exact) ~ " || ' exact neighbours, fewer than k = ' || " ~ sqlmetrics.text(sqlmetrics.literal(k)) ~ " || '; if there are no more, use denominator := \'achievable\''") }}
    ELSE 1e0{{ real }} * {{ sqlmetrics.k_at_most(k, num_exact) }}
END{% else %}(1e0{{ real }} * {{ sqlmetrics.k_at_most(k, num_exact) }}){% endif %}
{%- endmacro %}
{% macro snowflake__neighbours_wanted(k, num_exact, denominator) -%}
{%- set real = sqlmetrics.real() -%}
{% if denominator == 'cutoff' %}CASE
    WHEN {{ num_exact }} < {{ sqlmetrics.literal(k) }}
    THEN {{ sqlmetrics.error("'a query has ' || " ~ sqlmetrics.text(num_exact) ~ " || ' exact neighbours, fewer than k = ' || " ~ sqlmetrics.text(sqlmetrics.literal(k)) ~ " || '; if there are no more, use denominator := \'achievable\''") }}
    ELSE 1e0{{ real }} * {{ sqlmetrics.k_at_most(k, num_exact) }}
END{% else %}(1e0{{ real }} * {{ sqlmetrics.k_at_most(k, num_exact) }}){% endif %}
{%- endmacro %}
{% macro bigquery__neighbours_wanted(k, num_exact, denominator) -%}
{%- set real = sqlmetrics.real() -%}
{% if denominator == 'cutoff' %}CASE
    WHEN {{ num_exact }} < {{ sqlmetrics.literal(k) }}
    THEN {{ sqlmetrics.error("'a query has ' || " ~ sqlmetrics.text(num_exact) ~ " || ' exact neighbours, fewer than k = ' || " ~ sqlmetrics.text(sqlmetrics.literal(k)) ~ " || '; if there are no more, use denominator := \'achievable\''") }}
    ELSE 1e0{{ real }} * {{ sqlmetrics.k_at_most(k, num_exact) }}
END{% else %}(1e0{{ real }} * {{ sqlmetrics.k_at_most(k, num_exact) }}){% endif %}
{%- endmacro %}

{#- The number of judged documents among the first k. -#}
{% macro num_judged(j, k) -%}
sum(CASE WHEN {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ j ~ '.relevance' }} >= 0 THEN 1 ELSE 0 END)
{%- endmacro %}

{#- A value that is the same in all rows of a query, once per query. -#}
{% macro once_per_query(j, value) -%}
sum(CASE WHEN {{ j ~ '.ideal_rank' }} = 1 THEN {{ value }} END)
{%- endmacro %}

{#- A value that is the same in all rows of a subtopic, once per subtopic that counts. -#}
{% macro once_per_subtopic(j, value, subtopics='relevant') -%}
sum(
    CASE
        WHEN {{ j ~ '.ideal_rank' }} = 1 AND ({{ sqlmetrics.literal(subtopics) }} = 'judged' OR {{ j ~ '.relevant' }} = 1)
        THEN {{ value }}
    END
)
{%- endmacro %}

{#- The last rank at which two rankings are compared while they share this many documents. -#}
{% macro overlap_end(shared_until, longest, ranks) -%}
CASE
    WHEN {{ shared_until }} < {{ longest }} AND {{ shared_until }} < {% if ranks is none %}{{ longest }}{% else %}{{ sqlmetrics.literal(ranks) }}{% endif %}
    THEN {{ shared_until }}
    ELSE {% if ranks is none %}{{ longest }}{% else %}{{ sqlmetrics.literal(ranks) }}{% endif %}
END
{%- endmacro %}

{#- What a document that two rankings share over some ranks adds to rank-biased overlap: Σ p^(rank − 1) / rank. -#}
{% macro overlap_weight(p, first_rank, last_rank) -%}
{{- adapter.dispatch('overlap_weight', 'sqlmetrics')(p, first_rank, last_rank) -}}
{%- endmacro %}
{% macro default__overlap_weight(p, first_rank, last_rank) -%}
{%- set real = sqlmetrics.real() -%}
coalesce({{ sqlmetrics.range_sum("_rank", first_rank, "least(" ~ last_rank ~ ", " ~ first_rank ~ " + CAST((ln(1e0" ~ real ~ " - " ~ sqlmetrics.literal(p) ~ ") - 4e1" ~ real ~ ") / ln(1e0" ~ real ~ " * " ~ sqlmetrics.literal(p) ~ ") AS BIGINT))", sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(p), "_rank - 1") ~ " / _rank") }}, 0e0{{ real }})
{%- endmacro %}
{% macro sqlite__overlap_weight(p, first_rank, last_rank) -%}
{%- set real = sqlmetrics.real() -%}
coalesce({{ sqlmetrics.range_sum("_rank", first_rank, "min(" ~ last_rank ~ ", " ~ first_rank ~ " + CAST((ln(1e0" ~ real ~ " - " ~ sqlmetrics.literal(p) ~ ") - 4e1" ~ real ~ ") / ln(1e0" ~ real ~ " * " ~ sqlmetrics.literal(p) ~ ") AS INTEGER))", sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(p), "_rank - 1") ~ " / _rank") }}, 0e0{{ real }})
{%- endmacro %}
{% macro bigquery__overlap_weight(p, first_rank, last_rank) -%}
{%- set real = sqlmetrics.real() -%}
coalesce({{ sqlmetrics.range_sum("_rank", first_rank, "least(" ~ last_rank ~ ", " ~ first_rank ~ " + CAST((ln(1e0" ~ real ~ " - " ~ sqlmetrics.literal(p) ~ ") - 4e1" ~ real ~ ") / ln(1e0" ~ real ~ " * " ~ sqlmetrics.literal(p) ~ ") AS INT64))", sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(p), "_rank - 1") ~ " / _rank") }}, 0e0{{ real }})
{%- endmacro %}

{#- A percentile of numbers, with linear interpolation between two of them. -#}
{% macro percentile_of(x, percentile) -%}
{{- adapter.dispatch('percentile_of', 'sqlmetrics')(x, percentile) -}}
{%- endmacro %}
{% macro default__percentile_of(x, percentile) -%}
{{ sqlmetrics.refuse('percentile_of', "it does not support exact percentiles of groups") }}
{%- endmacro %}
{% macro duckdb__percentile_of(x, percentile) -%}
{%- set real = sqlmetrics.real() -%}
quantile_cont({{ x }}, {{ percentile }} / 1e2{{ real }})
{%- endmacro %}
{% macro spark__percentile_of(x, percentile) -%}
{%- set real = sqlmetrics.real() -%}
percentile({{ x }}, {{ percentile }} / 1e2{{ real }})
{%- endmacro %}
{% macro postgres__percentile_of(x, percentile) -%}
{%- set real = sqlmetrics.real() -%}
percentile_cont({{ percentile }} / 1e2{{ real }}) WITHIN GROUP (ORDER BY {{ x }})
{%- endmacro %}
{% macro snowflake__percentile_of(x, percentile) -%}
{%- set real = sqlmetrics.real() -%}
percentile_cont({{ percentile }} / 1e2{{ real }}) WITHIN GROUP (ORDER BY {{ x }})
{%- endmacro %}

{#- A percentile of numbers; without one, their mean. -#}
{% macro percentile_or_mean(x, percentile) -%}
{% if percentile is none %}{{ sqlmetrics.mean_of(x) }}{% else %}{{ sqlmetrics.percentile_of(x, ("50" if percentile is none else sqlmetrics.literal(percentile))) }}{% endif %}
{%- endmacro %}

{#- The DCG of documents with a gain of 1 each. -#}
{% macro perfect_dcg(first, last, discount, base) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.range_sum("_rank", first, last, "1e0" ~ real ~ " / " ~ sqlmetrics.rank_discount("_rank", discount, base)) }}
{%- endmacro %}

{#- The measure of a user whose probability of seeing a rank is the same whatever the documents. -#}
{% macro position_user(j, measure, k, shape, x=none, goes_on=false) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.cwl_measure(j, measure, sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ k ~ " THEN " ~ j ~ '.gain' ~ " * " ~ sqlmetrics.view_probability(j ~ '.rank', shape, x) ~ " END"), "(sum(" ~ j ~ '.opening' ~ ") * " ~ sqlmetrics.view_probability_sum(k, shape, x) ~ ")", gain_beyond=("(" ~ sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ k ~ " THEN " ~ j ~ '.gain' ~ " END") ~ " * " ~ sqlmetrics.view_probability("(" ~ k ~ " + 1)", shape, x) ~ ")" if goes_on else "0e0" ~ real), depth_beyond=("(sum(" ~ j ~ '.opening' ~ ") * " ~ k ~ " * " ~ sqlmetrics.view_probability("(" ~ k ~ " + 1)", shape, x) ~ ")" if goes_on else "0e0" ~ real)) }}
{%- endmacro %}

{#- Precision at the document's own rank; NULL if it was not retrieved. -#}
{% macro precision_at_rank(j) -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * {{ j ~ '.hits' }} / {{ j ~ '.rank' }})
{%- endmacro %}

{#- The share of the weight that is on precision in F. -#}
{% macro precision_weight(beta, alpha, beta_squared) -%}
{%- set real = sqlmetrics.real() -%}
coalesce(1e0{{ real }} * {{ sqlmetrics.literal(alpha) }}, 1e0{{ real }} / (1e0{{ real }} + {% if beta_squared is none %}({{ sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(beta), "2") }}){% else %}{{ sqlmetrics.literal(beta_squared) }}{% endif %}))
{%- endmacro %}

{#- The product over the stretches above one, in the order of the ranking. -#}
{% macro product_above(s, x) -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN min({{ x }}) OVER (
        PARTITION BY {{ s ~ '.run_id' }}, {{ s ~ '.query_id' }}
        ORDER BY {{ sqlmetrics.ascending(s ~ '.rank') }}, {{ sqlmetrics.descending(s ~ '.opening') }}
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) = 0e0{{ real }}
    THEN 0e0{{ real }}
    ELSE {{ sqlmetrics.exp(sqlmetrics.sum_above(s, "ln(nullif(" ~ x ~ ", 0e0" ~ real ~ "))")) }}
END
{%- endmacro %}

{#- The product over all stretches of a query. -#}
{% macro product_of_all(s, x) -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN min({{ x }}) OVER (PARTITION BY {{ s ~ '.run_id' }}, {{ s ~ '.query_id' }}) = 0e0{{ real }}
    THEN 0e0{{ real }}
    ELSE {{ sqlmetrics.exp("coalesce(" ~ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(nullif(" ~ x ~ ", 0e0" ~ real ~ "))") ~ ") OVER (PARTITION BY " ~ s ~ '.run_id' ~ ", " ~ s ~ '.query_id' ~ ")") ~ ", 0e0" ~ real ~ ")") }}
END
{%- endmacro %}

{#- The discount that divides the gain at a rank, as a fraction. -#}
{% macro rank_discount(rank, discount, base) -%}
{%- set real = sqlmetrics.real() -%}
{% if discount == 'log' %}(ln(1e0{{ real }} + {{ rank }}) / ln(1e0{{ real }} * {{ sqlmetrics.literal(base) }})){% elif discount == 'clipped' %}CASE
    WHEN {{ rank }} > {{ sqlmetrics.literal(base) }}
    THEN ln(1e0{{ real }} * {{ rank }}) / ln(1e0{{ real }} * {{ sqlmetrics.literal(base) }})
    ELSE 1e0{{ real }}
END{% elif discount == 'reciprocal' %}{{ rank }}{% elif discount == 'none' %}1e0{{ real }}{% else %}NULL{% endif %}
{%- endmacro %}

{#- The same as view_probability_sum, in closed form where there is one, for a last rank that differs from row to row. -#}
{% macro ranks_seen(last, shape, x) -%}
{%- set real = sqlmetrics.real() -%}
{% if shape == 'endless' %}(1e0{{ real }} * {{ last }}){% elif shape == 'reciprocal' %}{{ sqlmetrics.harmonic_number(last) }}{% elif shape == 'squared' %}(4e0{{ real }} * {{ sqlmetrics.literal(x) }} * {{ sqlmetrics.literal(x) }} * {{ sqlmetrics.inverse_squares("(2e0" ~ real ~ " * " ~ sqlmetrics.literal(x) ~ ")", last) }}){% elif shape == 'geometric' and x is not none and x < 0.99 %}((1e0{{ real }} - {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(x), last) }}) / (1e0{{ real }} - {{ sqlmetrics.literal(x) }})){% else %}{{ sqlmetrics.view_probability_sum(last, shape, sqlmetrics.literal(x)) }}{% endif %}
{%- endmacro %}

{#- A ratio of sums; NULL if the whole is 0. -#}
{% macro rate(part, whole) -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * {{ part }} / nullif({{ whole }}, 0))
{%- endmacro %}

{#- A ratio; 0 if the whole is 0. -#}
{% macro ratio(part, whole) -%}
{%- set real = sqlmetrics.real() -%}
coalesce(1e0{{ real }} * {{ part }} / nullif({{ whole }}, 0), 0e0{{ real }})
{%- endmacro %}

{#- The gain of a document in RBP. -#}
{% macro rbp_gain(relevant, grade, gain, max_rel) -%}
{%- set real = sqlmetrics.real() -%}
{% if gain == 'binary' and max_rel is none %}(1e0{{ real }} * {{ relevant }}){% elif gain == 'binary' %}({{ sqlmetrics.graded_gain(sqlmetrics.within_scale(grade, sqlmetrics.literal(max_rel)), 'linear') }} / {{ sqlmetrics.literal(max_rel) }}){% else %}({{ sqlmetrics.graded_gain(sqlmetrics.within_scale(grade, sqlmetrics.literal(max_rel)), gain) }} / {% if max_rel is none %}1e0{{ real }}{% else %}{{ sqlmetrics.graded_gain(sqlmetrics.literal(max_rel), gain) }}{% endif %}){% endif %}
{%- endmacro %}

{#- What RBP is divided by: the weights of the ranks that count and, with scaled, the highest gain of the query. -#}
{% macro rbp_scale(j, k, p, gain, scaled, denominator) -%}
{%- set real = sqlmetrics.real() -%}
({{ sqlmetrics.once_per_query(j, ("1e0" ~ real if denominator == 'endless' else "(1e0" ~ real ~ " - " ~ sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(p), sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret')) ~ ")")) }} * {% if scaled %}max({{ sqlmetrics.rbp_gain(j ~ '.relevant', j ~ '.grade', gain, none) }}){% else %}1e0{{ real }}{% endif %})
{%- endmacro %}

{#- The number of relevant documents that a recall point stands for. -#}
{% macro recall_count(recall, num_rel, rounding) -%}
{{- adapter.dispatch('recall_count', 'sqlmetrics')(recall, num_rel, rounding) -}}
{%- endmacro %}
{% macro default__recall_count(recall, num_rel, rounding) -%}
{%- set real = sqlmetrics.real() -%}
CAST(floor(1e0{{ real }} * {{ recall }} * {{ num_rel }} + {{ sqlmetrics.literal(rounding) }}) AS BIGINT)
{%- endmacro %}
{% macro sqlite__recall_count(recall, num_rel, rounding) -%}
{%- set real = sqlmetrics.real() -%}
CAST(floor(1e0{{ real }} * {{ recall }} * {{ num_rel }} + {{ sqlmetrics.literal(rounding) }}) AS INTEGER)
{%- endmacro %}
{% macro bigquery__recall_count(recall, num_rel, rounding) -%}
{%- set real = sqlmetrics.real() -%}
CAST(floor(1e0{{ real }} * {{ recall }} * {{ num_rel }} + {{ sqlmetrics.literal(rounding) }}) AS INT64)
{%- endmacro %}

{#- The number of recall points that stand for this many relevant documents; recall 0 stands for the first. -#}
{% macro recall_points(hits, num_rel, points, lowest, highest, rounding) -%}
{{- adapter.dispatch('recall_points', 'sqlmetrics')(hits, num_rel, points, lowest, highest, rounding) -}}
{%- endmacro %}
{% macro default__recall_points(hits, num_rel, points, lowest, highest, rounding) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.range_sum("_point", "0", sqlmetrics.literal(points) ~ " - 1", "CASE WHEN greatest(floor( 1e0" ~ real ~ " * (" ~ sqlmetrics.literal(lowest) ~ " * (" ~ sqlmetrics.literal(points) ~ " - 1 - _point) + " ~ sqlmetrics.literal(highest) ~ " * _point) / (" ~ sqlmetrics.literal(points) ~ " - 1) * " ~ num_rel ~ " + " ~ sqlmetrics.literal(rounding) ~ " ), 1) = " ~ hits ~ " THEN 1 ELSE 0 END") }}
{%- endmacro %}
{% macro sqlite__recall_points(hits, num_rel, points, lowest, highest, rounding) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.range_sum("_point", "0", sqlmetrics.literal(points) ~ " - 1", "CASE WHEN max(floor( 1e0" ~ real ~ " * (" ~ sqlmetrics.literal(lowest) ~ " * (" ~ sqlmetrics.literal(points) ~ " - 1 - _point) + " ~ sqlmetrics.literal(highest) ~ " * _point) / (" ~ sqlmetrics.literal(points) ~ " - 1) * " ~ num_rel ~ " + " ~ sqlmetrics.literal(rounding) ~ " ), 1) = " ~ hits ~ " THEN 1 ELSE 0 END") }}
{%- endmacro %}

{#- The number of documents in the collection other than these. -#}
{% macro remaining(corpus_size, documents) -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN {{ documents }} > {{ corpus_size }} + 1e-6{{ real }}
    THEN {{ sqlmetrics.error("'corpus_size ' || " ~ sqlmetrics.text(corpus_size) ~ " || ' is less than the ' || " ~ sqlmetrics.text(documents) ~ " || ' documents retrieved or relevant'") }}
    ELSE 1e0{{ real }} * ({{ corpus_size }} - {{ documents }})
END
{%- endmacro %}

{#- The discounted gain of one subtopic from k documents that all cover it. -#}
{% macro repeated_gain(k, alpha, discount) -%}
{{- adapter.dispatch('repeated_gain', 'sqlmetrics')(k, alpha, discount) -}}
{%- endmacro %}
{% macro default__repeated_gain(k, alpha, discount) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.range_sum("_rank", "1", "least(" ~ k ~ ", coalesce( 1 + CAST(-4e1" ~ real ~ " / nullif(ln(nullif(1e0" ~ real ~ " - " ~ sqlmetrics.literal(alpha) ~ ", 0e0" ~ real ~ ")), 0e0" ~ real ~ ") AS BIGINT), " ~ k ~ " ))", sqlmetrics.power("1e0" ~ real ~ " - " ~ sqlmetrics.literal(alpha), "_rank - 1") ~ " / " ~ sqlmetrics.rank_discount("_rank", discount, 2)) }}
{%- endmacro %}
{% macro sqlite__repeated_gain(k, alpha, discount) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.range_sum("_rank", "1", "min(" ~ k ~ ", coalesce( 1 + CAST(-4e1" ~ real ~ " / nullif(ln(nullif(1e0" ~ real ~ " - " ~ sqlmetrics.literal(alpha) ~ ", 0e0" ~ real ~ ")), 0e0" ~ real ~ ") AS INTEGER), " ~ k ~ " ))", sqlmetrics.power("1e0" ~ real ~ " - " ~ sqlmetrics.literal(alpha), "_rank - 1") ~ " / " ~ sqlmetrics.rank_discount("_rank", discount, 2)) }}
{%- endmacro %}
{% macro bigquery__repeated_gain(k, alpha, discount) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.range_sum("_rank", "1", "least(" ~ k ~ ", coalesce( 1 + CAST(-4e1" ~ real ~ " / nullif(ln(nullif(1e0" ~ real ~ " - " ~ sqlmetrics.literal(alpha) ~ ", 0e0" ~ real ~ ")), 0e0" ~ real ~ ") AS INT64), " ~ k ~ " ))", sqlmetrics.power("1e0" ~ real ~ " - " ~ sqlmetrics.literal(alpha), "_rank - 1") ~ " / " ~ sqlmetrics.rank_discount("_rank", discount, 2)) }}
{%- endmacro %}

{#- A column of a user's table or, if it is missing, an error that lists the columns. -#}
{% macro require_column(input, name, value, others) -%}
{{ value }}
{%- endmacro %}

{#- The number of documents with the same score; an error where it is unknown, as with judged_only and a depth. -#}
{% macro require_ties(num_tied) -%}
coalesce({{ num_tied }}, {{ sqlmetrics.error("'expected scores can use depth or judged_only, not both' || " ~ sqlmetrics.text(num_tied)) }})
{%- endmacro %}

{#- A column of a user's table as text or, if it is missing, an error that lists the columns. -#}
{% macro required_text(input, name, value, others) -%}
{{- adapter.dispatch('required_text', 'sqlmetrics')(input, name, value, others) -}}
{%- endmacro %}
{% macro default__required_text(input, name, value, others) -%}
(CAST({{ sqlmetrics.require_column(input, name, value, others) }} AS VARCHAR))
{%- endmacro %}
{% macro duckdb__required_text(input, name, value, others) -%}
(CAST({{ sqlmetrics.require_column(input, name, value, others) }} AS TEXT) COLLATE C)
{%- endmacro %}
{% macro spark__required_text(input, name, value, others) -%}
(CAST({{ sqlmetrics.require_column(input, name, value, others) }} AS STRING))
{%- endmacro %}
{% macro postgres__required_text(input, name, value, others) -%}
(CAST({{ sqlmetrics.require_column(input, name, value, others) }} AS TEXT) COLLATE "C")
{%- endmacro %}
{% macro sqlite__required_text(input, name, value, others) -%}
(CAST({{ sqlmetrics.require_column(input, name, value, others) }} AS TEXT) COLLATE BINARY)
{%- endmacro %}
{% macro bigquery__required_text(input, name, value, others) -%}
(CAST({{ sqlmetrics.require_column(input, name, value, others) }} AS STRING))
{%- endmacro %}

{#- The number of retrieved documents among the first k. -#}
{% macro retrieved_at(k, num_ret) -%}
CASE WHEN {{ sqlmetrics.literal(k) }} < {{ num_ret }} THEN {{ sqlmetrics.literal(k) }} ELSE {{ num_ret }} END
{%- endmacro %}

{#- The area of the ROC curve over one non-relevant document, in counts of relevant and non-relevant documents. Documents with the same score share a straight line. -#}
{% macro roc_area(j, width) -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN {{ width }} <= {{ j ~ '.false_positives_above' }}
    THEN 0e0{{ real }}
    WHEN {{ width }} >= {{ sqlmetrics.false_positives_by_score(j) }}
    THEN ({{ j ~ '.hits_above' }} + {{ sqlmetrics.hits_by_score(j) }}) / 2e0{{ real }}
    ELSE ({{ width }} - {{ j ~ '.false_positives_above' }}) / ({{ sqlmetrics.false_positives_by_score(j) }} - {{ j ~ '.false_positives_above' }}) * ({{ j ~ '.hits_above' }} + ({{ sqlmetrics.hits_by_score(j) }} - {{ j ~ '.hits_above' }}) * ({{ width }} - {{ j ~ '.false_positives_above' }}) / ({{ sqlmetrics.false_positives_by_score(j) }} - {{ j ~ '.false_positives_above' }}) / 2e0{{ real }})
END
{%- endmacro %}

{#- The cut-off rank of Rprec at a multiple of R. -#}
{% macro rprec_cutoff(num_rel, multiple) -%}
{%- set real = sqlmetrics.real() -%}
floor(1e0{{ real }} * {{ sqlmetrics.literal(multiple) }} * {{ num_rel }} + 9e-1{{ real }})
{%- endmacro %}

{#- How far a grade is above the lowest of the scale; 0 below it. -#}
{% macro scaled_grade(grade, min_rel, max_rel) -%}
{%- set real = sqlmetrics.real() -%}
{% if max_rel is not none and min_rel is not none and max_rel <= min_rel %}{{ exceptions.raise_compiler_error('max_rel ' ~ max_rel ~ ' must be above min_rel ' ~ min_rel) }}{% else %}CASE
    WHEN {{ sqlmetrics.within_scale(grade, sqlmetrics.literal(max_rel)) }} > {{ sqlmetrics.literal(min_rel) }}
    THEN 1e0{{ real }} * ({{ grade }} - {{ sqlmetrics.literal(min_rel) }})
    ELSE 0e0{{ real }}
END{% endif %}
{%- endmacro %}

{#- The sum of few numbers of any size, the same to the last digit whatever the order of rows. -#}
{% macro sorted_sum(x) -%}
sum({{ x }})
{%- endmacro %}

{#- The share of users, up to a factor, who stop at a relevant document. -#}
{% macro stop_weight(j, number, stop, stops, gamma) -%}
{%- set real = sqlmetrics.real() -%}
{% if stop == 'uniform' %}1e0{{ real }}{% elif stop == 'graded' %}{% if stops is none %}{{ j ~ '.own_gain' }}{% else %}{{ sqlmetrics.mapped_gain(j ~ '.relevance', stops) }}{% endif %}{% elif stop == 'rank-biased' %}({{ sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(gamma), number ~ " - 1") }}){% else %}NULL{% endif %}
{%- endmacro %}

{#- The sum over the stretches above one, in the order of the ranking. -#}
{% macro sum_above(s, x, highest=none) -%}
{%- set real = sqlmetrics.real() -%}
coalesce({{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed(x, highest) ~ ") OVER ( PARTITION BY " ~ s ~ '.run_id' ~ ", " ~ s ~ '.query_id' ~ " ORDER BY " ~ sqlmetrics.ascending(s ~ '.rank') ~ ", " ~ sqlmetrics.descending(s ~ '.opening') ~ " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )", highest) }}, 0e0{{ real }})
{%- endmacro %}

{#- A number that orders documents of the same score, lowest first; NULL leaves the order to their ids. -#}
{% macro tie_order(ties, listed_rank, input_place, relevance, doc_id) -%}
{{- adapter.dispatch('tie_order', 'sqlmetrics')(ties, listed_rank, input_place, relevance, doc_id) -}}
{%- endmacro %}
{% macro default__tie_order(ties, listed_rank, input_place, relevance, doc_id) -%}
{%- set real = sqlmetrics.real() -%}
{% if ties in ('descending', 'ascending',) %}CAST(NULL AS DOUBLE){% elif ties == 'input' %}{{ sqlmetrics.literal(input_place) }}{% elif ties == 'rank' %}coalesce({{ listed_rank }}, {{ sqlmetrics.error("'ties := ''rank'' needs a rank for every document; ' || " ~ sqlmetrics.text(doc_id) ~ " || ' has none'") }}){% elif ties == 'best' %}(-{{ relevance }}){% elif ties == 'worst' %}coalesce({{ relevance }}, -17e307{{ real }}){% else %}{{ exceptions.raise_compiler_error("ties must be 'descending', 'ascending', 'input', 'rank', 'best' or 'worst', not '" ~ ties ~ "'") }}{% endif %}
{%- endmacro %}
{% macro spark__tie_order(ties, listed_rank, input_place, relevance, doc_id) -%}
{%- set real = sqlmetrics.real() -%}
{% if ties in ('descending', 'ascending',) %}CAST(NULL AS DOUBLE){% elif ties == 'input' %}{{ sqlmetrics.literal(input_place) }}{% elif ties == 'rank' %}coalesce({{ listed_rank }}, {{ sqlmetrics.error("'ties := \'rank\' needs a rank for every document; ' || " ~ sqlmetrics.text(doc_id) ~ " || ' has none'") }}){% elif ties == 'best' %}(-{{ relevance }}){% elif ties == 'worst' %}coalesce({{ relevance }}, -17e307{{ real }}){% else %}{{ exceptions.raise_compiler_error("ties must be 'descending', 'ascending', 'input', 'rank', 'best' or 'worst', not '" ~ ties ~ "'") }}{% endif %}
{%- endmacro %}
{% macro postgres__tie_order(ties, listed_rank, input_place, relevance, doc_id) -%}
{%- set real = sqlmetrics.real() -%}
{% if ties in ('descending', 'ascending',) %}CAST(NULL AS DOUBLE PRECISION){% elif ties == 'input' %}{{ sqlmetrics.literal(input_place) }}{% elif ties == 'rank' %}coalesce({{ listed_rank }}, {{ sqlmetrics.error("'ties := ''rank'' needs a rank for every document; ' || " ~ sqlmetrics.text(doc_id) ~ " || ' has none'") }}){% elif ties == 'best' %}(-{{ relevance }}){% elif ties == 'worst' %}coalesce({{ relevance }}, -17e307{{ real }}){% else %}{{ exceptions.raise_compiler_error("ties must be 'descending', 'ascending', 'input', 'rank', 'best' or 'worst', not '" ~ ties ~ "'") }}{% endif %}
{%- endmacro %}
{% macro sqlite__tie_order(ties, listed_rank, input_place, relevance, doc_id) -%}
{%- set real = sqlmetrics.real() -%}
{% if ties in ('descending', 'ascending',) %}CAST(NULL AS REAL){% elif ties == 'input' %}{{ sqlmetrics.literal(input_place) }}{% elif ties == 'rank' %}coalesce({{ listed_rank }}, {{ sqlmetrics.error("'ties := ''rank'' needs a rank for every document; ' || " ~ sqlmetrics.text(doc_id) ~ " || ' has none'") }}){% elif ties == 'best' %}(-{{ relevance }}){% elif ties == 'worst' %}coalesce({{ relevance }}, -17e307{{ real }}){% else %}{{ exceptions.raise_compiler_error("ties must be 'descending', 'ascending', 'input', 'rank', 'best' or 'worst', not '" ~ ties ~ "'") }}{% endif %}
{%- endmacro %}
{% macro snowflake__tie_order(ties, listed_rank, input_place, relevance, doc_id) -%}
{%- set real = sqlmetrics.real() -%}
{% if ties in ('descending', 'ascending',) %}CAST(NULL AS DOUBLE){% elif ties == 'input' %}{{ sqlmetrics.literal(input_place) }}{% elif ties == 'rank' %}coalesce({{ listed_rank }}, {{ sqlmetrics.error("'ties := \'rank\' needs a rank for every document; ' || " ~ sqlmetrics.text(doc_id) ~ " || ' has none'") }}){% elif ties == 'best' %}(-{{ relevance }}){% elif ties == 'worst' %}coalesce({{ relevance }}, -17e307{{ real }}){% else %}{{ exceptions.raise_compiler_error("ties must be 'descending', 'ascending', 'input', 'rank', 'best' or 'worst', not '" ~ ties ~ "'") }}{% endif %}
{%- endmacro %}
{% macro bigquery__tie_order(ties, listed_rank, input_place, relevance, doc_id) -%}
{%- set real = sqlmetrics.real() -%}
{% if ties in ('descending', 'ascending',) %}CAST(NULL AS FLOAT64){% elif ties == 'input' %}{{ sqlmetrics.literal(input_place) }}{% elif ties == 'rank' %}coalesce({{ listed_rank }}, {{ sqlmetrics.error("'ties := \'rank\' needs a rank for every document; ' || " ~ sqlmetrics.text(doc_id) ~ " || ' has none'") }}){% elif ties == 'best' %}(-{{ relevance }}){% elif ties == 'worst' %}coalesce({{ relevance }}, -17e307{{ real }}){% else %}{{ exceptions.raise_compiler_error("ties must be 'descending', 'ascending', 'input', 'rank', 'best' or 'worst', not '" ~ ties ~ "'") }}{% endif %}
{%- endmacro %}

{#- True negatives: documents of the collection that are neither among the first k nor relevant. -#}
{% macro tn(j, k, corpus_size) -%}
{{ sqlmetrics.remaining(sqlmetrics.once_per_query(j, sqlmetrics.literal(corpus_size)), "(" ~ sqlmetrics.tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.fp(j, k) ~ " + " ~ sqlmetrics.fn(j, k) ~ ")") }}
{%- endmacro %}

{#- A number in whole multiples of a fixed unit, whose sums are the same in whatever order they are added. -#}
{% macro to_fixed(x, highest=65536) -%}
{{ x }}
{%- endmacro %}

{#- True positives: relevant documents among the first k. -#}
{% macro tp(j, k) -%}
sum(CASE WHEN {{ sqlmetrics.within_k(j ~ '.rank', k) }} THEN {{ j ~ '.relevant' }} ELSE 0 END)
{%- endmacro %}

{#- The probability that a user who is never satisfied looks at this rank. -#}
{% macro view_probability(rank, shape, x) -%}
{%- set real = sqlmetrics.real() -%}
{% if shape == 'endless' %}1e0{{ real }}{% elif shape == 'reciprocal' %}(1e0{{ real }} / {{ rank }}){% elif shape == 'log' %}(ln(2e0{{ real }}) / ln(1e0{{ real }} + {{ rank }})){% elif shape == 'geometric' %}({{ sqlmetrics.power("1e0" ~ real ~ " * " ~ x, rank ~ " - 1") }}){% elif shape == 'squared' %}((2e0{{ real }} * {{ x }} / ({{ rank }} - 1 + 2e0{{ real }} * {{ x }})) * (2e0{{ real }} * {{ x }} / ({{ rank }} - 1 + 2e0{{ real }} * {{ x }}))){% elif shape == 'linear' %}CASE
    WHEN {{ rank }} - 1 < {{ x }}
    THEN 1e0{{ real }} - 1e0{{ real }} * ({{ rank }} - 1) / {{ x }}
    ELSE 0e0{{ real }}
END{% elif shape == 'power' %}(({{ sqlmetrics.power("1e0" ~ real ~ " + " ~ rank, x) }} - {{ sqlmetrics.power("1e0" ~ real ~ " * " ~ rank, x) }}) / (power(2e0{{ real }}, {{ x }}) - 1e0{{ real }})){% else %}NULL{% endif %}
{%- endmacro %}

{#- The number of ranks from 1 to last seen by a user who is never satisfied. -#}
{% macro view_probability_sum(last, shape, x) -%}
{{ sqlmetrics.range_sum("_rank", "1", last, sqlmetrics.view_probability("_rank", shape, x)) }}
{%- endmacro %}

{#- Whether a document is among the first k. -#}
{% macro within_k(rank, k) -%}
({{ rank }} <= coalesce({{ k }}, {{ rank }}))
{%- endmacro %}

{#- The probability that a document is among the first k, if tied documents are in random order. -#}
{% macro within_k_chance(j, k) -%}
{{- adapter.dispatch('within_k_chance', 'sqlmetrics')(j, k) -}}
{%- endmacro %}
{% macro default__within_k_chance(j, k) -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN {{ j ~ '.first_rank' }} <= least({{ j ~ '.last_rank' }}, {{ k }})
    THEN 1e0{{ real }} * (least({{ j ~ '.last_rank' }}, {{ k }}) - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
    ELSE 0e0{{ real }}
END
{%- endmacro %}
{% macro sqlite__within_k_chance(j, k) -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN {{ j ~ '.first_rank' }} <= min({{ j ~ '.last_rank' }}, {{ k }})
    THEN 1e0{{ real }} * (min({{ j ~ '.last_rank' }}, {{ k }}) - {{ j ~ '.first_rank' }} + 1) / {{ sqlmetrics.require_ties(j ~ '.num_tied') }}
    ELSE 0e0{{ real }}
END
{%- endmacro %}

{#- The relevance itself, once it is known to be within the grade scale. -#}
{% macro within_scale(relevance, max_rel) -%}
CASE WHEN {{ relevance }} > {{ max_rel }} THEN {{ sqlmetrics.error("'relevance ' || " ~ sqlmetrics.text(relevance) ~ " || ' is above max_rel ' || " ~ sqlmetrics.text(max_rel)) }} ELSE {{ relevance }} END
{%- endmacro %}

{#- The exact nearest neighbours that are listed for each query, with their distances. -#}
{% macro exact_neighbours(exact) -%}
{{- adapter.dispatch('exact_neighbours', 'sqlmetrics')(exact) -}}
{%- endmacro %}
{% macro default__exact_neighbours(exact) -%}
(
SELECT
    CAST(_n.query_id AS VARCHAR) AS query_id,
    CAST(_n.doc_id AS VARCHAR) AS doc_id,
    CAST(_n.distance AS DOUBLE) AS distance
FROM {{ exact }} AS _n
)
{%- endmacro %}
{% macro duckdb__exact_neighbours(exact) -%}
(
SELECT
    CAST(_n.query_id AS TEXT) COLLATE C AS query_id,
    CAST(_n.doc_id AS TEXT) COLLATE C AS doc_id,
    CAST(_n.distance AS DOUBLE) AS distance
FROM {{ exact }} AS _n
)
{%- endmacro %}
{% macro spark__exact_neighbours(exact) -%}
(
SELECT
    CAST(_n.query_id AS STRING) AS query_id,
    CAST(_n.doc_id AS STRING) AS doc_id,
    CAST(_n.distance AS DOUBLE) AS distance
FROM {{ exact }} AS _n
)
{%- endmacro %}
{% macro postgres__exact_neighbours(exact) -%}
(
SELECT
    CAST(_n.query_id AS TEXT) COLLATE "C" AS query_id,
    CAST(_n.doc_id AS TEXT) COLLATE "C" AS doc_id,
    CAST(_n.distance AS DOUBLE PRECISION) AS distance
FROM {{ exact }} AS _n
)
{%- endmacro %}
{% macro sqlite__exact_neighbours(exact) -%}
(
SELECT
    CAST(_n.query_id AS TEXT) COLLATE BINARY AS query_id,
    CAST(_n.doc_id AS TEXT) COLLATE BINARY AS doc_id,
    CAST(_n.distance AS REAL) AS distance
FROM {{ exact }} AS _n
)
{%- endmacro %}
{% macro bigquery__exact_neighbours(exact) -%}
(
SELECT
    CAST(_n.query_id AS STRING) AS query_id,
    CAST(_n.doc_id AS STRING) AS doc_id,
    CAST(_n.distance AS FLOAT64) AS distance
FROM {{ exact }} AS _n
)
{%- endmacro %}

{#- The relevant documents of each query in greedy order: the next is the one that gains most given those above it. -#}
{% macro greedy_ranking(subtopics, alpha) -%}
{{ sqlmetrics.refuse('greedy_ranking', "it does not support recursive queries over arrays") }}
{%- endmacro %}

{#- The stretches, with the probability that an IFT user continues past each and the number of its ranks seen, without lists: by sums of logarithms. -#}
{% macro ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) -%}
{{- adapter.dispatch('ift_stretches', 'sqlmetrics')(cwl_stretches, T, b1, R1, A, b2, R2) -}}
{%- endmacro %}
{% macro default__ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _c.*,
    CASE
        WHEN _c.until < _c.rank
        THEN 1e0{{ real }}
        ELSE CASE WHEN _c.wanting = 0e0{{ real }} THEN 0e0{{ real }} ELSE {{ sqlmetrics.exp(sqlmetrics.range_sum("_i", "_c.rank", "_c.seen_until", "ln(" ~ sqlmetrics.ift_step("_i", "_c.gained", "_c.wanting", A, b2, R2) ~ ")")) }} END
    END AS passed,
    CASE
        WHEN _c.until < _c.rank
        THEN 0e0{{ real }}
        ELSE CASE
            WHEN _c.wanting = 0e0{{ real }}
            THEN 1e0{{ real }}
            ELSE 1e0{{ real }} + coalesce({{ sqlmetrics.range_sum("_last", "_c.rank", "_c.seen_until - 1", sqlmetrics.exp(sqlmetrics.range_sum("_i", "_c.rank", "_last", "ln(" ~ sqlmetrics.ift_step("_i", "_c.gained", "_c.wanting", A, b2, R2) ~ ")"))) }}, 0e0{{ real }})
        END
    END AS span
FROM (
    SELECT
        _w.*,
        least(_w.until, coalesce(
            _w.rank + CAST(-46e0{{ real }} / nullif(
                ln(nullif(greatest(_w.first_step, _w.last_step), 0e0{{ real }})),
                0e0{{ real }}
            ) AS BIGINT),
            _w.until
        )) AS seen_until /* ranks that fewer than one user in 10^20 reaches are left out */
    FROM (
        SELECT
            _v.*,
            {{ sqlmetrics.ift_step("_v.rank", "_v.gained", "_v.wanting", A, b2, R2) }} AS first_step,
            {{ sqlmetrics.ift_step("greatest(_v.rank, _v.until)", "_v.gained", "_v.wanting", A, b2, R2) }} AS last_step
        FROM (
            SELECT
                _s.*,
                coalesce(
                    1e0{{ real }} - 1e0{{ real }} / (1e0{{ real }} + {{ sqlmetrics.literal(b1) }} * {{ sqlmetrics.exp("1e0" ~ real ~ " * " ~ sqlmetrics.literal(R1) ~ " * (" ~ sqlmetrics.literal(T) ~ " - _s.gained)") }}),
                    1e0{{ real }}
                ) AS wanting
            FROM {{ cwl_stretches }} AS _s
        ) AS _v
    ) AS _w
) AS _c
)
{%- endmacro %}
{% macro sqlite__ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _c.*,
    CASE
        WHEN _c.until < _c.rank
        THEN 1e0{{ real }}
        ELSE CASE WHEN _c.wanting = 0e0{{ real }} THEN 0e0{{ real }} ELSE {{ sqlmetrics.exp(sqlmetrics.range_sum("_i", "_c.rank", "_c.seen_until", "ln(" ~ sqlmetrics.ift_step("_i", "_c.gained", "_c.wanting", A, b2, R2) ~ ")")) }} END
    END AS passed,
    CASE
        WHEN _c.until < _c.rank
        THEN 0e0{{ real }}
        ELSE CASE
            WHEN _c.wanting = 0e0{{ real }}
            THEN 1e0{{ real }}
            ELSE 1e0{{ real }} + coalesce({{ sqlmetrics.range_sum("_last", "_c.rank", "_c.seen_until - 1", sqlmetrics.exp(sqlmetrics.range_sum("_i", "_c.rank", "_last", "ln(" ~ sqlmetrics.ift_step("_i", "_c.gained", "_c.wanting", A, b2, R2) ~ ")"))) }}, 0e0{{ real }})
        END
    END AS span
FROM (
    SELECT
        _w.*,
        min(_w.until, coalesce(
            _w.rank + CAST(-46e0{{ real }} / nullif(ln(nullif(max(_w.first_step, _w.last_step), 0e0{{ real }})), 0e0{{ real }}) AS INTEGER),
            _w.until
        )) AS seen_until /* ranks that fewer than one user in 10^20 reaches are left out */
    FROM (
        SELECT
            _v.*,
            {{ sqlmetrics.ift_step("_v.rank", "_v.gained", "_v.wanting", A, b2, R2) }} AS first_step,
            {{ sqlmetrics.ift_step("max(_v.rank, _v.until)", "_v.gained", "_v.wanting", A, b2, R2) }} AS last_step
        FROM (
            SELECT
                _s.*,
                coalesce(
                    1e0{{ real }} - 1e0{{ real }} / (1e0{{ real }} + {{ sqlmetrics.literal(b1) }} * {{ sqlmetrics.exp("1e0" ~ real ~ " * " ~ sqlmetrics.literal(R1) ~ " * (" ~ sqlmetrics.literal(T) ~ " - _s.gained)") }}),
                    1e0{{ real }}
                ) AS wanting
            FROM {{ cwl_stretches }} AS _s
        ) AS _v
    ) AS _w
) AS _c
)
{%- endmacro %}
{% macro bigquery__ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _c.*,
    CASE
        WHEN _c.until < _c.rank
        THEN 1e0{{ real }}
        ELSE CASE WHEN _c.wanting = 0e0{{ real }} THEN 0e0{{ real }} ELSE {{ sqlmetrics.exp(sqlmetrics.range_sum("_i", "_c.rank", "_c.seen_until", "ln(" ~ sqlmetrics.ift_step("_i", "_c.gained", "_c.wanting", A, b2, R2) ~ ")")) }} END
    END AS passed,
    CASE
        WHEN _c.until < _c.rank
        THEN 0e0{{ real }}
        ELSE CASE
            WHEN _c.wanting = 0e0{{ real }}
            THEN 1e0{{ real }}
            ELSE 1e0{{ real }} + coalesce({{ sqlmetrics.range_sum("_last", "_c.rank", "_c.seen_until - 1", sqlmetrics.exp(sqlmetrics.range_sum("_i", "_c.rank", "_last", "ln(" ~ sqlmetrics.ift_step("_i", "_c.gained", "_c.wanting", A, b2, R2) ~ ")"))) }}, 0e0{{ real }})
        END
    END AS span
FROM (
    SELECT
        _w.*,
        least(_w.until, coalesce(
            _w.rank + CAST(-46e0{{ real }} / nullif(
                ln(nullif(greatest(_w.first_step, _w.last_step), 0e0{{ real }})),
                0e0{{ real }}
            ) AS INT64),
            _w.until
        )) AS seen_until /* ranks that fewer than one user in 10^20 reaches are left out */
    FROM (
        SELECT
            _v.*,
            {{ sqlmetrics.ift_step("_v.rank", "_v.gained", "_v.wanting", A, b2, R2) }} AS first_step,
            {{ sqlmetrics.ift_step("greatest(_v.rank, _v.until)", "_v.gained", "_v.wanting", A, b2, R2) }} AS last_step
        FROM (
            SELECT
                _s.*,
                coalesce(
                    1e0{{ real }} - 1e0{{ real }} / (1e0{{ real }} + {{ sqlmetrics.literal(b1) }} * {{ sqlmetrics.exp("1e0" ~ real ~ " * " ~ sqlmetrics.literal(R1) ~ " * (" ~ sqlmetrics.literal(T) ~ " - _s.gained)") }}),
                    1e0{{ real }}
                ) AS wanting
            FROM {{ cwl_stretches }} AS _s
        ) AS _v
    ) AS _w
) AS _c
)
{%- endmacro %}

{#- What users had before: which user had which item. -#}
{% macro interactions(history) -%}
(
SELECT
    {{ sqlmetrics.required_text('history', 'query_id', "_h.query_id", "_h._columns") }} AS query_id,
    {{ sqlmetrics.required_text('history', 'doc_id', "_h.doc_id", "_h._columns") }} AS doc_id
FROM {{ history }} AS _h
)
{%- endmacro %}

{#- The categories of each item, and what part of the item each of them has. -#}
{% macro item_categories(items) -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _c.doc_id,
    _c.category,
    1e0{{ real }} / count(*) OVER (PARTITION BY _c.doc_id) AS part
FROM (
    SELECT DISTINCT
        _i.doc_id,
        _i.category
    FROM {{ sqlmetrics.listed_categories(items) }} AS _i
    WHERE
        _i.category IS NOT NULL
) AS _c
)
{%- endmacro %}

{#- The vector of each item, of length 1, by dimension. -#}
{% macro item_features(items) -%}
{{- adapter.dispatch('item_features', 'sqlmetrics')(items) -}}
{%- endmacro %}
{% macro default__item_features(items) -%}
{{ sqlmetrics.refuse('item_features', "it does not support lambda functions over arrays") }}
{%- endmacro %}
{% macro duckdb__item_features(items) -%}
(
SELECT
    _v.doc_id,
    unnest(range(0, length(_v.features))) AS dimension,
    unnest(list_transform(_v.features, LAMBDA _x : _x / _v.length)) AS value
FROM (
    SELECT DISTINCT
        _i.doc_id,
        _i.features,
        sqrt(list_inner_product(_i.features, _i.features)) AS length
    FROM {{ sqlmetrics.listed_features(items) }} AS _i
    WHERE
        _i.features IS NOT NULL
) AS _v
WHERE
    _v.length > 0
)
{%- endmacro %}

{#- The groups of each item, what part of the item each of them has, and how many items of the catalogue. -#}
{% macro item_groups(items) -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _p.doc_id,
    _p.group_id,
    _p.part,
    sum(_p.part) OVER (PARTITION BY _p.group_id) AS num_items
FROM (
    SELECT
        _g.doc_id,
        _g.group_id,
        1e0{{ real }} / count(*) OVER (PARTITION BY _g.doc_id) AS part
    FROM (
        SELECT DISTINCT
            _i.doc_id,
            _i.group_id
        FROM {{ sqlmetrics.listed_groups(items) }} AS _i
        WHERE
            _i.group_id IS NOT NULL
    ) AS _g
) AS _p
)
{%- endmacro %}

{#- The judgments: how relevant each document is to a query. -#}
{% macro judgments(qrels) -%}
{{- adapter.dispatch('judgments', 'sqlmetrics')(qrels) -}}
{%- endmacro %}
{% macro default__judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS VARCHAR) AS query_id,
    CAST(_q.doc_id AS VARCHAR) AS doc_id,
    CAST(_q.relevance AS DOUBLE) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}
{% macro duckdb__judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS TEXT) COLLATE C AS query_id, /* ids are compared as bytes, whatever the default collation of the database */
    CAST(_q.doc_id AS TEXT) COLLATE C AS doc_id,
    CAST(_q.relevance AS DOUBLE) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}
{% macro spark__judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS STRING) AS query_id,
    CAST(_q.doc_id AS STRING) AS doc_id,
    CAST(_q.relevance AS DOUBLE) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}
{% macro postgres__judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS TEXT) COLLATE "C" AS query_id, /* ids are compared as bytes, whatever the default collation of the database */
    CAST(_q.doc_id AS TEXT) COLLATE "C" AS doc_id,
    CAST(_q.relevance AS DOUBLE PRECISION) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}
{% macro sqlite__judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS TEXT) COLLATE BINARY AS query_id, /* ids are compared as bytes, whatever the default collation of the database */
    CAST(_q.doc_id AS TEXT) COLLATE BINARY AS doc_id,
    CAST(_q.relevance AS REAL) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}
{% macro bigquery__judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS STRING) AS query_id,
    CAST(_q.doc_id AS STRING) AS doc_id,
    CAST(_q.relevance AS FLOAT64) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}

{#- The judged documents of a query, each once, with their highest relevance to any subtopic. -#}
{% macro judgments_once(qrels) -%}
(
SELECT
    _q.query_id,
    _q.doc_id,
    max(_q.relevance) AS relevance
FROM {{ sqlmetrics.judgments(qrels) }} AS _q
GROUP BY
    _q.query_id,
    _q.doc_id
)
{%- endmacro %}

{#- The items that could be recommended, with their categories. -#}
{% macro listed_categories(items) -%}
(
WITH _given AS (
    SELECT
        {{ sqlmetrics.required_text('items', 'doc_id', "_i.doc_id", "_i._columns") }} AS doc_id,
        {{ sqlmetrics.require_column('items', 'category', "_i.category", "_i._columns") }} AS value
    FROM {{ items }} AS _i
)
SELECT
    _v.doc_id,
    _v.value AS category
FROM {{ sqlmetrics.split_values('_given') }} AS _v
)
{%- endmacro %}

{#- The items that could be recommended, with their vectors. -#}
{% macro listed_features(items) -%}
{{- adapter.dispatch('listed_features', 'sqlmetrics')(items) -}}
{%- endmacro %}
{% macro default__listed_features(items) -%}
(
SELECT
    {{ sqlmetrics.required_text('items', 'doc_id', "_i.doc_id", "_i._columns") }} AS doc_id,
    TRY_CAST({{ sqlmetrics.require_column('items', 'features', "_i.features", "_i._columns") }} AS ARRAY(DOUBLE)) AS features,
    nullif(CAST(_i.features AS VARCHAR), '') AS given
FROM {{ items }} AS _i
)
{%- endmacro %}
{% macro duckdb__listed_features(items) -%}
(
SELECT
    {{ sqlmetrics.required_text('items', 'doc_id', "_i.doc_id", "_i._columns") }} AS doc_id,
    TRY_CAST({{ sqlmetrics.require_column('items', 'features', "_i.features", "_i._columns") }} AS DOUBLE[]) AS features,
    nullif(CAST(_i.features AS TEXT), '') AS given
FROM {{ items }} AS _i
)
{%- endmacro %}
{% macro spark__listed_features(items) -%}
(
SELECT
    {{ sqlmetrics.required_text('items', 'doc_id', "_i.doc_id", "_i._columns") }} AS doc_id,
    TRY_CAST({{ sqlmetrics.require_column('items', 'features', "_i.features", "_i._columns") }} AS ARRAY<DOUBLE>) AS features,
    nullif(CAST(_i.features AS STRING), '') AS given
FROM {{ items }} AS _i
)
{%- endmacro %}
{% macro postgres__listed_features(items) -%}
(
SELECT
    {{ sqlmetrics.required_text('items', 'doc_id', "_i.doc_id", "_i._columns") }} AS doc_id,
    CAST({{ sqlmetrics.require_column('items', 'features', "_i.features", "_i._columns") }} AS DOUBLE PRECISION[]) AS features,
    nullif(CAST(_i.features AS TEXT), '') AS given
FROM {{ items }} AS _i
)
{%- endmacro %}
{% macro sqlite__listed_features(items) -%}
(
SELECT
    {{ sqlmetrics.required_text('items', 'doc_id', "_i.doc_id", "_i._columns") }} AS doc_id,
    CAST({{ sqlmetrics.require_column('items', 'features', "_i.features", "_i._columns") }} AS ARRAY<REAL>) AS features,
    nullif(CAST(_i.features AS TEXT), '') AS given
FROM {{ items }} AS _i
)
{%- endmacro %}
{% macro snowflake__listed_features(items) -%}
(
SELECT
    {{ sqlmetrics.required_text('items', 'doc_id', "_i.doc_id", "_i._columns") }} AS doc_id,
    CAST({{ sqlmetrics.require_column('items', 'features', "_i.features", "_i._columns") }} AS ARRAY(DOUBLE)) AS features,
    nullif(CAST(_i.features AS VARCHAR), '') AS given
FROM {{ items }} AS _i
)
{%- endmacro %}
{% macro bigquery__listed_features(items) -%}
(
SELECT
    {{ sqlmetrics.required_text('items', 'doc_id', "_i.doc_id", "_i._columns") }} AS doc_id,
    SAFE_CAST({{ sqlmetrics.require_column('items', 'features', "_i.features", "_i._columns") }} AS ARRAY<FLOAT64>) AS features,
    nullif(CAST(_i.features AS STRING), '') AS given
FROM {{ items }} AS _i
)
{%- endmacro %}

{#- The items that could be recommended, with their groups. -#}
{% macro listed_groups(items) -%}
(
WITH _given AS (
    SELECT
        {{ sqlmetrics.required_text('items', 'doc_id', "_i.doc_id", "_i._columns") }} AS doc_id,
        {{ sqlmetrics.require_column('items', 'group_id', "_i.group_id", "_i._columns") }} AS value
    FROM {{ items }} AS _i
)
SELECT
    _v.doc_id,
    _v.value AS group_id
FROM {{ sqlmetrics.split_values('_given') }} AS _v
)
{%- endmacro %}

{#- The items that could be recommended, as often as the table has them. -#}
{% macro listed_items(items) -%}
(
SELECT
    {{ sqlmetrics.required_text('items', 'doc_id', "_i.doc_id", "_i._columns") }} AS doc_id
FROM {{ items }} AS _i
)
{%- endmacro %}

{#- The neighbours that are listed for each query, with their distances. -#}
{% macro neighbour_lists(neighbours) -%}
{{- adapter.dispatch('neighbour_lists', 'sqlmetrics')(neighbours) -}}
{%- endmacro %}
{% macro default__neighbour_lists(neighbours) -%}
(
SELECT
    coalesce(CAST(_n.run_id AS VARCHAR), 'run') AS run_id,
    CAST(_n.query_id AS VARCHAR) AS query_id,
    CAST(_n.doc_id AS VARCHAR) AS doc_id,
    CAST(_n.distance AS DOUBLE) AS distance,
    CAST(NULL AS DOUBLE) AS listed_rank
FROM {{ neighbours }} AS _n
)
{%- endmacro %}
{% macro duckdb__neighbour_lists(neighbours) -%}
(
SELECT
    coalesce(CAST(_n.run_id AS TEXT), 'run') COLLATE C AS run_id,
    CAST(_n.query_id AS TEXT) COLLATE C AS query_id,
    CAST(_n.doc_id AS TEXT) COLLATE C AS doc_id,
    CAST(_n.distance AS DOUBLE) AS distance,
    CAST(NULL AS DOUBLE) AS listed_rank
FROM {{ neighbours }} AS _n
)
{%- endmacro %}
{% macro spark__neighbour_lists(neighbours) -%}
(
SELECT
    coalesce(CAST(_n.run_id AS STRING), 'run') AS run_id,
    CAST(_n.query_id AS STRING) AS query_id,
    CAST(_n.doc_id AS STRING) AS doc_id,
    CAST(_n.distance AS DOUBLE) AS distance,
    CAST(NULL AS DOUBLE) AS listed_rank
FROM {{ neighbours }} AS _n
)
{%- endmacro %}
{% macro postgres__neighbour_lists(neighbours) -%}
(
SELECT
    coalesce(CAST(_n.run_id AS TEXT), 'run') COLLATE "C" AS run_id,
    CAST(_n.query_id AS TEXT) COLLATE "C" AS query_id,
    CAST(_n.doc_id AS TEXT) COLLATE "C" AS doc_id,
    CAST(_n.distance AS DOUBLE PRECISION) AS distance,
    CAST(NULL AS DOUBLE PRECISION) AS listed_rank
FROM {{ neighbours }} AS _n
)
{%- endmacro %}
{% macro sqlite__neighbour_lists(neighbours) -%}
(
SELECT
    coalesce(CAST(_n.run_id AS TEXT), 'run') COLLATE BINARY AS run_id,
    CAST(_n.query_id AS TEXT) COLLATE BINARY AS query_id,
    CAST(_n.doc_id AS TEXT) COLLATE BINARY AS doc_id,
    CAST(_n.distance AS REAL) AS distance,
    CAST(NULL AS REAL) AS listed_rank
FROM {{ neighbours }} AS _n
)
{%- endmacro %}
{% macro bigquery__neighbour_lists(neighbours) -%}
(
SELECT
    coalesce(CAST(_n.run_id AS STRING), 'run') AS run_id,
    CAST(_n.query_id AS STRING) AS query_id,
    CAST(_n.doc_id AS STRING) AS doc_id,
    CAST(_n.distance AS FLOAT64) AS distance,
    CAST(NULL AS FLOAT64) AS listed_rank
FROM {{ neighbours }} AS _n
)
{%- endmacro %}

{#- The judgments next to every run, with the rank that the run gave each document. -#}
{% macro ranked(qrels, run, ties='descending') -%}
(
SELECT
    _u.run_id,
    _q.query_id,
    _q.doc_id,
    _q.relevance,
    _r.rank,
    _r.first_rank,
    _r.num_tied,
    coalesce(_n.num_ret, 0) AS num_ret
FROM {{ sqlmetrics.judgments(qrels) }} AS _q
CROSS JOIN (
    SELECT DISTINCT
        _d.run_id
    FROM {{ sqlmetrics.retrieved(run) }} AS _d
) AS _u
LEFT JOIN (
    SELECT
        _o.run_id,
        _o.query_id,
        _o.doc_id,
        row_number() OVER (
            PARTITION BY _o.run_id, _o.query_id
            ORDER BY {{ sqlmetrics.descending("_o.score") }}, {{ sqlmetrics.ascending("_o.id_order") }}, {{ sqlmetrics.ascending("_o.tie_order") }}, {{ sqlmetrics.descending("_o.doc_id") }}
        ) AS rank,
        rank() OVER (PARTITION BY _o.run_id, _o.query_id ORDER BY {{ sqlmetrics.descending("_o.score") }}) AS first_rank,
        count(*) OVER (
            PARTITION BY _o.run_id, _o.query_id
            ORDER BY {{ sqlmetrics.descending("_o.score") }}
            RANGE BETWEEN CURRENT ROW AND CURRENT ROW
        ) AS num_tied
    FROM {{ sqlmetrics.retrieved_ordered(qrels, run, ties) }} AS _o
) AS _r
    ON _u.run_id = _r.run_id AND _q.query_id = _r.query_id AND _q.doc_id = _r.doc_id
LEFT JOIN (
    SELECT
        _d.run_id,
        _d.query_id,
        count(*) AS num_ret
    FROM {{ sqlmetrics.retrieved(run) }} AS _d
    GROUP BY
        _d.run_id,
        _d.query_id
) AS _n
    ON _u.run_id = _n.run_id AND _q.query_id = _n.query_id
)
{%- endmacro %}

{#- The ranks from 1 to k. -#}
{% macro ranks_to(k) -%}
{{- adapter.dispatch('ranks_to', 'sqlmetrics')(k) -}}
{%- endmacro %}
{% macro default__ranks_to(k) -%}
(
SELECT
    _r.rank
FROM UNNEST(sequence(1, {{ sqlmetrics.literal(k) }})) AS _r (rank)
)
{%- endmacro %}
{% macro duckdb__ranks_to(k) -%}
(
SELECT
    _r.rank
FROM range(1, {{ sqlmetrics.literal(k) }} + 1) AS _r (rank)
)
{%- endmacro %}
{% macro spark__ranks_to(k) -%}
(
SELECT
    _r.rank
FROM (SELECT explode(sequence(1, {{ sqlmetrics.literal(k) }})) AS rank) AS _r
)
{%- endmacro %}
{% macro postgres__ranks_to(k) -%}
(
SELECT
    _r.rank
FROM generate_series(1, {{ sqlmetrics.literal(k) }}) AS _r (rank)
)
{%- endmacro %}
{% macro sqlite__ranks_to(k) -%}
(
SELECT
    _r.rank
FROM (WITH RECURSIVE _r (rank) AS (SELECT 1 UNION ALL SELECT rank + 1 FROM _r WHERE rank < {{ sqlmetrics.literal(k) }}) SELECT rank FROM _r) AS _r
)
{%- endmacro %}
{% macro snowflake__ranks_to(k) -%}
{{ sqlmetrics.refuse('ranks_to', "it does not support tables of numbers such as generate_series") }}
{%- endmacro %}
{% macro bigquery__ranks_to(k) -%}
(
SELECT
    _r.rank
FROM (SELECT rank FROM UNNEST(GENERATE_ARRAY(1, {{ sqlmetrics.literal(k) }})) AS rank) AS _r
)
{%- endmacro %}

{#- The documents that each run retrieved for each query. -#}
{% macro retrieved(run, by_rank=false) -%}
{{- adapter.dispatch('retrieved', 'sqlmetrics')(run, by_rank) -}}
{%- endmacro %}
{% macro default__retrieved(run, by_rank) -%}
(
SELECT
    coalesce(CAST(_r.run_id AS VARCHAR), 'run') AS run_id,
    CAST(_r.query_id AS VARCHAR) AS query_id,
    CAST(_r.doc_id AS VARCHAR) AS doc_id,
    {{ sqlmetrics.exact_score("_r.score") }} AS score,
    {% if by_rank %}CAST(_r.rank AS DOUBLE){% else %}NULL{% endif %} AS listed_rank
FROM {{ run }} AS _r
)
{%- endmacro %}
{% macro duckdb__retrieved(run, by_rank) -%}
(
SELECT
    coalesce(CAST(_r.run_id AS TEXT), 'run') COLLATE C AS run_id,
    CAST(_r.query_id AS TEXT) COLLATE C AS query_id,
    CAST(_r.doc_id AS TEXT) COLLATE C AS doc_id,
    {{ sqlmetrics.exact_score("_r.score") }} AS score,
    {% if by_rank %}CAST(_r.rank AS DOUBLE){% else %}NULL{% endif %} AS listed_rank
FROM {{ run }} AS _r
)
{%- endmacro %}
{% macro spark__retrieved(run, by_rank) -%}
(
SELECT
    coalesce(CAST(_r.run_id AS STRING), 'run') AS run_id,
    CAST(_r.query_id AS STRING) AS query_id,
    CAST(_r.doc_id AS STRING) AS doc_id,
    {{ sqlmetrics.exact_score("_r.score") }} AS score,
    {% if by_rank %}CAST(_r.rank AS DOUBLE){% else %}NULL{% endif %} AS listed_rank
FROM {{ run }} AS _r
)
{%- endmacro %}
{% macro postgres__retrieved(run, by_rank) -%}
(
SELECT
    coalesce(CAST(_r.run_id AS TEXT), 'run') COLLATE "C" AS run_id,
    CAST(_r.query_id AS TEXT) COLLATE "C" AS query_id,
    CAST(_r.doc_id AS TEXT) COLLATE "C" AS doc_id,
    {{ sqlmetrics.exact_score("_r.score") }} AS score,
    {% if by_rank %}CAST(_r.rank AS DOUBLE PRECISION){% else %}NULL{% endif %} AS listed_rank
FROM {{ run }} AS _r
)
{%- endmacro %}
{% macro sqlite__retrieved(run, by_rank) -%}
(
SELECT
    coalesce(CAST(_r.run_id AS TEXT), 'run') COLLATE BINARY AS run_id,
    CAST(_r.query_id AS TEXT) COLLATE BINARY AS query_id,
    CAST(_r.doc_id AS TEXT) COLLATE BINARY AS doc_id,
    {{ sqlmetrics.exact_score("_r.score") }} AS score,
    {% if by_rank %}CAST(_r.rank AS REAL){% else %}NULL{% endif %} AS listed_rank
FROM {{ run }} AS _r
)
{%- endmacro %}
{% macro bigquery__retrieved(run, by_rank) -%}
(
SELECT
    coalesce(CAST(_r.run_id AS STRING), 'run') AS run_id,
    CAST(_r.query_id AS STRING) AS query_id,
    CAST(_r.doc_id AS STRING) AS doc_id,
    {{ sqlmetrics.exact_score("_r.score") }} AS score,
    {% if by_rank %}CAST(_r.rank AS FLOAT64){% else %}NULL{% endif %} AS listed_rank
FROM {{ run }} AS _r
)
{%- endmacro %}

{#- The retrieved documents with the keys that order documents of the same score. -#}
{% macro retrieved_ordered(qrels, run, ties='descending') -%}
(
SELECT
    _p.run_id,
    _p.query_id,
    _p.doc_id,
    _p.score,
    {% if ties == 'ascending' %}_p.doc_id{% else %}NULL{% endif %} AS id_order,
    {% if ties == 'input' %}{{ exceptions.raise_compiler_error("ties must be 'descending', 'ascending', 'rank', 'best' or 'worst'") }}{% else %}{{ sqlmetrics.tie_order(ties, "_p.listed_rank", 0, "_j.relevance", "_p.doc_id") }}{% endif %} AS tie_order
FROM {{ sqlmetrics.retrieved(run, by_rank=ties == 'rank') }} AS _p
LEFT JOIN (
    SELECT
        _q.query_id,
        _q.doc_id,
        _q.relevance
    FROM {{ sqlmetrics.judgments(qrels) }} AS _q
    WHERE
        {{ sqlmetrics.literal(ties) }} IN ('best', 'worst')
) AS _j
    ON _p.query_id = _j.query_id AND _p.doc_id = _j.doc_id
)
{%- endmacro %}

{#- The documents that a log of clicks says were shown, one row each, and the pages that had none. -#}
{% macro shown(log) -%}
(
SELECT
    _l.*
FROM {{ log }} AS _l
)
{%- endmacro %}

{#- The values of each item: those that a cell has between bars, one row each, without lists. -#}
{% macro split_values(listed) -%}
{{- adapter.dispatch('split_values', 'sqlmetrics')(listed) -}}
{%- endmacro %}
{% macro default__split_values(listed) -%}
(
WITH _digits AS (
    SELECT
        _n.digit
    FROM (
        SELECT
            0 AS digit
        UNION ALL
        SELECT
            1 AS digit
        UNION ALL
        SELECT
            2 AS digit
        UNION ALL
        SELECT
            3 AS digit
        UNION ALL
        SELECT
            4 AS digit
        UNION ALL
        SELECT
            5 AS digit
        UNION ALL
        SELECT
            6 AS digit
        UNION ALL
        SELECT
            7 AS digit
        UNION ALL
        SELECT
            8 AS digit
        UNION ALL
        SELECT
            9 AS digit
    ) AS _n
)
SELECT
    _v.doc_id,
    nullif(trim(_v.value), '') AS value
FROM (
    SELECT
        _l.doc_id,
        CAST(_l.value AS VARCHAR) AS value
    FROM {{ listed }} AS _l
    WHERE
        coalesce(strpos(CAST(_l.value AS VARCHAR), '|'), 0) = 0
    UNION ALL
    SELECT
        _s.doc_id,
        CASE
            WHEN length(_s.value) > 250
            THEN CAST({{ sqlmetrics.error("'item ' || " ~ sqlmetrics.text("_s.doc_id") ~ " || ' has a cell of several values with more than 250 characters'") }} AS VARCHAR)
            ELSE substr(
                _s.value,
                _s.place,
                strpos(concat(CAST(substr(_s.value, _s.place) AS VARCHAR), CAST('|' AS VARCHAR)), '|') - 1
            )
        END AS value
    FROM (
        SELECT
            _l.doc_id,
            CAST(_l.value AS VARCHAR) AS value,
            1 /* where an engine counts bytes, a character may take four of them */ + _a.digit + 10 * _b.digit + 100 * _c.digit AS place
        FROM {{ listed }} AS _l
        CROSS JOIN _digits AS _c
        CROSS JOIN _digits AS _b
        CROSS JOIN _digits AS _a
        WHERE
            strpos(CAST(_l.value AS VARCHAR), '|') > 0
            AND 100 * _c.digit < 4 * length(CAST(_l.value AS VARCHAR))
            AND 100 * _c.digit + 10 * _b.digit < 4 * length(CAST(_l.value AS VARCHAR))
    ) AS _s
    WHERE
        substr(concat(CAST('|' AS VARCHAR), CAST(_s.value AS VARCHAR)), _s.place, 1) = '|'
) AS _v
)
{%- endmacro %}
{% macro duckdb__split_values(listed) -%}
(
WITH _digits AS (
    SELECT
        _n.digit
    FROM (VALUES
        (0),
        (1),
        (2),
        (3),
        (4),
        (5),
        (6),
        (7),
        (8),
        (9)) AS _n(digit)
)
SELECT
    _v.doc_id,
    nullif(trim(_v.value), '') COLLATE C AS value
FROM (
    SELECT
        _l.doc_id,
        CAST(_l.value AS TEXT) AS value
    FROM {{ listed }} AS _l
    WHERE
        coalesce(strpos(CAST(_l.value AS TEXT), '|'), 0) = 0
    UNION ALL
    SELECT
        _s.doc_id,
        CASE
            WHEN length(_s.value) > 250
            THEN CAST({{ sqlmetrics.error("'item ' || " ~ sqlmetrics.text("_s.doc_id") ~ " || ' has a cell of several values with more than 250 characters'") }} AS TEXT)
            ELSE substring(_s.value, _s.place, strpos(substring(_s.value, _s.place) || '|', '|') - 1)
        END AS value
    FROM (
        SELECT
            _l.doc_id,
            CAST(_l.value AS TEXT) AS value,
            1 /* where an engine counts bytes, a character may take four of them */ + _a.digit + 10 * _b.digit + 100 * _c.digit AS place
        FROM {{ listed }} AS _l
        CROSS JOIN _digits AS _c
        CROSS JOIN _digits AS _b
        CROSS JOIN _digits AS _a
        WHERE
            strpos(CAST(_l.value AS TEXT), '|') > 0
            AND 100 * _c.digit < 4 * length(CAST(_l.value AS TEXT))
            AND 100 * _c.digit + 10 * _b.digit < 4 * length(CAST(_l.value AS TEXT))
    ) AS _s
    WHERE
        substring('|' || _s.value, _s.place, 1) = '|'
) AS _v
)
{%- endmacro %}
{% macro spark__split_values(listed) -%}
(
WITH _digits AS (
    SELECT
        _n.digit
    FROM (
        SELECT
            0 AS digit
        UNION ALL
        SELECT
            1 AS digit
        UNION ALL
        SELECT
            2 AS digit
        UNION ALL
        SELECT
            3 AS digit
        UNION ALL
        SELECT
            4 AS digit
        UNION ALL
        SELECT
            5 AS digit
        UNION ALL
        SELECT
            6 AS digit
        UNION ALL
        SELECT
            7 AS digit
        UNION ALL
        SELECT
            8 AS digit
        UNION ALL
        SELECT
            9 AS digit
    ) AS _n
)
SELECT
    _v.doc_id,
    nullif(trim(_v.value), '') AS value
FROM (
    SELECT
        _l.doc_id,
        CAST(_l.value AS STRING) AS value
    FROM {{ listed }} AS _l
    WHERE
        coalesce(locate('|', CAST(_l.value AS STRING)), 0) = 0
    UNION ALL
    SELECT
        _s.doc_id,
        CASE
            WHEN length(_s.value) > 250
            THEN CAST({{ sqlmetrics.error("'item ' || " ~ sqlmetrics.text("_s.doc_id") ~ " || ' has a cell of several values with more than 250 characters'") }} AS STRING)
            ELSE substring(_s.value, _s.place, locate('|', substring(_s.value, _s.place) || '|') - 1)
        END AS value
    FROM (
        SELECT
            _l.doc_id,
            CAST(_l.value AS STRING) AS value,
            1 /* where an engine counts bytes, a character may take four of them */ + _a.digit + 10 * _b.digit + 100 * _c.digit AS place
        FROM {{ listed }} AS _l
        CROSS JOIN _digits AS _c
        CROSS JOIN _digits AS _b
        CROSS JOIN _digits AS _a
        WHERE
            locate('|', CAST(_l.value AS STRING)) > 0
            AND 100 * _c.digit < 4 * length(CAST(_l.value AS STRING))
            AND 100 * _c.digit + 10 * _b.digit < 4 * length(CAST(_l.value AS STRING))
    ) AS _s
    WHERE
        substring('|' || _s.value, _s.place, 1) = '|'
) AS _v
)
{%- endmacro %}
{% macro postgres__split_values(listed) -%}
(
WITH _digits AS (
    SELECT
        _n.digit
    FROM (
        SELECT
            0 AS digit
        UNION ALL
        SELECT
            1 AS digit
        UNION ALL
        SELECT
            2 AS digit
        UNION ALL
        SELECT
            3 AS digit
        UNION ALL
        SELECT
            4 AS digit
        UNION ALL
        SELECT
            5 AS digit
        UNION ALL
        SELECT
            6 AS digit
        UNION ALL
        SELECT
            7 AS digit
        UNION ALL
        SELECT
            8 AS digit
        UNION ALL
        SELECT
            9 AS digit
    ) AS _n
)
SELECT
    _v.doc_id,
    nullif(trim(_v.value), '') COLLATE "C" AS value
FROM (
    SELECT
        _l.doc_id,
        CAST(_l.value AS TEXT) AS value
    FROM {{ listed }} AS _l
    WHERE
        coalesce(position('|' IN CAST(_l.value AS TEXT)), 0) = 0
    UNION ALL
    SELECT
        _s.doc_id,
        CASE
            WHEN length(_s.value) > 250
            THEN CAST({{ sqlmetrics.error("'item ' || " ~ sqlmetrics.text("_s.doc_id") ~ " || ' has a cell of several values with more than 250 characters'") }} AS TEXT)
            ELSE SUBSTRING(_s.value FROM _s.place FOR position('|' IN SUBSTRING(_s.value FROM _s.place) || '|') - 1)
        END AS value
    FROM (
        SELECT
            _l.doc_id,
            CAST(_l.value AS TEXT) AS value,
            1 /* where an engine counts bytes, a character may take four of them */ + _a.digit + 10 * _b.digit + 100 * _c.digit AS place
        FROM {{ listed }} AS _l
        CROSS JOIN _digits AS _c
        CROSS JOIN _digits AS _b
        CROSS JOIN _digits AS _a
        WHERE
            position('|' IN CAST(_l.value AS TEXT)) > 0
            AND 100 * _c.digit < 4 * length(CAST(_l.value AS TEXT))
            AND 100 * _c.digit + 10 * _b.digit < 4 * length(CAST(_l.value AS TEXT))
    ) AS _s
    WHERE
        SUBSTRING('|' || _s.value FROM _s.place FOR 1) = '|'
) AS _v
)
{%- endmacro %}
{% macro sqlite__split_values(listed) -%}
(
WITH _digits AS (
    SELECT
        _n.digit
    FROM (
        SELECT
            0 AS digit
        UNION ALL
        SELECT
            1 AS digit
        UNION ALL
        SELECT
            2 AS digit
        UNION ALL
        SELECT
            3 AS digit
        UNION ALL
        SELECT
            4 AS digit
        UNION ALL
        SELECT
            5 AS digit
        UNION ALL
        SELECT
            6 AS digit
        UNION ALL
        SELECT
            7 AS digit
        UNION ALL
        SELECT
            8 AS digit
        UNION ALL
        SELECT
            9 AS digit
    ) AS _n
)
SELECT
    _v.doc_id,
    nullif(trim(_v.value), '') COLLATE BINARY AS value
FROM (
    SELECT
        _l.doc_id,
        CAST(_l.value AS TEXT) AS value
    FROM {{ listed }} AS _l
    WHERE
        coalesce(instr(CAST(_l.value AS TEXT), '|'), 0) = 0
    UNION ALL
    SELECT
        _s.doc_id,
        CASE
            WHEN length(_s.value) > 250
            THEN CAST({{ sqlmetrics.error("'item ' || " ~ sqlmetrics.text("_s.doc_id") ~ " || ' has a cell of several values with more than 250 characters'") }} AS TEXT)
            ELSE substring(_s.value, _s.place, instr(substring(_s.value, _s.place) || '|', '|') - 1)
        END AS value
    FROM (
        SELECT
            _l.doc_id,
            CAST(_l.value AS TEXT) AS value,
            1 /* where an engine counts bytes, a character may take four of them */ + _a.digit + 10 * _b.digit + 100 * _c.digit AS place
        FROM {{ listed }} AS _l
        CROSS JOIN _digits AS _c
        CROSS JOIN _digits AS _b
        CROSS JOIN _digits AS _a
        WHERE
            instr(CAST(_l.value AS TEXT), '|') > 0
            AND 100 * _c.digit < 4 * length(CAST(_l.value AS TEXT))
            AND 100 * _c.digit + 10 * _b.digit < 4 * length(CAST(_l.value AS TEXT))
    ) AS _s
    WHERE
        substring('|' || _s.value, _s.place, 1) = '|'
) AS _v
)
{%- endmacro %}
{% macro snowflake__split_values(listed) -%}
(
WITH _digits AS (
    SELECT
        _n.digit
    FROM (
        SELECT
            0 AS digit
        UNION ALL
        SELECT
            1 AS digit
        UNION ALL
        SELECT
            2 AS digit
        UNION ALL
        SELECT
            3 AS digit
        UNION ALL
        SELECT
            4 AS digit
        UNION ALL
        SELECT
            5 AS digit
        UNION ALL
        SELECT
            6 AS digit
        UNION ALL
        SELECT
            7 AS digit
        UNION ALL
        SELECT
            8 AS digit
        UNION ALL
        SELECT
            9 AS digit
    ) AS _n
)
SELECT
    _v.doc_id,
    nullif(trim(_v.value), '') AS value
FROM (
    SELECT
        _l.doc_id,
        CAST(_l.value AS VARCHAR) AS value
    FROM {{ listed }} AS _l
    WHERE
        coalesce(charindex('|', CAST(_l.value AS VARCHAR)), 0) = 0
    UNION ALL
    SELECT
        _s.doc_id,
        CASE
            WHEN length(_s.value) > 250
            THEN CAST({{ sqlmetrics.error("'item ' || " ~ sqlmetrics.text("_s.doc_id") ~ " || ' has a cell of several values with more than 250 characters'") }} AS VARCHAR)
            ELSE substring(_s.value, _s.place, charindex('|', substring(_s.value, _s.place) || '|') - 1)
        END AS value
    FROM (
        SELECT
            _l.doc_id,
            CAST(_l.value AS VARCHAR) AS value,
            1 /* where an engine counts bytes, a character may take four of them */ + _a.digit + 10 * _b.digit + 100 * _c.digit AS place
        FROM {{ listed }} AS _l
        CROSS JOIN _digits AS _c
        CROSS JOIN _digits AS _b
        CROSS JOIN _digits AS _a
        WHERE
            charindex('|', CAST(_l.value AS VARCHAR)) > 0
            AND 100 * _c.digit < 4 * length(CAST(_l.value AS VARCHAR))
            AND 100 * _c.digit + 10 * _b.digit < 4 * length(CAST(_l.value AS VARCHAR))
    ) AS _s
    WHERE
        substring('|' || _s.value, _s.place, 1) = '|'
) AS _v
)
{%- endmacro %}
{% macro bigquery__split_values(listed) -%}
(
WITH _digits AS (
    SELECT
        _n.digit
    FROM (
        SELECT
            0 AS digit
        UNION ALL
        SELECT
            1 AS digit
        UNION ALL
        SELECT
            2 AS digit
        UNION ALL
        SELECT
            3 AS digit
        UNION ALL
        SELECT
            4 AS digit
        UNION ALL
        SELECT
            5 AS digit
        UNION ALL
        SELECT
            6 AS digit
        UNION ALL
        SELECT
            7 AS digit
        UNION ALL
        SELECT
            8 AS digit
        UNION ALL
        SELECT
            9 AS digit
    ) AS _n
)
SELECT
    _v.doc_id,
    nullif(trim(_v.value), '') AS value
FROM (
    SELECT
        _l.doc_id,
        CAST(_l.value AS STRING) AS value
    FROM {{ listed }} AS _l
    WHERE
        coalesce(instr(CAST(_l.value AS STRING), '|'), 0) = 0
    UNION ALL
    SELECT
        _s.doc_id,
        CASE
            WHEN length(_s.value) > 250
            THEN CAST({{ sqlmetrics.error("'item ' || " ~ sqlmetrics.text("_s.doc_id") ~ " || ' has a cell of several values with more than 250 characters'") }} AS STRING)
            ELSE substring(_s.value, _s.place, instr(substring(_s.value, _s.place) || '|', '|') - 1)
        END AS value
    FROM (
        SELECT
            _l.doc_id,
            CAST(_l.value AS STRING) AS value,
            1 /* where an engine counts bytes, a character may take four of them */ + _a.digit + 10 * _b.digit + 100 * _c.digit AS place
        FROM {{ listed }} AS _l
        CROSS JOIN _digits AS _c
        CROSS JOIN _digits AS _b
        CROSS JOIN _digits AS _a
        WHERE
            instr(CAST(_l.value AS STRING), '|') > 0
            AND 100 * _c.digit < 4 * length(CAST(_l.value AS STRING))
            AND 100 * _c.digit + 10 * _b.digit < 4 * length(CAST(_l.value AS STRING))
    ) AS _s
    WHERE
        substring('|' || _s.value, _s.place, 1) = '|'
) AS _v
)
{%- endmacro %}

{#- The judgments of documents for each subtopic (intent, aspect) of a query. -#}
{% macro subtopic_judgments(qrels) -%}
{{- adapter.dispatch('subtopic_judgments', 'sqlmetrics')(qrels) -}}
{%- endmacro %}
{% macro default__subtopic_judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS VARCHAR) AS query_id,
    coalesce(CAST(_q.subtopic AS VARCHAR), '0') AS subtopic,
    CAST(_q.doc_id AS VARCHAR) AS doc_id,
    CAST(_q.relevance AS DOUBLE) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}
{% macro duckdb__subtopic_judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS TEXT) COLLATE C AS query_id,
    coalesce(CAST(_q.subtopic AS TEXT), '0') COLLATE C AS subtopic,
    CAST(_q.doc_id AS TEXT) COLLATE C AS doc_id,
    CAST(_q.relevance AS DOUBLE) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}
{% macro spark__subtopic_judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS STRING) AS query_id,
    coalesce(CAST(_q.subtopic AS STRING), '0') AS subtopic,
    CAST(_q.doc_id AS STRING) AS doc_id,
    CAST(_q.relevance AS DOUBLE) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}
{% macro postgres__subtopic_judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS TEXT) COLLATE "C" AS query_id,
    coalesce(CAST(_q.subtopic AS TEXT), '0') COLLATE "C" AS subtopic,
    CAST(_q.doc_id AS TEXT) COLLATE "C" AS doc_id,
    CAST(_q.relevance AS DOUBLE PRECISION) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}
{% macro sqlite__subtopic_judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS TEXT) COLLATE BINARY AS query_id,
    coalesce(CAST(_q.subtopic AS TEXT), '0') COLLATE BINARY AS subtopic,
    CAST(_q.doc_id AS TEXT) COLLATE BINARY AS doc_id,
    CAST(_q.relevance AS REAL) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}
{% macro bigquery__subtopic_judgments(qrels) -%}
(
SELECT
    CAST(_q.query_id AS STRING) AS query_id,
    coalesce(CAST(_q.subtopic AS STRING), '0') AS subtopic,
    CAST(_q.doc_id AS STRING) AS doc_id,
    CAST(_q.relevance AS FLOAT64) AS relevance
FROM {{ qrels }} AS _q
)
{%- endmacro %}

{#- A score from three standard deviations below the mean of its list, 0, to three above, 1, as by Qdrant; 0.5 if all are equal. -#}
{% macro distribution_score(s) -%}
{%- set real = sqlmetrics.real() -%}
(5e-1{{ real }} + {{ sqlmetrics.ratio("(" ~ s ~ '.height' ~ " - " ~ s ~ '.mean' ~ ")", "(6e0" ~ real ~ " * sqrt(" ~ s ~ '.squares' ~ " / nullif(" ~ s ~ '.num_ret' ~ " - 1, 0)))") }})
{%- endmacro %}

{#- The rows of candidates, with how likely documents of their segment are to be relevant. -#}
{% macro learned_rows(qrels, training, run, rel, segments, number, depth) -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _c.run_id,
    _c.query_id,
    _c.doc_id,
    _c.score,
    _c.rank,
    _c.num_ret,
    _c.segment,
    coalesce(_s.share, 0e0{{ real }}) AS share,
    _n.num_runs
FROM (
    SELECT
        _d.*,
        {{ sqlmetrics.segment_of(segments, "_d.rank", "_d.num_ret", number) }} AS segment
    FROM {{ sqlmetrics.candidates(run, depth=depth) }} AS _d
) AS _c
CROSS JOIN (
    SELECT
        count(DISTINCT _r.run_id) AS num_runs
    FROM {{ sqlmetrics.retrieved(run) }} AS _r
) AS _n
LEFT JOIN {{ sqlmetrics.segment_chances(qrels, training, rel, segments, number, depth) }} AS _s
    ON _c.run_id = _s.run_id AND _c.segment = _s.segment
)
{%- endmacro %}

{#- A score as a share of the highest of its list, which must be above 0. -#}
{% macro max_score(s) -%}
({{ s ~ '.score' }} / {{ s ~ '.highest' }})
{%- endmacro %}

{#- A score between those of its list: 0 for the lowest, 1 for the highest; all 0 if all are equal. -#}
{% macro min_max(s) -%}
{{ s ~ '.height' }}
{%- endmacro %}

{#- The share of a list that is at this rank or below. -#}
{% macro rank_score(s) -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} - 1e0{{ real }} * ({{ s ~ '.rank' }} - 1) / {{ s ~ '.num_ret' }})
{%- endmacro %}

{#- The document of each passage. -#}
{% macro read_passages(mapping) -%}
(
SELECT
    {{ sqlmetrics.required_text('mapping', 'passage_id', "_m.passage_id", "_m._columns") }} AS passage_id,
    {{ sqlmetrics.required_text('mapping', 'doc_id', "_m.doc_id", "_m._columns") }} AS doc_id
FROM {{ mapping }} AS _m
)
{%- endmacro %}

{#- A score between those of its list, as by Weaviate: 0 for the lowest, 1 for the highest; all 1 if all are equal. -#}
{% macro relative_score(s) -%}
{%- set real = sqlmetrics.real() -%}
CASE WHEN {{ s ~ '.highest' }} = {{ s ~ '.lowest' }} THEN 1e0{{ real }} ELSE {{ s ~ '.height' }} END
{%- endmacro %}

{#- The weight of each run. -#}
{% macro run_weights(run, weighted=false) -%}
{%- set weighted = sqlmetrics.has_column(run, 'weight') -%}
{{- adapter.dispatch('run_weights', 'sqlmetrics')(run, weighted) -}}
{%- endmacro %}
{% macro default__run_weights(run, weighted) -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    coalesce(CAST(_r.run_id AS VARCHAR), 'run') AS run_id,
    {% if weighted %}coalesce(max(CAST(_r.weight AS DOUBLE)), 1e0{{ real }}){% else %}1e0{{ real }}{% endif %} AS weight
FROM {{ run }} AS _r
GROUP BY
    _r.run_id
)
{%- endmacro %}
{% macro duckdb__run_weights(run, weighted) -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    coalesce(CAST(_r.run_id AS TEXT), 'run') COLLATE C AS run_id,
    {% if weighted %}coalesce(max(CAST(_r.weight AS DOUBLE)), 1e0{{ real }}){% else %}1e0{{ real }}{% endif %} AS weight
FROM {{ run }} AS _r
GROUP BY
    _r.run_id
)
{%- endmacro %}
{% macro spark__run_weights(run, weighted) -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    coalesce(CAST(_r.run_id AS STRING), 'run') AS run_id,
    {% if weighted %}coalesce(max(CAST(_r.weight AS DOUBLE)), 1e0{{ real }}){% else %}1e0{{ real }}{% endif %} AS weight
FROM {{ run }} AS _r
GROUP BY
    _r.run_id
)
{%- endmacro %}
{% macro postgres__run_weights(run, weighted) -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    coalesce(CAST(_r.run_id AS TEXT), 'run') COLLATE "C" AS run_id,
    {% if weighted %}coalesce(max(CAST(_r.weight AS DOUBLE PRECISION)), 1e0{{ real }}){% else %}1e0{{ real }}{% endif %} AS weight
FROM {{ run }} AS _r
GROUP BY
    _r.run_id
)
{%- endmacro %}
{% macro sqlite__run_weights(run, weighted) -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    coalesce(CAST(_r.run_id AS TEXT), 'run') COLLATE BINARY AS run_id,
    {% if weighted %}coalesce(max(CAST(_r.weight AS REAL)), 1e0{{ real }}){% else %}1e0{{ real }}{% endif %} AS weight
FROM {{ run }} AS _r
GROUP BY
    _r.run_id
)
{%- endmacro %}
{% macro bigquery__run_weights(run, weighted) -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    coalesce(CAST(_r.run_id AS STRING), 'run') AS run_id,
    {% if weighted %}coalesce(max(CAST(_r.weight AS FLOAT64)), 1e0{{ real }}){% else %}1e0{{ real }}{% endif %} AS weight
FROM {{ run }} AS _r
GROUP BY
    _r.run_id
)
{%- endmacro %}

{#- The rows of rankings, with what normalizations of their scores are computed from. -#}
{% macro scored_lists(run, depth) -%}
(
SELECT
    _m.*,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("(power(_m.height - _m.mean, 2))") ~ ") OVER (PARTITION BY _m.run_id, _m.query_id)") }} AS squares
FROM (
    SELECT
        _h.*,
        {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("_h.height") ~ ") OVER (PARTITION BY _h.run_id, _h.query_id)") }} / _h.num_ret AS mean
    FROM (
        SELECT
            _s.*,
            {{ sqlmetrics.ratio("(_s.score - _s.lowest)", "(_s.highest - _s.lowest)") }} AS height
        FROM (
            SELECT
                _r.*,
                min(_r.score) OVER (PARTITION BY _r.run_id, _r.query_id) AS lowest,
                max(_r.score) OVER (PARTITION BY _r.run_id, _r.query_id) AS highest
            FROM {{ sqlmetrics.rankings(run, depth=depth) }} AS _r
        ) AS _s
    ) AS _h
) AS _m
)
{%- endmacro %}

{#- How likely documents of each segment of a run's lists are to be relevant, learned from judged queries. -#}
{% macro segment_chances(qrels, training, rel, segments, number, depth) -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _p.run_id,
    _p.segment,
    {{ sqlmetrics.sorted_sum("(_p.hits / coalesce(" ~ sqlmetrics.segment_size(segments, "_p.segment") ~ ", _p.num_docs))") }} / {% if segments == 'ranks' %}count(*){% else %}max(_n.num_queries){% endif %} AS share
FROM (
    SELECT
        _s.run_id,
        _s.query_id,
        _s.segment,
        1e0{{ real }} * sum(_s.relevant) AS hits,
        count(*) AS num_docs
    FROM (
        SELECT
            _r.run_id,
            _r.query_id,
            {{ sqlmetrics.segment_of(segments, "_r.rank", "_r.num_ret", number) }} AS segment,
            CASE WHEN _q.relevance >= {{ sqlmetrics.literal(rel) }} THEN 1 ELSE 0 END AS relevant
        FROM {{ sqlmetrics.rankings(training, depth=depth) }} AS _r
        INNER JOIN (
            SELECT DISTINCT
                _j.query_id
            FROM {{ sqlmetrics.judgments(qrels) }} AS _j
        ) AS _t
            ON _r.query_id = _t.query_id
        LEFT JOIN {{ sqlmetrics.judgments(qrels) }} AS _q
            ON _r.query_id = _q.query_id AND _r.doc_id = _q.doc_id
    ) AS _s
    GROUP BY
        _s.run_id,
        _s.query_id,
        _s.segment
) AS _p
CROSS JOIN (
    SELECT
        count(DISTINCT _j.query_id) AS num_queries
    FROM {{ sqlmetrics.judgments(qrels) }} AS _j
) AS _n
GROUP BY
    _p.run_id,
    _p.segment
)
{%- endmacro %}

{#- The number of the segment of a list that a rank is in. -#}
{% macro segment_of(segments, rank, num_ret, number) -%}
{%- set real = sqlmetrics.real() -%}
{% if segments == 'ranks' %}{{ rank }}{% elif segments == 'equal' %}ceil(
    1e0{{ real }} * {{ rank }} / ceil(1e0{{ real }} * {{ num_ret }} / {{ sqlmetrics.literal(number) }})
){% elif segments == 'doubling' %}CASE
    WHEN {{ rank }} <= 5
    THEN 1
    WHEN {{ rank }} <= 15
    THEN 2
    WHEN {{ rank }} <= 35
    THEN 3
    WHEN {{ rank }} <= 75
    THEN 4
    WHEN {{ rank }} <= 155
    THEN 5
    WHEN {{ rank }} <= 315
    THEN 6
    WHEN {{ rank }} <= 635
    THEN 7
    WHEN {{ rank }} <= 1275
    THEN 8
    WHEN {{ rank }} <= 2555
    THEN 9
    WHEN {{ rank }} <= 5115
    THEN 10
    ELSE 11
END{% elif segments == 'growing' %}CASE
    WHEN {{ rank }} <= 5
    THEN 1
    WHEN {{ rank }} <= 10
    THEN 2
    WHEN {{ rank }} <= 15
    THEN 3
    WHEN {{ rank }} <= 20
    THEN 4
    WHEN {{ rank }} <= 30
    THEN 5
    WHEN {{ rank }} <= 100
    THEN 6
    WHEN {{ rank }} <= 200
    THEN 7
    WHEN {{ rank }} <= 500
    THEN 8
    WHEN {{ rank }} <= 1000
    THEN 9
    ELSE 10
END{% else %}NULL{% endif %}
{%- endmacro %}

{#- How many ranks a segment has; NULL without an end. -#}
{% macro segment_size(segments, segment) -%}
{%- set real = sqlmetrics.real() -%}
{% if segments == 'doubling' %}CASE
    WHEN {{ segment }} <= 10
    THEN 5e0{{ real }} * {{ sqlmetrics.power("2", segment ~ " - 1") }}
    ELSE {% if segments == 'growing' %}CASE {{ segment }}
    WHEN 5
    THEN 10e0{{ real }}
    WHEN 6
    THEN 70e0{{ real }}
    WHEN 7
    THEN 100e0{{ real }}
    WHEN 8
    THEN 300e0{{ real }}
    WHEN 9
    THEN 500e0{{ real }}
    ELSE CASE WHEN {{ segment }} <= 4 THEN 5e0{{ real }} END
END{% else %}NULL{% endif %}
END{% elif segments == 'growing' %}CASE {{ segment }}
    WHEN 5
    THEN 10e0{{ real }}
    WHEN 6
    THEN 70e0{{ real }}
    WHEN 7
    THEN 100e0{{ real }}
    WHEN 8
    THEN 300e0{{ real }}
    WHEN 9
    THEN 500e0{{ real }}
    ELSE CASE WHEN {{ segment }} <= 4 THEN 5e0{{ real }} END
END{% else %}NULL{% endif %}
{%- endmacro %}

{#- A score above the lowest of its list, as a share of all that are; all 0 if all are equal. -#}
{% macro sum_score(s) -%}
{{ sqlmetrics.ratio(s ~ '.height', "(" ~ s ~ '.num_ret' ~ " * " ~ s ~ '.mean' ~ ")") }}
{%- endmacro %}

{#- How many standard deviations a score is above the mean of its list; all 0 if all are equal. -#}
{% macro z_score(s) -%}
{{ sqlmetrics.ratio("(" ~ s ~ '.height' ~ " - " ~ s ~ '.mean' ~ ")", "sqrt(" ~ s ~ '.squares' ~ " / " ~ s ~ '.num_ret' ~ ")") }}
{%- endmacro %}
