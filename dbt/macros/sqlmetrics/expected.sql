{% macro expected_accuracy_at(j='j', k=none, corpus_size=none) -%}
{%- do sqlmetrics.start('expected_accuracy_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('corpus_size', corpus_size, "a whole number, 1 or more") -%}
{%- set real = sqlmetrics.real() -%}
(({{ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) }} + {{ sqlmetrics.expected_tn(j, k, corpus_size) }}) / (1e0{{ real }} * {{ sqlmetrics.once_per_query(j, sqlmetrics.literal(corpus_size)) }}))
{%- endmacro %}

{% macro expected_ap(j='j', k=none, denominator='relevant') -%}
{%- do sqlmetrics.start('expected_ap', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('denominator', denominator, "one of relevant, achievable, cutoff, listed") -%}
{{- adapter.dispatch('expected_ap', 'sqlmetrics')(j, k, denominator) -}}
{%- endmacro %}
{% macro default__expected_ap(j, k, denominator) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0" ~ real ~ " / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " * " ~ sqlmetrics.range_sum("place", j ~ '.first_rank', (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")"), "(" ~ j ~ '.hits_above' ~ " + 1 + 1e0" ~ real ~ " * (" ~ j ~ '.hits_tied' ~ " - 1) * (place - " ~ j ~ '.first_rank' ~ ") / greatest(" ~ j ~ '.num_tied' ~ " - 1, 1)) / place") ~ " END"), sqlmetrics.once_per_query(j, sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret'))) }}
{%- endmacro %}
{% macro sqlite__expected_ap(j, k, denominator) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "min(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0" ~ real ~ " / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " * " ~ sqlmetrics.range_sum("place", j ~ '.first_rank', (j ~ '.last_rank' if k is none else "min(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")"), "(" ~ j ~ '.hits_above' ~ " + 1 + 1e0" ~ real ~ " * (" ~ j ~ '.hits_tied' ~ " - 1) * (place - " ~ j ~ '.first_rank' ~ ") / max(" ~ j ~ '.num_tied' ~ " - 1, 1)) / place") ~ " END"), sqlmetrics.once_per_query(j, sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret'))) }}
{%- endmacro %}

{% macro expected_balanced_accuracy_at(j='j', k=none, corpus_size=none) -%}
{%- do sqlmetrics.start('expected_balanced_accuracy_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('corpus_size', corpus_size, "a whole number, 1 or more") -%}
{%- set real = sqlmetrics.real() -%}
coalesce(
    (1e0{{ real }} * {{ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) }} / nullif({{ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) }} + {{ sqlmetrics.expected_fn(j, k) }}, 0) + 1e0{{ real }} * {{ sqlmetrics.expected_tn(j, k, corpus_size) }} / nullif({{ sqlmetrics.expected_tn(j, k, corpus_size) }} + {{ sqlmetrics.expected_fp(j, k) }}, 0)) / 2,
    1e0{{ real }} * {{ sqlmetrics.expected_tn(j, k, corpus_size) }} / nullif({{ sqlmetrics.expected_tn(j, k, corpus_size) }} + {{ sqlmetrics.expected_fp(j, k) }}, 0),
    1e0{{ real }} * {{ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) }} / nullif({{ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) }} + {{ sqlmetrics.expected_fn(j, k) }}, 0)
)
{%- endmacro %}

{% macro expected_dcg(j='j', k=none, gain='linear', negative='zero', discount='log', base=2) -%}
{%- do sqlmetrics.start('expected_dcg', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('gain', gain, "one of binary, linear, exponential") -%}
{%- do sqlmetrics.require('negative', negative, "one of zero, raw") -%}
{%- do sqlmetrics.require('discount', discount, "one of log, clipped, reciprocal, none") -%}
{%- do sqlmetrics.require('base', base, "a number above 1") -%}
{{- adapter.dispatch('expected_dcg', 'sqlmetrics')(j, k, gain, negative, discount, base) -}}
{%- endmacro %}
{% macro default__expected_dcg(j, k, gain, negative, discount, base) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN " ~ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) ~ " / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " * " ~ sqlmetrics.perfect_dcg(j ~ '.first_rank', (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")"), discount, base) ~ " ELSE 0e0" ~ real ~ " END") }}
{%- endmacro %}
{% macro sqlite__expected_dcg(j, k, gain, negative, discount, base) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "min(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN " ~ sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative) ~ " / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " * " ~ sqlmetrics.perfect_dcg(j ~ '.first_rank', (j ~ '.last_rank' if k is none else "min(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")"), discount, base) ~ " ELSE 0e0" ~ real ~ " END") }}
{%- endmacro %}

{% macro expected_f_at(j='j', k=none, beta=1.0, alpha=none, beta_squared=none) -%}
{%- do sqlmetrics.start('expected_f_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('beta', beta, "a number above 0") -%}
{%- do sqlmetrics.require('alpha', alpha, "a number from 0 to 1, or none") -%}
{%- do sqlmetrics.require('beta_squared', beta_squared, "a number, 0 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio(sqlmetrics.expected_tp(j, sqlmetrics.literal(k)), "(" ~ sqlmetrics.precision_weight(beta, alpha, beta_squared) ~ " * " ~ sqlmetrics.once_per_query(j, (j ~ '.num_ret' if k is none else sqlmetrics.literal(k))) ~ " + (1e0" ~ real ~ " - " ~ sqlmetrics.precision_weight(beta, alpha, beta_squared) ~ ") * sum(" ~ j ~ '.relevant' ~ "))") }}
{%- endmacro %}

{% macro expected_fall_out(j='j', k=none, corpus_size=none) -%}
{%- do sqlmetrics.start('expected_fall_out', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('corpus_size', corpus_size, "a whole number, 1 or more, or none") -%}
{% if corpus_size is none %}{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.relevance' ~ " >= 0 THEN (1 - " ~ j ~ '.relevant' ~ ") * " ~ sqlmetrics.within_k_chance(j, sqlmetrics.literal(k)) ~ " END"), sqlmetrics.once_per_query(j, j ~ '.num_nonrel')) }}{% else %}{{ sqlmetrics.ratio(sqlmetrics.expected_fp(j, k), "(" ~ sqlmetrics.expected_fp(j, k) ~ " + " ~ sqlmetrics.expected_tn(j, k, corpus_size) ~ ")") }}{% endif %}
{%- endmacro %}

{% macro expected_fn_at(j='j', k=none) -%}
{%- do sqlmetrics.start('expected_fn_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * {{ sqlmetrics.expected_fn(j, k) }})
{%- endmacro %}

{% macro expected_fp_at(j='j', k=none) -%}
{%- do sqlmetrics.start('expected_fp_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * {{ sqlmetrics.expected_fp(j, k) }})
{%- endmacro %}

{% macro expected_judged_at(j='j', k=none) -%}
{%- do sqlmetrics.start('expected_judged_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.relevance' ~ " >= 0 THEN " ~ sqlmetrics.within_k_chance(j, sqlmetrics.literal(k)) ~ " END"), sqlmetrics.retrieved_at(k, "max(" ~ j ~ '.num_ret' ~ ")")) }}
{%- endmacro %}

{% macro expected_mcc_at(j='j', k=none, corpus_size=none) -%}
{%- do sqlmetrics.start('expected_mcc_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('corpus_size', corpus_size, "a whole number, 1 or more") -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio("(1e0" ~ real ~ " * " ~ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) ~ " * " ~ sqlmetrics.expected_tn(j, k, corpus_size) ~ " - 1e0" ~ real ~ " * " ~ sqlmetrics.expected_fp(j, k) ~ " * " ~ sqlmetrics.expected_fn(j, k) ~ ")", "(sqrt(1e0" ~ real ~ " * (" ~ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.expected_fp(j, k) ~ ") * (" ~ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.expected_fn(j, k) ~ ")) * sqrt(1e0" ~ real ~ " * (" ~ sqlmetrics.expected_tn(j, k, corpus_size) ~ " + " ~ sqlmetrics.expected_fp(j, k) ~ ") * (" ~ sqlmetrics.expected_tn(j, k, corpus_size) ~ " + " ~ sqlmetrics.expected_fn(j, k) ~ ")))") }}
{%- endmacro %}

{% macro expected_mean_pr_at(j='j', k=none, mean='arithmetic') -%}
{%- do sqlmetrics.start('expected_mean_pr_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('mean', mean, "one of arithmetic, geometric") -%}
{% if mean == 'arithmetic' %}(({{ sqlmetrics.expected_precision_at(j, k=k) }} + {{ sqlmetrics.expected_recall_at(j, k=k) }}) / 2){% elif mean == 'geometric' %}sqrt({{ sqlmetrics.expected_precision_at(j, k=k) }} * {{ sqlmetrics.expected_recall_at(j, k=k) }}){% else %}NULL{% endif %}
{%- endmacro %}

{% macro expected_ndcg(j='j', k=none, gain='linear', negative='zero', discount='log', base=2, ideal='judged') -%}
{%- do sqlmetrics.start('expected_ndcg', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('gain', gain, "one of binary, linear, exponential") -%}
{%- do sqlmetrics.require('negative', negative, "one of zero, raw") -%}
{%- do sqlmetrics.require('discount', discount, "one of log, clipped, reciprocal, none") -%}
{%- do sqlmetrics.require('base', base, "a number above 1") -%}
{%- do sqlmetrics.require('ideal', ideal, "one of judged, uncut, perfect") -%}
{{ sqlmetrics.ratio(sqlmetrics.expected_dcg(j, k=k, gain=gain, negative=negative, discount=discount, base=base), (exceptions.raise_compiler_error("expected nDCG does not support ideal := 'retrieved'") if ideal == 'retrieved' else sqlmetrics.ideal_dcg(j, k=k, gain=gain, negative=negative, discount=discount, base=base, ideal=ideal))) }}
{%- endmacro %}

{% macro expected_num_rel(j='j') -%}
{%- do sqlmetrics.start('expected_num_rel', j) -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * sum({{ j ~ '.relevant' }}))
{%- endmacro %}

{% macro expected_num_rel_ret(j='j', k=none) -%}
{%- do sqlmetrics.start('expected_num_rel_ret', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * {{ sqlmetrics.expected_tp(j, sqlmetrics.literal(k)) }})
{%- endmacro %}

{% macro expected_num_ret(j='j', k=none) -%}
{%- do sqlmetrics.start('expected_num_ret', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * {{ sqlmetrics.retrieved_at(k, "max(" ~ j ~ '.num_ret' ~ ")") }})
{%- endmacro %}

{% macro expected_precision_at(j='j', k=none, denominator='cutoff') -%}
{%- do sqlmetrics.start('expected_precision_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('denominator', denominator, "one of cutoff, retrieved, achievable, listed, relevant") -%}
{{ sqlmetrics.ratio(sqlmetrics.expected_tp(j, sqlmetrics.literal(k)), sqlmetrics.once_per_query(j, sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret'))) }}
{%- endmacro %}

{% macro expected_rbp(j='j', k=none, p=0.8, gain='binary', max_rel=none, scaled=false, denominator='endless') -%}
{%- do sqlmetrics.start('expected_rbp', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('p', p, "a number between 0 and 1") -%}
{%- do sqlmetrics.require('gain', gain, "one of binary, linear, exponential") -%}
{%- do sqlmetrics.require('max_rel', max_rel, "a number above 0, or none") -%}
{%- do sqlmetrics.require('scaled', scaled, "true or false") -%}
{%- do sqlmetrics.require('denominator', denominator, "one of endless, cutoff, relevant, achievable, retrieved, listed") -%}
{{- adapter.dispatch('expected_rbp', 'sqlmetrics')(j, k, p, gain, max_rel, scaled, denominator) -}}
{%- endmacro %}
{% macro default__expected_rbp(j, k, p, gain, max_rel, scaled, denominator) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN (" ~ sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(p), j ~ '.first_rank' ~ " - 1") ~ " - " ~ sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(p), (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")")) ~ ") / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " * " ~ sqlmetrics.rbp_gain(j ~ '.relevant', j ~ '.grade', gain, max_rel) ~ " END"), sqlmetrics.rbp_scale(j, k, p, gain, scaled, denominator)) }}
{%- endmacro %}
{% macro sqlite__expected_rbp(j, k, p, gain, max_rel, scaled, denominator) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.first_rank' ~ " <= " ~ (j ~ '.last_rank' if k is none else "min(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " THEN (" ~ sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(p), j ~ '.first_rank' ~ " - 1") ~ " - " ~ sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(p), (j ~ '.last_rank' if k is none else "min(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")")) ~ ") / " ~ sqlmetrics.require_ties(j ~ '.num_tied') ~ " * " ~ sqlmetrics.rbp_gain(j ~ '.relevant', j ~ '.grade', gain, max_rel) ~ " END"), sqlmetrics.rbp_scale(j, k, p, gain, scaled, denominator)) }}
{%- endmacro %}

{% macro expected_recall_at(j='j', k=none, denominator='relevant') -%}
{%- do sqlmetrics.start('expected_recall_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('denominator', denominator, "one of relevant, achievable, listed, cutoff, retrieved") -%}
{{ sqlmetrics.ratio(sqlmetrics.expected_tp(j, sqlmetrics.literal(k)), sqlmetrics.once_per_query(j, sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret'))) }}
{%- endmacro %}

{% macro expected_rprec(j='j', multiple=1) -%}
{%- do sqlmetrics.start('expected_rprec', j) -%}
{%- do sqlmetrics.require('multiple', multiple, "a number above 0") -%}
{{ sqlmetrics.ratio(sqlmetrics.expected_tp(j, sqlmetrics.recall_count(sqlmetrics.literal(multiple), j ~ '.num_rel', 0.9)), sqlmetrics.once_per_query(j, sqlmetrics.recall_count(sqlmetrics.literal(multiple), j ~ '.num_rel', 0.9))) }}
{%- endmacro %}

{% macro expected_rr(j='j', k=none) -%}
{%- do sqlmetrics.start('expected_rr', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{{- adapter.dispatch('expected_rr', 'sqlmetrics')(j, k) -}}
{%- endmacro %}
{% macro default__expected_rr(j, k) -%}
{%- set real = sqlmetrics.real() -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits_above' }} = 0
            THEN 1e0{{ real }} / {{ sqlmetrics.require_ties(j ~ '.num_tied') }} * {{ sqlmetrics.range_sum("_i", "0", "least(" ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " - " ~ j ~ '.first_rank' ~ ", " ~ j ~ '.num_tied' ~ " - " ~ j ~ '.hits_tied' ~ ")", sqlmetrics.exp("coalesce(" ~ sqlmetrics.range_sum("_t", "1", "_i", "ln(1e0" ~ real ~ " * (" ~ j ~ '.num_tied' ~ " - " ~ j ~ '.hits_tied' ~ " + 1 - _t) / (" ~ j ~ '.num_tied' ~ " - _t))") ~ ", 0e0" ~ real ~ ")") ~ " / (" ~ j ~ '.first_rank' ~ " + _i)") }}
        END
    ),
    0e0{{ real }}
)
{%- endmacro %}
{% macro sqlite__expected_rr(j, k) -%}
{%- set real = sqlmetrics.real() -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}min({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits_above' }} = 0
            THEN 1e0{{ real }} / {{ sqlmetrics.require_ties(j ~ '.num_tied') }} * {{ sqlmetrics.range_sum("_i", "0", "min(" ~ (j ~ '.last_rank' if k is none else "min(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " - " ~ j ~ '.first_rank' ~ ", " ~ j ~ '.num_tied' ~ " - " ~ j ~ '.hits_tied' ~ ")", sqlmetrics.exp("coalesce(" ~ sqlmetrics.range_sum("_t", "1", "_i", "ln(1e0" ~ real ~ " * (" ~ j ~ '.num_tied' ~ " - " ~ j ~ '.hits_tied' ~ " + 1 - _t) / (" ~ j ~ '.num_tied' ~ " - _t))") ~ ", 0e0" ~ real ~ ")") ~ " / (" ~ j ~ '.first_rank' ~ " + _i)") }}
        END
    ),
    0e0{{ real }}
)
{%- endmacro %}

{% macro expected_specificity_at(j='j', k=none, corpus_size=none) -%}
{%- do sqlmetrics.start('expected_specificity_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('corpus_size', corpus_size, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} - {{ sqlmetrics.expected_fall_out(j, k=k, corpus_size=corpus_size) }})
{%- endmacro %}

{% macro expected_success_at(j='j', k=none) -%}
{%- do sqlmetrics.start('expected_success_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{{- adapter.dispatch('expected_success_at', 'sqlmetrics')(j, k) -}}
{%- endmacro %}
{% macro default__expected_success_at(j, k) -%}
{%- set real = sqlmetrics.real() -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits_above' }} = 0
            THEN (
                1e0{{ real }} - CASE
                    WHEN {{ j ~ '.hits_tied' }} > {{ sqlmetrics.require_ties(j ~ '.num_tied') }} - ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}least({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1)
                    THEN 0e0{{ real }}
                    ELSE {{ sqlmetrics.exp(sqlmetrics.range_sum("_i", "0", j ~ '.hits_tied' ~ " - 1", "ln( 1e0" ~ real ~ " * (" ~ j ~ '.num_tied' ~ " - (" ~ (j ~ '.last_rank' if k is none else "least(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " - " ~ j ~ '.first_rank' ~ " + 1) - _i) / (" ~ j ~ '.num_tied' ~ " - _i) )")) }}
                END
            ) / {{ j ~ '.hits_tied' }}
        END
    ),
    0e0{{ real }}
)
{%- endmacro %}
{% macro sqlite__expected_success_at(j, k) -%}
{%- set real = sqlmetrics.real() -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.first_rank' }} <= {% if k is none %}{{ j ~ '.last_rank' }}{% else %}min({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} AND {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits_above' }} = 0
            THEN (
                1e0{{ real }} - CASE
                    WHEN {{ j ~ '.hits_tied' }} > {{ sqlmetrics.require_ties(j ~ '.num_tied') }} - ({% if k is none %}{{ j ~ '.last_rank' }}{% else %}min({{ j ~ '.last_rank' }}, {{ sqlmetrics.literal(k) }}){% endif %} - {{ j ~ '.first_rank' }} + 1)
                    THEN 0e0{{ real }}
                    ELSE {{ sqlmetrics.exp(sqlmetrics.range_sum("_i", "0", j ~ '.hits_tied' ~ " - 1", "ln( 1e0" ~ real ~ " * (" ~ j ~ '.num_tied' ~ " - (" ~ (j ~ '.last_rank' if k is none else "min(" ~ j ~ '.last_rank' ~ ", " ~ sqlmetrics.literal(k) ~ ")") ~ " - " ~ j ~ '.first_rank' ~ " + 1) - _i) / (" ~ j ~ '.num_tied' ~ " - _i) )")) }}
                END
            ) / {{ j ~ '.hits_tied' }}
        END
    ),
    0e0{{ real }}
)
{%- endmacro %}

{% macro expected_tn_at(j='j', k=none, corpus_size=none) -%}
{%- do sqlmetrics.start('expected_tn_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('corpus_size', corpus_size, "a whole number, 1 or more") -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * {{ sqlmetrics.expected_tn(j, k, corpus_size) }})
{%- endmacro %}
