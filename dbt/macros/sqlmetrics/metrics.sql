{% macro abandonment(j='j') -%}
{%- do sqlmetrics.start('abandonment', j) -%}
{{ sqlmetrics.rate("count(CASE WHEN " ~ j ~ '.page_rows' ~ " > 0 AND " ~ j ~ '.num_shown' ~ " > 0 AND " ~ j ~ '.num_clicked' ~ " = 0 THEN 1 END)", "count(CASE WHEN " ~ j ~ '.page_rows' ~ " > 0 AND " ~ j ~ '.num_shown' ~ " > 0 THEN 1 END)") }}
{%- endmacro %}

{% macro accuracy_at(j='j', k=none, corpus_size=none) -%}
{%- do sqlmetrics.start('accuracy_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('corpus_size', corpus_size, "a whole number, 1 or more") -%}
{%- set real = sqlmetrics.real() -%}
(({{ sqlmetrics.tp(j, sqlmetrics.literal(k)) }} + {{ sqlmetrics.tn(j, k, corpus_size) }}) / (1e0{{ real }} * {{ sqlmetrics.once_per_query(j, sqlmetrics.literal(corpus_size)) }}))
{%- endmacro %}

{% macro alpha_dcg(j='j', k=none, alpha=0.5) -%}
{%- do sqlmetrics.start('alpha_dcg', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('alpha', alpha, "a number from 0 to 1") -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN " ~ sqlmetrics.power("1e0" ~ real ~ " - " ~ sqlmetrics.literal(alpha), j ~ '.hits' ~ " - 1") ~ " / " ~ sqlmetrics.rank_discount(j ~ '.rank', 'log', 2) ~ " END"), sqlmetrics.once_per_subtopic(j, sqlmetrics.repeated_gain((j ~ '.num_ret' if k is none else sqlmetrics.literal(k)), alpha, 'log'))) }}
{%- endmacro %}

{% macro alpha_ndcg(j='j', k=none) -%}
{%- do sqlmetrics.start('alpha_ndcg', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{{ sqlmetrics.ratio(sqlmetrics.discounted_sum(j ~ '.gain', j ~ '.rank', sqlmetrics.literal(k), 'log'), sqlmetrics.discounted_sum(j ~ '.greedy_gain', j ~ '.greedy_rank', sqlmetrics.literal(k), 'log')) }}
{%- endmacro %}

{% macro ann_recall(j='j', k=none, denominator='cutoff') -%}
{%- do sqlmetrics.start('ann_recall', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('denominator', denominator, "one of cutoff, achievable") -%}
{{ sqlmetrics.ratio("count(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.k_at_most(k, j ~ '.num_exact') ~ " AND " ~ j ~ '.near_from' ~ " <= " ~ sqlmetrics.k_at_most(k, j ~ '.num_exact') ~ " THEN 1 END)", sqlmetrics.once_per_query(j, sqlmetrics.neighbours_wanted(k, j ~ '.num_exact', denominator))) }}
{%- endmacro %}

{% macro ap(j='j', k=none, denominator='relevant') -%}
{%- do sqlmetrics.start('ap', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('denominator', denominator, "one of relevant, achievable, cutoff, listed, found") -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " THEN " ~ j ~ '.relevant' ~ " * " ~ sqlmetrics.precision_at_rank(j) ~ " END"), (sqlmetrics.tp(j, sqlmetrics.literal(k)) if denominator == 'found' else sqlmetrics.once_per_query(j, sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret')))) }}
{%- endmacro %}

{% macro ap_ia(j='j', k=none, subtopics='relevant') -%}
{%- do sqlmetrics.start('ap_ia', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('subtopics', subtopics, "one of relevant, judged") -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0" ~ real ~ " * " ~ j ~ '.hits' ~ " / " ~ j ~ '.rank' ~ " / " ~ j ~ '.num_rel' ~ " END"), sqlmetrics.once_per_subtopic(j, "1", subtopics=subtopics)) }}
{%- endmacro %}

{% macro arp(j='j', k=none) -%}
{%- do sqlmetrics.start('arp', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
avg(CASE WHEN {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} THEN 1e0{{ real }} * {{ j ~ '.users' }} END)
{%- endmacro %}

{% macro auc(j='j', max_fpr=none) -%}
{%- do sqlmetrics.start('auc', j) -%}
{%- do sqlmetrics.require('max_fpr', max_fpr, "a number between 0 and 1, or none") -%}
{%- set real = sqlmetrics.real() -%}
{% if max_fpr is none %}{{ sqlmetrics.ratio("sum(" ~ j ~ '.relevant' ~ " * (" ~ j ~ '.num_nonrel' ~ " - (" ~ j ~ '.false_positives_above' ~ " + " ~ sqlmetrics.false_positives_by_score(j) ~ ") / 2e0" ~ real ~ ")) /* pairs in the right order, and half of the tied ones */", "sum(" ~ j ~ '.relevant' ~ " * " ~ j ~ '.num_nonrel' ~ ")") }}{% else %}coalesce(
    (1e0{{ real }} + ({{ sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.relevance' ~ " >= 0 AND " ~ j ~ '.relevant' ~ " = 0 THEN " ~ sqlmetrics.roc_area(j, "(1e0" ~ real ~ " * " ~ sqlmetrics.literal(max_fpr) ~ " * " ~ j ~ '.num_nonrel' ~ ")") ~ " END") }} / nullif(sum({{ j ~ '.relevant' }} * {{ j ~ '.num_nonrel' }}), 0) - 1e0{{ real }} * {{ sqlmetrics.literal(max_fpr) }} * {{ sqlmetrics.literal(max_fpr) }} / 2) / ({{ sqlmetrics.literal(max_fpr) }} - 1e0{{ real }} * {{ sqlmetrics.literal(max_fpr) }} * {{ sqlmetrics.literal(max_fpr) }} / 2)) / 2,
    0e0{{ real }}
) /* scaled as in McClish: 0.5 by chance, whose area is max_fpr² / 2, and 1 at best, whose area is max_fpr */{% endif %}
{%- endmacro %}

{% macro awrf(j='j') -%}
{%- do sqlmetrics.start('awrf', j) -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} - {{ sqlmetrics.exact_sum("(CASE WHEN " ~ j ~ '.exposure' ~ " > 0 THEN " ~ j ~ '.exposure' ~ " / " ~ j ~ '.all_exposure' ~ " * ln( 2e0" ~ real ~ " * " ~ j ~ '.exposure' ~ " / " ~ j ~ '.all_exposure' ~ " / (" ~ j ~ '.exposure' ~ " / " ~ j ~ '.all_exposure' ~ " + " ~ j ~ '.num_items' ~ " / " ~ j ~ '.all_items' ~ ") ) ELSE 0e0" ~ real ~ " END + " ~ j ~ '.num_items' ~ " / " ~ j ~ '.all_items' ~ " * ln( 2e0" ~ real ~ " * " ~ j ~ '.num_items' ~ " / " ~ j ~ '.all_items' ~ " / (" ~ j ~ '.exposure' ~ " / " ~ j ~ '.all_exposure' ~ " + " ~ j ~ '.num_items' ~ " / " ~ j ~ '.all_items' ~ ") ))") }} / 2)
{%- endmacro %}

{% macro balanced_accuracy_at(j='j', k=none, corpus_size=none) -%}
{%- do sqlmetrics.start('balanced_accuracy_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('corpus_size', corpus_size, "a whole number, 1 or more") -%}
{%- set real = sqlmetrics.real() -%}
coalesce(
    (1e0{{ real }} * {{ sqlmetrics.tp(j, sqlmetrics.literal(k)) }} / nullif({{ sqlmetrics.tp(j, sqlmetrics.literal(k)) }} + {{ sqlmetrics.fn(j, k) }}, 0) + 1e0{{ real }} * {{ sqlmetrics.tn(j, k, corpus_size) }} / nullif({{ sqlmetrics.tn(j, k, corpus_size) }} + {{ sqlmetrics.fp(j, k) }}, 0)) / 2,
    1e0{{ real }} * {{ sqlmetrics.tn(j, k, corpus_size) }} / nullif({{ sqlmetrics.tn(j, k, corpus_size) }} + {{ sqlmetrics.fp(j, k) }}, 0),
    1e0{{ real }} * {{ sqlmetrics.tp(j, sqlmetrics.literal(k)) }} / nullif({{ sqlmetrics.tp(j, sqlmetrics.literal(k)) }} + {{ sqlmetrics.fn(j, k) }}, 0)
)
{%- endmacro %}

{% macro binary_gain(j='j') -%}
{%- do sqlmetrics.start('binary_gain', j) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.relevant' ~ " = 1 THEN 1e0" ~ real ~ " / " ~ sqlmetrics.rank_discount("(1 + " ~ j ~ '.rank' ~ " - " ~ j ~ '.hits' ~ ")", 'log', 2) ~ " END"), "sum(" ~ j ~ '.relevant' ~ ")") }}
{%- endmacro %}

{% macro bpm(j='j', T=1, k=1000, measure='utility') -%}
{%- do sqlmetrics.start('bpm', j) -%}
{%- do sqlmetrics.require('T', T, "a number above 0") -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more") -%}
{%- do sqlmetrics.require('measure', measure, "one of utility, total_utility, cost, total_cost, depth") -%}
{{ sqlmetrics.cwl_measure(j, measure, sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.literal(k) ~ " AND " ~ j ~ '.gained_above' ~ " < " ~ sqlmetrics.literal(T) ~ " THEN " ~ j ~ '.gain' ~ " END"), "sum( CASE WHEN " ~ j ~ '.rank' ~ " > " ~ sqlmetrics.literal(k) ~ " OR " ~ j ~ '.gained_above' ~ " >= " ~ sqlmetrics.literal(T) ~ " THEN 0 ELSE CASE WHEN " ~ j ~ '.gained' ~ " >= " ~ sqlmetrics.literal(T) ~ " THEN 1 ELSE CASE WHEN " ~ j ~ '.until' ~ " < " ~ sqlmetrics.literal(k) ~ " THEN " ~ j ~ '.until' ~ " - " ~ j ~ '.rank' ~ " + 1 ELSE " ~ sqlmetrics.literal(k) ~ " - " ~ j ~ '.rank' ~ " + 1 END END END )") }}
{%- endmacro %}

{% macro bpref(j='j') -%}
{%- do sqlmetrics.start('bpref', j) -%}
{{- adapter.dispatch('bpref', 'sqlmetrics')(j) -}}
{%- endmacro %}
{% macro default__bpref(j) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.rank' ~ " IS NOT NULL AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0" ~ real ~ " - " ~ sqlmetrics.ratio("least(" ~ j ~ '.false_positives' ~ ", " ~ j ~ '.num_rel' ~ ")", "least(" ~ j ~ '.num_nonrel' ~ ", " ~ j ~ '.num_rel' ~ ")") ~ " END"), "sum(" ~ j ~ '.relevant' ~ ")") }}
{%- endmacro %}
{% macro sqlite__bpref(j) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.rank' ~ " IS NOT NULL AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0" ~ real ~ " - " ~ sqlmetrics.ratio("min(" ~ j ~ '.false_positives' ~ ", " ~ j ~ '.num_rel' ~ ")", "min(" ~ j ~ '.num_nonrel' ~ ", " ~ j ~ '.num_rel' ~ ")") ~ " END"), "sum(" ~ j ~ '.relevant' ~ ")") }}
{%- endmacro %}

{% macro categorical_diversity(j='j') -%}
{%- do sqlmetrics.start('categorical_diversity', j) -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * count(*) / max({{ j ~ '.size' }}))
{%- endmacro %}

{% macro click_rank(j='j') -%}
{%- do sqlmetrics.start('click_rank', j) -%}
{{ sqlmetrics.rate("sum(CASE WHEN " ~ j ~ '.clicked' ~ " = 1 THEN " ~ j ~ '.position' ~ " END)", sqlmetrics.clicks(j)) }}
{%- endmacro %}

{% macro click_rr(j='j') -%}
{%- do sqlmetrics.start('click_rr', j) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.rate(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.page_rows' ~ " > 0 THEN coalesce(1e0" ~ real ~ " / " ~ j ~ '.first_click' ~ ", 0e0" ~ real ~ ") END"), sqlmetrics.pages(j)) }}
{%- endmacro %}

{% macro click_success(j='j', k=none) -%}
{%- do sqlmetrics.start('click_success', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{{ sqlmetrics.rate("count(CASE WHEN " ~ j ~ '.page_rows' ~ " > 0 AND " ~ j ~ '.first_click' ~ " <= " ~ (j ~ '.first_click' if k is none else sqlmetrics.literal(k)) ~ " THEN 1 END)", sqlmetrics.pages(j)) }}
{%- endmacro %}

{% macro clicks(j='j') -%}
{%- do sqlmetrics.start('clicks', j) -%}
count(CASE WHEN {{ j ~ '.clicked' }} = 1 THEN 1 END)
{%- endmacro %}

{% macro compat(j='j', p=0.95, ranks=1000, normalized=true) -%}
{%- do sqlmetrics.start('compat', j) -%}
{%- do sqlmetrics.require('p', p, "a number between 0 and 1") -%}
{%- do sqlmetrics.require('ranks', ranks, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('normalized', normalized, "true or false") -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.shared_rank' ~ " IS NOT NULL THEN " ~ j ~ '.num_shared' ~ " * " ~ sqlmetrics.overlap_weight(p, j ~ '.shared_rank', sqlmetrics.overlap_end(j ~ '.shared_until', j ~ '.longest', ranks)) ~ " END"), (sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.relevant' ~ " = 0 OR " ~ j ~ '.agreed_rank' ~ " > " ~ (j ~ '.longest' if ranks is none else sqlmetrics.literal(ranks)) ~ " THEN 0e0" ~ real ~ " ELSE CASE WHEN " ~ j ~ '.agreed_rank' ~ " < " ~ j ~ '.num_rel' ~ " THEN " ~ sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(p), j ~ '.agreed_rank' ~ " - 1") ~ " ELSE " ~ j ~ '.num_rel' ~ " * " ~ sqlmetrics.overlap_weight(p, j ~ '.num_rel', (j ~ '.longest' if ranks is none else sqlmetrics.literal(ranks))) ~ " END END") if normalized else sqlmetrics.once_per_query(j, "((1e0" ~ real ~ " - " ~ sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(p), (j ~ '.longest' if ranks is none else sqlmetrics.literal(ranks))) ~ ") / (1e0" ~ real ~ " - " ~ sqlmetrics.literal(p) ~ "))"))) }}
{%- endmacro %}

{% macro coverage_error(j='j') -%}
{%- do sqlmetrics.start('coverage_error', j) -%}
{%- set real = sqlmetrics.real() -%}
coalesce(
    1e0{{ real }} * max(CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ sqlmetrics.hits_by_score(j) }} + {{ sqlmetrics.false_positives_by_score(j) }} END),
    0e0{{ real }}
)
{%- endmacro %}

{% macro ctr(j='j', rank=none) -%}
{%- do sqlmetrics.start('ctr', j) -%}
{%- do sqlmetrics.require('rank', rank, "a whole number, 1 or more, or none") -%}
{{ sqlmetrics.rate("count(CASE WHEN " ~ j ~ '.clicked' ~ " = 1 AND " ~ j ~ '.position' ~ " = " ~ (j ~ '.position' if rank is none else sqlmetrics.literal(rank)) ~ " THEN 1 END)", "count(CASE WHEN " ~ j ~ '.position' ~ " = " ~ (j ~ '.position' if rank is none else sqlmetrics.literal(rank)) ~ " THEN 1 END)") }}
{%- endmacro %}

{% macro dcg(j='j', k=none, gain='linear', negative='zero', discount='log', base=2) -%}
{%- do sqlmetrics.start('dcg', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('gain', gain, "one of binary, linear, exponential") -%}
{%- do sqlmetrics.require('negative', negative, "one of zero, raw") -%}
{%- do sqlmetrics.require('discount', discount, "one of log, clipped, reciprocal, none") -%}
{%- do sqlmetrics.require('base', base, "a number above 1") -%}
{{ sqlmetrics.discounted_sum(sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative), j ~ '.rank', sqlmetrics.literal(k), discount, base=base) }}
{%- endmacro %}

{% macro discounted_recall(j='j', k=none, denominator='cutoff') -%}
{%- do sqlmetrics.start('discounted_recall', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('denominator', denominator, "one of cutoff, achievable") -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ (j ~ '.num_exact' if k is none else sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.true_rank' ~ " <= " ~ sqlmetrics.k_at_most(k, j ~ '.num_exact') ~ " THEN 1e0" ~ real ~ " / " ~ sqlmetrics.rank_discount(j ~ '.true_rank', 'log', 2) ~ " END"), sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.ideal_rank' ~ " <= " ~ sqlmetrics.neighbours_wanted(k, j ~ '.num_exact', denominator) ~ " THEN 1e0" ~ real ~ " / " ~ sqlmetrics.rank_discount(j ~ '.ideal_rank', 'log', 2) ~ " END")) }}
{%- endmacro %}

{% macro distance_ratio(j='j', k=none) -%}
{%- do sqlmetrics.start('distance_ratio', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN min(coalesce({{ j ~ '.distance' }}, {{ j ~ '.ideal_distance' }})) < 0
    THEN {{ sqlmetrics.error("'distances below 0, such as ' || " ~ sqlmetrics.text("min(coalesce(" ~ j ~ '.distance' ~ ", " ~ j ~ '.ideal_distance' ~ "))") ~ " || ', have no ratio; use another metric'") }}
    ELSE CASE
        WHEN max(CASE WHEN {{ j ~ '.rank' }} <= {{ sqlmetrics.k_at_most(k, j ~ '.num_exact') }} THEN {{ j ~ '.distance' }} END) = 0
        AND coalesce(max(CASE WHEN {{ j ~ '.ideal_rank' }} <= {{ sqlmetrics.k_at_most(k, j ~ '.num_ret') }} THEN {{ j ~ '.ideal_distance' }} END), 0) = 0
        THEN 1e0{{ real }}
        ELSE {{ sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.k_at_most(k, j ~ '.num_exact') ~ " THEN " ~ j ~ '.distance' ~ " END") }} / nullif({{ sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.ideal_rank' ~ " <= " ~ sqlmetrics.k_at_most(k, j ~ '.num_ret') ~ " THEN " ~ j ~ '.ideal_distance' ~ " END") }}, 0)
    END
END
{%- endmacro %}

{% macro epc(j='j', k=none) -%}
{%- do sqlmetrics.start('epc', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN max({{ j ~ '.num_rel' }}) > 0
    THEN coalesce({{ sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN (1e0" ~ real ~ " - 1e0" ~ real ~ " * " ~ j ~ '.users' ~ " / " ~ j ~ '.num_users' ~ ") / " ~ sqlmetrics.rank_discount(j ~ '.rank', 'log', 2) ~ " END") }}, 0e0{{ real }}) / {{ sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " THEN 1e0" ~ real ~ " / " ~ sqlmetrics.rank_discount(j ~ '.rank', 'log', 2) ~ " END") }}
END
{%- endmacro %}

{% macro err(j='j', k=none, discount='reciprocal', base=2) -%}
{%- do sqlmetrics.start('err', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('discount', discount, "one of reciprocal, log, clipped, none") -%}
{%- do sqlmetrics.require('base', base, "a number above 1") -%}
{{ sqlmetrics.ratio(sqlmetrics.discounted_sum("(" ~ j ~ '.reach' ~ " * " ~ j ~ '.stop' ~ ")", j ~ '.rank', sqlmetrics.literal(k), discount, base=base), sqlmetrics.once_per_query(j, "1")) }}
{%- endmacro %}

{% macro err_ia(j='j', k=none, alpha=0.5) -%}
{%- do sqlmetrics.start('err_ia', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('alpha', alpha, "a number from 0 to 1") -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN " ~ sqlmetrics.power("1e0" ~ real ~ " - " ~ sqlmetrics.literal(alpha), j ~ '.hits' ~ " - 1") ~ " / " ~ j ~ '.rank' ~ " END"), sqlmetrics.once_per_subtopic(j, sqlmetrics.repeated_gain((j ~ '.num_ret' if k is none else sqlmetrics.literal(k)), alpha, 'reciprocal'))) }}
{%- endmacro %}

{% macro exposure_entropy(j='j', exposure='lists') -%}
{%- do sqlmetrics.start('exposure_entropy', j) -%}
{%- do sqlmetrics.require('exposure', exposure, "one of lists, discounted") -%}
{%- set real = sqlmetrics.real() -%}
{% if exposure == 'lists' %}((ln(1e0{{ real }} * sum({{ j ~ '.lists' }})) - {{ sqlmetrics.exact_sum("(" ~ j ~ '.lists' ~ " * ln(1e0" ~ real ~ " * " ~ j ~ '.lists' ~ "))") }} / sum({{ j ~ '.lists' }})) / ln(2e0{{ real }})){% elif exposure == 'discounted' %}((ln({{ sqlmetrics.exact_sum(j ~ '.discounted') }}) - {{ sqlmetrics.exact_sum("(" ~ j ~ '.discounted' ~ " * ln(" ~ j ~ '.discounted' ~ "))") }} / {{ sqlmetrics.exact_sum(j ~ '.discounted') }}) / ln(2e0{{ real }})){% else %}NULL{% endif %}
{%- endmacro %}

{% macro exposure_ratio(j='j') -%}
{%- do sqlmetrics.start('exposure_ratio', j) -%}
(min({{ j ~ '.exposure' }} / {{ j ~ '.num_items' }}) / nullif(max({{ j ~ '.exposure' }} / {{ j ~ '.num_items' }}), 0))
{%- endmacro %}

{% macro f_at(j='j', k=none, beta=1.0, alpha=none, beta_squared=none) -%}
{%- do sqlmetrics.start('f_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('beta', beta, "a number above 0") -%}
{%- do sqlmetrics.require('alpha', alpha, "a number from 0 to 1, or none") -%}
{%- do sqlmetrics.require('beta_squared', beta_squared, "a number, 0 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio(sqlmetrics.tp(j, sqlmetrics.literal(k)), "(" ~ sqlmetrics.precision_weight(beta, alpha, beta_squared) ~ " * " ~ sqlmetrics.once_per_query(j, (j ~ '.num_ret' if k is none else sqlmetrics.literal(k))) ~ " + (1e0" ~ real ~ " - " ~ sqlmetrics.precision_weight(beta, alpha, beta_squared) ~ ") * sum(" ~ j ~ '.relevant' ~ "))") }}
{%- endmacro %}

{% macro fall_out(j='j', k=none, corpus_size=none) -%}
{%- do sqlmetrics.start('fall_out', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('corpus_size', corpus_size, "a whole number, 1 or more, or none") -%}
{% if corpus_size is none %}{{ sqlmetrics.ratio(sqlmetrics.judged_fp(j, k), sqlmetrics.once_per_query(j, j ~ '.num_nonrel')) }}{% else %}{{ sqlmetrics.ratio(sqlmetrics.fp(j, k), "(" ~ sqlmetrics.fp(j, k) ~ " + " ~ sqlmetrics.tn(j, k, corpus_size) ~ ")") }}{% endif %}
{%- endmacro %}

{% macro fn_at(j='j', k=none) -%}
{%- do sqlmetrics.start('fn_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * {{ sqlmetrics.fn(j, k) }})
{%- endmacro %}

{% macro fp_at(j='j', k=none) -%}
{%- do sqlmetrics.start('fp_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * {{ sqlmetrics.fp(j, k) }})
{%- endmacro %}

{% macro gini(j='j', exposure='lists') -%}
{%- do sqlmetrics.start('gini', j) -%}
{%- do sqlmetrics.require('exposure', exposure, "one of lists, discounted") -%}
{%- set real = sqlmetrics.real() -%}
{% if exposure == 'lists' %}(1e0{{ real }} * sum((2 * {{ j ~ '.place' }} - {{ j ~ '.num_items' }} - 1) * {{ j ~ '.lists' }}) / nullif(max({{ j ~ '.num_items' }}) * sum({{ j ~ '.lists' }}), 0)){% elif exposure == 'discounted' %}({{ sqlmetrics.exact_sum("((2 * " ~ j ~ '.discounted_place' ~ " - " ~ j ~ '.num_items' ~ " - 1) * " ~ j ~ '.discounted' ~ ")") }} / nullif(max({{ j ~ '.num_items' }}) * {{ sqlmetrics.exact_sum(j ~ '.discounted') }}, 0)){% else %}NULL{% endif %}
{%- endmacro %}

{% macro granular_rr(j='j', k=none) -%}
{%- do sqlmetrics.start('granular_rr', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN 1e0" ~ real ~ " / " ~ j ~ '.rank' ~ " END"), sqlmetrics.tp(j, sqlmetrics.literal(k))) }}
{%- endmacro %}

{% macro hole_at(j='j', k=none) -%}
{%- do sqlmetrics.start('hole_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{{ sqlmetrics.ratio("(" ~ sqlmetrics.once_per_query(j, sqlmetrics.retrieved_at(k, j ~ '.num_ret')) ~ " - sum(CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " THEN 1 ELSE 0 END))", sqlmetrics.once_per_query(j, (j ~ '.num_ret' if k is none else sqlmetrics.literal(k)))) }}
{%- endmacro %}

{% macro id_recall(j='j', k=none, within=none, tied='last', denominator='cutoff') -%}
{%- do sqlmetrics.start('id_recall', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('within', within, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('tied', tied, "one of last, cut, all") -%}
{%- do sqlmetrics.require('denominator', denominator, "one of cutoff, achievable") -%}
{{- adapter.dispatch('id_recall', 'sqlmetrics')(j, k, within, tied, denominator) -}}
{%- endmacro %}
{% macro default__id_recall(j, k, within, tied, denominator) -%}
{{ sqlmetrics.ratio("least(count(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ ((j ~ '.num_exact' if k is none else sqlmetrics.literal(k)) if within is none else sqlmetrics.literal(within)) ~ " AND " ~ (j ~ '.true_first_rank' if tied == 'last' else (j ~ '.true_rank' if tied == 'cut' else (j ~ '.true_level' if tied == 'all' else "NULL"))) ~ " <= " ~ sqlmetrics.k_at_most(k, j ~ '.num_exact') ~ " THEN 1 END), " ~ sqlmetrics.once_per_query(j, sqlmetrics.k_at_most(k, j ~ '.num_exact')) ~ ")", sqlmetrics.once_per_query(j, sqlmetrics.neighbours_wanted(k, j ~ '.num_exact', denominator))) }}
{%- endmacro %}
{% macro sqlite__id_recall(j, k, within, tied, denominator) -%}
{{ sqlmetrics.ratio("min(count(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ ((j ~ '.num_exact' if k is none else sqlmetrics.literal(k)) if within is none else sqlmetrics.literal(within)) ~ " AND " ~ (j ~ '.true_first_rank' if tied == 'last' else (j ~ '.true_rank' if tied == 'cut' else (j ~ '.true_level' if tied == 'all' else "NULL"))) ~ " <= " ~ sqlmetrics.k_at_most(k, j ~ '.num_exact') ~ " THEN 1 END), " ~ sqlmetrics.once_per_query(j, sqlmetrics.k_at_most(k, j ~ '.num_exact')) ~ ")", sqlmetrics.once_per_query(j, sqlmetrics.neighbours_wanted(k, j ~ '.num_exact', denominator))) }}
{%- endmacro %}

{% macro ideal_dcg(j='j', k=none, gain='linear', negative='zero', discount='log', base=2, ideal='judged') -%}
{%- do sqlmetrics.start('ideal_dcg', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('gain', gain, "one of binary, linear, exponential") -%}
{%- do sqlmetrics.require('negative', negative, "one of zero, raw") -%}
{%- do sqlmetrics.require('discount', discount, "one of log, clipped, reciprocal, none") -%}
{%- do sqlmetrics.require('base', base, "a number above 1") -%}
{%- do sqlmetrics.require('ideal', ideal, "one of judged, uncut, retrieved, perfect") -%}
{%- set real = sqlmetrics.real() -%}
{% if ideal == 'perfect' %}{{ sqlmetrics.once_per_query(j, "coalesce(" ~ sqlmetrics.perfect_dcg("1", (j ~ '.num_ret' if k is none else sqlmetrics.literal(k)), discount, base) ~ ", 0e0" ~ real ~ ")") }}{% else %}{{ sqlmetrics.discounted_sum(sqlmetrics.graded_gain(j ~ '.grade', gain, negative=negative), (j ~ '.retrieved_ideal_rank' if ideal == 'retrieved' else j ~ '.ideal_rank'), (sqlmetrics.literal(k) if ideal != 'uncut' else "NULL"), discount, base=base) }}{% endif %}
{%- endmacro %}

{% macro ift(j='j', measure='utility') -%}
{%- do sqlmetrics.start('ift', j) -%}
{%- do sqlmetrics.require('measure', measure, "one of utility, total_utility, cost, total_cost, depth") -%}
{{ sqlmetrics.adaptive_user(j, measure) }}
{%- endmacro %}

{% macro ild(j='j', distance='cosine') -%}
{%- do sqlmetrics.start('ild', j) -%}
{%- do sqlmetrics.require('distance', distance, "one of cosine, hamming") -%}
{%- set real = sqlmetrics.real() -%}
CASE WHEN round({{ sqlmetrics.exact_sum(j ~ '.parts') }}) < 2 THEN 0e0{{ real }} ELSE {% if distance == 'cosine' %}(1e0{{ real }} - ({{ sqlmetrics.exact_sum("(" ~ j ~ '.weight' ~ " * " ~ j ~ '.weight' ~ ")") }} - round({{ sqlmetrics.exact_sum(j ~ '.parts') }})) / (round({{ sqlmetrics.exact_sum(j ~ '.parts') }}) * (round({{ sqlmetrics.exact_sum(j ~ '.parts') }}) - 1e0{{ real }}))){% elif distance == 'hamming' %}(2e0{{ real }} * (round({{ sqlmetrics.exact_sum(j ~ '.parts') }}) * sum({{ j ~ '.shown' }}) - sum({{ j ~ '.shown' }} * {{ j ~ '.shown' }})) / (round({{ sqlmetrics.exact_sum(j ~ '.parts') }}) * (round({{ sqlmetrics.exact_sum(j ~ '.parts') }}) - 1e0{{ real }}))){% else %}NULL{% endif %} END
{%- endmacro %}

{% macro inf_ap(j='j') -%}
{%- do sqlmetrics.start('inf_ap', j) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.relevant' ~ " = 1 THEN 1e0" ~ real ~ " / " ~ j ~ '.rank' ~ " + 1e0" ~ real ~ " * (" ~ j ~ '.hits' ~ " - 1 + " ~ j ~ '.false_positives' ~ " + " ~ j ~ '.skips' ~ ") / " ~ j ~ '.rank' ~ " * (" ~ j ~ '.hits' ~ " - 1 + 1e-5" ~ real ~ ") / (" ~ j ~ '.hits' ~ " - 1 + " ~ j ~ '.false_positives' ~ " + 2e-5" ~ real ~ ") END"), "sum(" ~ j ~ '.relevant' ~ ")") }}
{%- endmacro %}

{% macro insq(j='j', T=1, k=1000, measure='utility') -%}
{%- do sqlmetrics.start('insq', j) -%}
{%- do sqlmetrics.require('T', T, "a number above 0") -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more") -%}
{%- do sqlmetrics.require('measure', measure, "one of utility, total_utility, cost, total_cost, depth") -%}
{{ sqlmetrics.position_user(j, measure, sqlmetrics.literal(k), 'squared', x=sqlmetrics.literal(T), goes_on=true) }}
{%- endmacro %}

{% macro inst(j='j', measure='utility') -%}
{%- do sqlmetrics.start('inst', j) -%}
{%- do sqlmetrics.require('measure', measure, "one of utility, total_utility, cost, total_cost, depth") -%}
{{ sqlmetrics.adaptive_user(j, measure) }}
{%- endmacro %}

{% macro ip11(j='j', points=11, lowest=0, highest=1, rounding=0.9) -%}
{%- do sqlmetrics.start('ip11', j) -%}
{%- do sqlmetrics.require('points', points, "a whole number, 2 or more") -%}
{%- do sqlmetrics.require('lowest', lowest, "a number from 0 to 1") -%}
{%- do sqlmetrics.require('highest', highest, "a number from 0 to 1") -%}
{%- do sqlmetrics.require('rounding', rounding, "a number from 0 to 1") -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.rank' ~ " IS NOT NULL AND " ~ j ~ '.relevant' ~ " = 1 THEN " ~ j ~ '.interpolated' ~ " * " ~ sqlmetrics.recall_points(j ~ '.hits', j ~ '.num_rel', points, lowest, highest, rounding) ~ " END"), sqlmetrics.once_per_query(j, sqlmetrics.literal(points))) }}
{%- endmacro %}

{% macro iprec(j='j', recall=none, rounding=0.9) -%}
{%- do sqlmetrics.start('iprec', j) -%}
{%- do sqlmetrics.require('recall', recall, "a number from 0 to 1, or none") -%}
{%- do sqlmetrics.require('rounding', rounding, "a number from 0 to 1") -%}
{%- set real = sqlmetrics.real() -%}
coalesce(
    max(CASE WHEN {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits' }} >= {{ sqlmetrics.recall_count(("0" if recall is none else sqlmetrics.literal(recall)), j ~ '.num_rel', rounding) }} THEN {{ sqlmetrics.precision_at_rank(j) }} END),
    0e0{{ real }}
)
{%- endmacro %}

{% macro item_coverage(j='j') -%}
{%- do sqlmetrics.start('item_coverage', j) -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * count(CASE WHEN {{ j ~ '.lists' }} > 0 THEN 1 END) / nullif(count(*), 0))
{%- endmacro %}

{% macro jaccard_at(j='j', k=none) -%}
{%- do sqlmetrics.start('jaccard_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{{ sqlmetrics.ratio(sqlmetrics.tp(j, sqlmetrics.literal(k)), "(" ~ sqlmetrics.tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.fp(j, k) ~ " + " ~ sqlmetrics.fn(j, k) ~ ")") }}
{%- endmacro %}

{% macro judged_at(j='j', k=none) -%}
{%- do sqlmetrics.start('judged_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{{ sqlmetrics.ratio(sqlmetrics.num_judged(j, k), sqlmetrics.retrieved_at(k, "max(" ~ j ~ '.num_ret' ~ ")")) }}
{%- endmacro %}

{% macro long_clicks(j='j', seconds=30) -%}
{%- do sqlmetrics.start('long_clicks', j) -%}
{%- do sqlmetrics.require('seconds', seconds, "a number, 0 or more") -%}
{{ sqlmetrics.rate("count(CASE WHEN " ~ j ~ '.clicked' ~ " = 1 AND " ~ j ~ '.dwell_time' ~ " >= " ~ sqlmetrics.literal(seconds) ~ " THEN 1 END)", "count(CASE WHEN " ~ j ~ '.clicked' ~ " = 1 THEN " ~ j ~ '.dwell_time' ~ " END)") }}
{%- endmacro %}

{% macro lrap(j='j') -%}
{%- do sqlmetrics.start('lrap', j) -%}
{%- set real = sqlmetrics.real() -%}
coalesce({{ sqlmetrics.exact_sum("(1e0" ~ real ~ " * " ~ j ~ '.relevant' ~ " * " ~ sqlmetrics.hits_by_score(j) ~ " / nullif(" ~ sqlmetrics.hits_by_score(j) ~ " + " ~ sqlmetrics.false_positives_by_score(j) ~ ", 0))") }} / nullif(sum({{ j ~ '.relevant' }}), 0), 1e0{{ real }})
{%- endmacro %}

{% macro mcc_at(j='j', k=none, corpus_size=none) -%}
{%- do sqlmetrics.start('mcc_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('corpus_size', corpus_size, "a whole number, 1 or more") -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio("(1e0" ~ real ~ " * " ~ sqlmetrics.tp(j, sqlmetrics.literal(k)) ~ " * " ~ sqlmetrics.tn(j, k, corpus_size) ~ " - 1e0" ~ real ~ " * " ~ sqlmetrics.fp(j, k) ~ " * " ~ sqlmetrics.fn(j, k) ~ ")", "(sqrt(1e0" ~ real ~ " * (" ~ sqlmetrics.tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.fp(j, k) ~ ") * (" ~ sqlmetrics.tp(j, sqlmetrics.literal(k)) ~ " + " ~ sqlmetrics.fn(j, k) ~ ")) * sqrt(1e0" ~ real ~ " * (" ~ sqlmetrics.tn(j, k, corpus_size) ~ " + " ~ sqlmetrics.fp(j, k) ~ ") * (" ~ sqlmetrics.tn(j, k, corpus_size) ~ " + " ~ sqlmetrics.fn(j, k) ~ ")))") }}
{%- endmacro %}

{% macro mean_pop_rank(j='j', k=none) -%}
{%- do sqlmetrics.start('mean_pop_rank', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
({{ sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " THEN " ~ j ~ '.quantile' ~ " END") }} / count(CASE WHEN {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} THEN 1 END))
{%- endmacro %}

{% macro mean_pr_at(j='j', k=none, mean='arithmetic') -%}
{%- do sqlmetrics.start('mean_pr_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('mean', mean, "one of arithmetic, geometric") -%}
{% if mean == 'arithmetic' %}(({{ sqlmetrics.precision_at(j, k=k) }} + {{ sqlmetrics.recall_at(j, k=k) }}) / 2){% elif mean == 'geometric' %}sqrt({{ sqlmetrics.precision_at(j, k=k) }} * {{ sqlmetrics.recall_at(j, k=k) }}){% else %}NULL{% endif %}
{%- endmacro %}

{% macro miscalibration(j='j', alpha=0.01) -%}
{%- do sqlmetrics.start('miscalibration', j) -%}
{%- do sqlmetrics.require('alpha', alpha, "a number between 0 and 1") -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.exact_sum("(" ~ j ~ '.wanted' ~ " * ln( " ~ j ~ '.wanted' ~ " / ((1e0" ~ real ~ " - " ~ sqlmetrics.literal(alpha) ~ ") * " ~ j ~ '.shown' ~ " + " ~ sqlmetrics.literal(alpha) ~ " * " ~ j ~ '.wanted' ~ ") ))") }}
{%- endmacro %}

{% macro ncu(j='j', stop='graded', beta=1.0, gamma=0.95, stops=none) -%}
{%- do sqlmetrics.start('ncu', j) -%}
{%- do sqlmetrics.require('stop', stop, "one of graded, rank-biased, uniform") -%}
{%- do sqlmetrics.require('beta', beta, "a number, 0 or more") -%}
{%- do sqlmetrics.require('gamma', gamma, "a number from 0 to 1") -%}
{%- do sqlmetrics.require('stops', stops, "{relevance: gain, …}, or none") -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.relevant' ~ " = 1 THEN " ~ sqlmetrics.stop_weight(j, j ~ '.hits', stop, stops, gamma) ~ " * " ~ sqlmetrics.blended_ratio(j, beta) ~ " END"), (sqlmetrics.exact_sum("(" ~ j ~ '.relevant' ~ " * " ~ sqlmetrics.stop_weight(j, "NULL", stop, stops, gamma) ~ ")") if stop == 'graded' else sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.ideal_rank' ~ " <= " ~ j ~ '.num_rel' ~ " THEN " ~ sqlmetrics.stop_weight(j, j ~ '.ideal_rank', stop, stops, gamma) ~ " END"))) }}
{%- endmacro %}

{% macro ndcg(j='j', k=none, gain='linear', negative='zero', discount='log', base=2, ideal='judged') -%}
{%- do sqlmetrics.start('ndcg', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('gain', gain, "one of binary, linear, exponential") -%}
{%- do sqlmetrics.require('negative', negative, "one of zero, raw") -%}
{%- do sqlmetrics.require('discount', discount, "one of log, clipped, reciprocal, none") -%}
{%- do sqlmetrics.require('base', base, "a number above 1") -%}
{%- do sqlmetrics.require('ideal', ideal, "one of judged, uncut, retrieved, perfect") -%}
{{ sqlmetrics.ratio(sqlmetrics.dcg(j, k=k, gain=gain, negative=negative, discount=discount, base=base), sqlmetrics.ideal_dcg(j, k=k, gain=gain, negative=negative, discount=discount, base=base, ideal=ideal)) }}
{%- endmacro %}

{% macro ndcg_rel(j='j') -%}
{%- do sqlmetrics.start('ndcg_rel', j) -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.own_gain' ~ " > 0 THEN " ~ j ~ '.dcg' ~ " / " ~ j ~ '.ideal_dcg' ~ " END"), "count(CASE WHEN " ~ j ~ '.own_gain' ~ " > 0 THEN 1 END)") }}
{%- endmacro %}

{% macro nerr(j='j', k=none, discount='reciprocal', base=2) -%}
{%- do sqlmetrics.start('nerr', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('discount', discount, "one of reciprocal, log, clipped, none") -%}
{%- do sqlmetrics.require('base', base, "a number above 1") -%}
{{ sqlmetrics.ratio(sqlmetrics.discounted_sum("(" ~ j ~ '.reach' ~ " * " ~ j ~ '.stop' ~ ")", j ~ '.rank', sqlmetrics.literal(k), discount, base=base), sqlmetrics.discounted_sum("(" ~ j ~ '.ideal_reach' ~ " * " ~ j ~ '.stop' ~ ")", j ~ '.ideal_rank', sqlmetrics.literal(k), discount, base=base)) }}
{%- endmacro %}

{% macro nerr10(j='j', p=0.9, k=1000, measure='utility') -%}
{%- do sqlmetrics.start('nerr10', j) -%}
{%- do sqlmetrics.require('p', p, "a number between 0 and 1") -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more") -%}
{%- do sqlmetrics.require('measure', measure, "one of utility, total_utility, cost, total_cost, depth") -%}
{{ sqlmetrics.cascade_user(j, measure, k, 'geometric', x=p, goes_on=true) }}
{%- endmacro %}

{% macro nerr11(j='j', T=1, k=1000, measure='utility') -%}
{%- do sqlmetrics.start('nerr11', j) -%}
{%- do sqlmetrics.require('T', T, "a number above 0") -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more") -%}
{%- do sqlmetrics.require('measure', measure, "one of utility, total_utility, cost, total_cost, depth") -%}
{{ sqlmetrics.cascade_user(j, measure, k, 'squared', x=T, goes_on=true) }}
{%- endmacro %}

{% macro nerr8(j='j', k=1000, measure='utility') -%}
{%- do sqlmetrics.start('nerr8', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more") -%}
{%- do sqlmetrics.require('measure', measure, "one of utility, total_utility, cost, total_cost, depth") -%}
{{ sqlmetrics.cascade_user(j, measure, k, 'endless') }}
{%- endmacro %}

{% macro nerr9(j='j', k=1000, measure='utility') -%}
{%- do sqlmetrics.start('nerr9', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more") -%}
{%- do sqlmetrics.require('measure', measure, "one of utility, total_utility, cost, total_cost, depth") -%}
{{ sqlmetrics.cascade_user(j, measure, k, 'reciprocal') }}
{%- endmacro %}

{% macro nerr_ia(j='j', k=none) -%}
{%- do sqlmetrics.start('nerr_ia', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{{ sqlmetrics.ratio(sqlmetrics.discounted_sum(j ~ '.gain', j ~ '.rank', sqlmetrics.literal(k), 'reciprocal'), sqlmetrics.discounted_sum(j ~ '.greedy_gain', j ~ '.greedy_rank', sqlmetrics.literal(k), 'reciprocal')) }}
{%- endmacro %}

{% macro nnrbp(j='j', k=none, beta=0.5) -%}
{%- do sqlmetrics.start('nnrbp', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('beta', beta, "a number from 0 to 1") -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " THEN " ~ j ~ '.gain' ~ " * " ~ sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(beta), j ~ '.rank' ~ " - 1") ~ " END"), sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.greedy_rank', sqlmetrics.literal(k)) ~ " THEN " ~ j ~ '.greedy_gain' ~ " * " ~ sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(beta), j ~ '.greedy_rank' ~ " - 1") ~ " END")) }}
{%- endmacro %}

{% macro normalized_gain(j='j') -%}
{%- do sqlmetrics.start('normalized_gain', j) -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("(" ~ j ~ '.own_gain' ~ " / " ~ sqlmetrics.rank_discount("(1 + " ~ j ~ '.rank' ~ " + " ~ j ~ '.ideal_surplus' ~ " - " ~ j ~ '.cg' ~ ")", 'log', 2) ~ ")"), sqlmetrics.exact_sum(j ~ '.own_gain')) }}
{%- endmacro %}

{% macro novelty(j='j', k=none) -%}
{%- do sqlmetrics.start('novelty', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{{- adapter.dispatch('novelty', 'sqlmetrics')(j, k) -}}
{%- endmacro %}
{% macro default__novelty(j, k) -%}
{%- set real = sqlmetrics.real() -%}
({{ sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " THEN ln(1e0" ~ real ~ " * " ~ j ~ '.num_users' ~ " / greatest(" ~ j ~ '.users' ~ ", 1)) END") }} / ln(2e0{{ real }}) / count(CASE WHEN {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} THEN 1 END))
{%- endmacro %}
{% macro sqlite__novelty(j, k) -%}
{%- set real = sqlmetrics.real() -%}
({{ sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " THEN ln(1e0" ~ real ~ " * " ~ j ~ '.num_users' ~ " / max(" ~ j ~ '.users' ~ ", 1)) END") }} / ln(2e0{{ real }}) / count(CASE WHEN {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} THEN 1 END))
{%- endmacro %}

{% macro npv(j='j', rate=0.1, k=1000, measure='utility') -%}
{%- do sqlmetrics.start('npv', j) -%}
{%- do sqlmetrics.require('rate', rate, "a number above 0") -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more") -%}
{%- do sqlmetrics.require('measure', measure, "one of utility, total_utility, cost, total_cost, depth") -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.position_user(j, measure, sqlmetrics.literal(k), 'geometric', x="(1e0" ~ real ~ " / (1e0" ~ real ~ " + " ~ sqlmetrics.literal(rate) ~ "))", goes_on=true) }}
{%- endmacro %}

{% macro nrbp(j='j', k=none, alpha=0.5, beta=0.5) -%}
{%- do sqlmetrics.start('nrbp', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('alpha', alpha, "a number from 0 to 1") -%}
{%- do sqlmetrics.require('beta', beta, "a number from 0 to 1") -%}
{%- set real = sqlmetrics.real() -%}
((1e0{{ real }} - (1e0{{ real }} - {{ sqlmetrics.literal(alpha) }}) * {{ sqlmetrics.literal(beta) }}) * {{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN " ~ sqlmetrics.power("1e0" ~ real ~ " - " ~ sqlmetrics.literal(alpha), j ~ '.hits' ~ " - 1") ~ " * " ~ sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(beta), j ~ '.rank' ~ " - 1") ~ " END"), sqlmetrics.once_per_subtopic(j, "1")) }})
{%- endmacro %}

{% macro num_nonrel_ret(j='j') -%}
{%- do sqlmetrics.start('num_nonrel_ret', j) -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * {{ sqlmetrics.judged_fp(j, none) }})
{%- endmacro %}

{% macro num_prefs(j='j') -%}
{%- do sqlmetrics.start('num_prefs', j) -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * sum({{ j ~ '.possible' }}))
{%- endmacro %}

{% macro num_prefs_ful(j='j') -%}
{%- do sqlmetrics.start('num_prefs_ful', j) -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * sum({{ j ~ '.fulfilled' }}))
{%- endmacro %}

{% macro num_q(j='j') -%}
{%- do sqlmetrics.start('num_q', j) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.once_per_query(j, "1e0" ~ real) }}
{%- endmacro %}

{% macro num_rel(j='j') -%}
{%- do sqlmetrics.start('num_rel', j) -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * sum({{ j ~ '.relevant' }}))
{%- endmacro %}

{% macro num_rel_ret(j='j', k=none) -%}
{%- do sqlmetrics.start('num_rel_ret', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * {{ sqlmetrics.tp(j, sqlmetrics.literal(k)) }})
{%- endmacro %}

{% macro num_ret(j='j', k=none) -%}
{%- do sqlmetrics.start('num_ret', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * {{ sqlmetrics.retrieved_at(k, "max(" ~ j ~ '.num_ret' ~ ")") }})
{%- endmacro %}

{% macro o_measure(j='j', beta=1.0) -%}
{%- do sqlmetrics.start('o_measure', j) -%}
{%- do sqlmetrics.require('beta', beta, "a number, 0 or more") -%}
{%- set real = sqlmetrics.real() -%}
coalesce(
    max(
        CASE
            WHEN {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.hits' }} = 1
            THEN (1e0{{ real }} + {{ sqlmetrics.literal(beta) }} * {{ j ~ '.own_gain' }}) / ({{ j ~ '.rank' }} + {{ sqlmetrics.literal(beta) }} * {{ j ~ '.ideal_cg' }})
        END
    ),
    0e0{{ real }}
)
{%- endmacro %}

{% macro overlap(j='j', k=none) -%}
{%- do sqlmetrics.start('overlap', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * count(CASE WHEN {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ sqlmetrics.within_k(j ~ '.baseline_rank', sqlmetrics.literal(k)) }} THEN 1 END) / count(CASE WHEN {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} THEN 1 END))
{%- endmacro %}

{% macro p_measure(j='j', beta=1.0) -%}
{%- do sqlmetrics.start('p_measure', j) -%}
{%- do sqlmetrics.require('beta', beta, "a number, 0 or more") -%}
{%- set real = sqlmetrics.real() -%}
coalesce(max(CASE WHEN {{ j ~ '.rank' }} = {{ j ~ '.preferred_rank' }} THEN {{ sqlmetrics.blended_ratio(j, beta) }} END), 0e0{{ real }})
{%- endmacro %}

{% macro p_plus(j='j', beta=1.0) -%}
{%- do sqlmetrics.start('p_plus', j) -%}
{%- do sqlmetrics.require('beta', beta, "a number, 0 or more") -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ j ~ '.preferred_rank' ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN " ~ sqlmetrics.blended_ratio(j, beta) ~ " END"), "sum(CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ j ~ '.preferred_rank' ~ " THEN " ~ j ~ '.relevant' ~ " END)") }}
{%- endmacro %}

{% macro pages(j='j') -%}
{%- do sqlmetrics.start('pages', j) -%}
count(CASE WHEN {{ j ~ '.page_rows' }} > 0 THEN 1 END)
{%- endmacro %}

{% macro pair_accuracy(j='j', k=none) -%}
{%- do sqlmetrics.start('pair_accuracy', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
coalesce(
    1e0{{ real }} - 1e0{{ real }} * sum(CASE WHEN {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ j ~ '.relevant' }} = 1 THEN {{ j ~ '.rank' }} - {{ j ~ '.hits' }} END) / nullif(
        sum(
            CASE
                WHEN {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ j ~ '.relevant' }} = 1
                THEN {{ sqlmetrics.retrieved_at(k, j ~ '.num_ret') }} + 1 - 2 * {{ j ~ '.hits' }}
            END /* hits is 1, 2, … f for f relevant among n documents; n + 1 - 2 · hits adds up to f · (n - f), all pairs */
        ),
        0
    ),
    {{ sqlmetrics.success_at(j, k=k) }}
)
{%- endmacro %}

{% macro personalization(j='j') -%}
{%- do sqlmetrics.start('personalization', j) -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} - ({{ sqlmetrics.exact_sum("(" ~ j ~ '.presence' ~ " * " ~ j ~ '.presence' ~ ")") }} - sum({{ j ~ '.first_places' }})) / nullif(sum({{ j ~ '.first_places' }}) * (sum({{ j ~ '.first_places' }}) - 1e0{{ real }}), 0))
{%- endmacro %}

{% macro pop_reo(j='j') -%}
{%- do sqlmetrics.start('pop_reo', j) -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN count(*) = 2
    THEN (max(1e0{{ real }} * {{ j ~ '.hits' }} / {{ j ~ '.num_rel' }}) - min(1e0{{ real }} * {{ j ~ '.hits' }} / {{ j ~ '.num_rel' }})) / nullif(sum(1e0{{ real }} * {{ j ~ '.hits' }} / {{ j ~ '.num_rel' }}), 0)
END
{%- endmacro %}

{% macro precision_at(j='j', k=none, denominator='cutoff') -%}
{%- do sqlmetrics.start('precision_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('denominator', denominator, "one of cutoff, retrieved, achievable, listed, relevant") -%}
{{ sqlmetrics.ratio(sqlmetrics.tp(j, sqlmetrics.literal(k)), sqlmetrics.once_per_query(j, sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret'))) }}
{%- endmacro %}

{% macro precision_ia(j='j', k=none, subtopics='relevant') -%}
{%- do sqlmetrics.start('precision_ia', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('subtopics', subtopics, "one of relevant, judged") -%}
{{ sqlmetrics.ratio(sqlmetrics.tp(j, sqlmetrics.literal(k)), sqlmetrics.once_per_subtopic(j, (j ~ '.num_ret' if k is none else sqlmetrics.literal(k)), subtopics=subtopics)) }}
{%- endmacro %}

{% macro prefs_avgjg(j='j') -%}
{%- do sqlmetrics.start('prefs_avgjg', j) -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum(sqlmetrics.ratio(j ~ '.fulfilled', j ~ '.group_possible')), "count(CASE WHEN " ~ j ~ '.group_place' ~ " = 1 THEN 1 END)") }}
{%- endmacro %}

{% macro prefs_avgjg_balanced(j='j') -%}
{%- do sqlmetrics.start('prefs_avgjg_balanced', j) -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum(sqlmetrics.ratio(j ~ '.balanced_fulfilled', j ~ '.balanced_group_possible')), "count(CASE WHEN " ~ j ~ '.group_place' ~ " = 1 THEN 1 END)") }}
{%- endmacro %}

{% macro prefs_pair(j='j') -%}
{%- do sqlmetrics.start('prefs_pair', j) -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum(j ~ '.pair_fulfilled'), sqlmetrics.exact_sum(j ~ '.pair_possible')) }}
{%- endmacro %}

{% macro prefs_simp(j='j') -%}
{%- do sqlmetrics.start('prefs_simp', j) -%}
{{ sqlmetrics.ratio("sum(" ~ j ~ '.fulfilled' ~ ")", "sum(" ~ j ~ '.possible' ~ ")") }}
{%- endmacro %}

{% macro q_measure(j='j', k=none, beta=1.0) -%}
{%- do sqlmetrics.start('q_measure', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('beta', beta, "a number, 0 or more") -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevant' ~ " = 1 THEN " ~ sqlmetrics.blended_ratio(j, beta) ~ " END"), sqlmetrics.once_per_query(j, "CASE WHEN " ~ j ~ '.num_rel' ~ " > " ~ sqlmetrics.literal(k) ~ " THEN " ~ sqlmetrics.literal(k) ~ " ELSE " ~ j ~ '.num_rel' ~ " END")) }}
{%- endmacro %}

{% macro ranking_loss(j='j') -%}
{%- do sqlmetrics.start('ranking_loss', j) -%}
{{ sqlmetrics.ratio("sum(" ~ j ~ '.relevant' ~ " * " ~ sqlmetrics.false_positives_by_score(j) ~ ")", "sum(" ~ j ~ '.relevant' ~ " * " ~ j ~ '.num_nonrel' ~ ")") }}
{%- endmacro %}

{% macro rbp(j='j', k=none, p=0.8, gain='binary', max_rel=none, scaled=false, denominator='endless') -%}
{%- do sqlmetrics.start('rbp', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('p', p, "a number between 0 and 1") -%}
{%- do sqlmetrics.require('gain', gain, "one of binary, linear, exponential") -%}
{%- do sqlmetrics.require('max_rel', max_rel, "a number above 0, or none") -%}
{%- do sqlmetrics.require('scaled', scaled, "true or false") -%}
{%- do sqlmetrics.require('denominator', denominator, "one of endless, cutoff, relevant, achievable, retrieved, listed") -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio("((1e0" ~ real ~ " - " ~ sqlmetrics.literal(p) ~ ") * " ~ sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " THEN " ~ sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(p), j ~ '.rank' ~ " - 1") ~ " * " ~ sqlmetrics.rbp_gain(j ~ '.relevant', j ~ '.grade', gain, max_rel) ~ " END") ~ ")", sqlmetrics.rbp_scale(j, k, p, gain, scaled, denominator)) }}
{%- endmacro %}

{% macro rbp_resid(j='j', k=none, p=0.8, needs_unjudged=false) -%}
{%- do sqlmetrics.start('rbp_resid', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('p', p, "a number between 0 and 1") -%}
{%- do sqlmetrics.require('needs_unjudged', needs_unjudged, "true or false") -%}
{%- set real = sqlmetrics.real() -%}
{% if needs_unjudged %}CASE
    WHEN {{ sqlmetrics.num_judged(j, k) }} = {{ sqlmetrics.once_per_query(j, sqlmetrics.retrieved_at(k, j ~ '.num_ret')) }}
    THEN 0e0{{ real }}
    ELSE 1e0{{ real }} - (1e0{{ real }} - {{ sqlmetrics.literal(p) }}) * {{ sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevance' ~ " >= 0 THEN " ~ sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(p), j ~ '.rank' ~ " - 1") ~ " ELSE 0e0" ~ real ~ " END") }} / {{ sqlmetrics.once_per_query(j, "1") }}
END{% else %}(1e0{{ real }} - (1e0{{ real }} - {{ sqlmetrics.literal(p) }}) * {{ sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevance' ~ " >= 0 THEN " ~ sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(p), j ~ '.rank' ~ " - 1") ~ " ELSE 0e0" ~ real ~ " END") }} / {{ sqlmetrics.once_per_query(j, "1") }}){% endif %}
{%- endmacro %}

{% macro recall_at(j='j', k=none, denominator='relevant') -%}
{%- do sqlmetrics.start('recall_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('denominator', denominator, "one of relevant, achievable, listed, cutoff, retrieved") -%}
{{ sqlmetrics.ratio(sqlmetrics.tp(j, sqlmetrics.literal(k)), sqlmetrics.once_per_query(j, sqlmetrics.divisor(denominator, k, j ~ '.num_rel', j ~ '.num_ret'))) }}
{%- endmacro %}

{% macro recall_at_precision(j='j', k=none, p=0.8) -%}
{%- do sqlmetrics.start('recall_at_precision', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('p', p, "a number from 0 to 1") -%}
{%- set real = sqlmetrics.real() -%}
coalesce(
    max(CASE WHEN {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ sqlmetrics.precision_at_rank(j) }} >= {{ sqlmetrics.literal(p) }} THEN {{ sqlmetrics.ratio(j ~ '.hits', j ~ '.num_rel') }} END),
    0e0{{ real }}
)
{%- endmacro %}

{% macro relstring(j='j', k=10) -%}
{%- do sqlmetrics.start('relstring', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more") -%}
{{- adapter.dispatch('relstring', 'sqlmetrics')(j, k) -}}
{%- endmacro %}
{% macro default__relstring(j, k) -%}
{{ sqlmetrics.refuse('relstring', "it does not support lambda functions over arrays") }}
{%- endmacro %}
{% macro duckdb__relstring(j, k) -%}
array_to_string(
    list_transform(
        range(1, {{ sqlmetrics.literal(k) }} + 1),
        LAMBDA _rank : CASE
            WHEN max({{ j ~ '.num_ret' }}) < _rank
            THEN ''
            ELSE coalesce(
                max(
                    CASE
                        WHEN {{ j ~ '.rank' }} = _rank AND {{ j ~ '.relevance' }} >= 10
                        THEN '>'
                        WHEN {{ j ~ '.rank' }} = _rank AND {{ j ~ '.relevance' }} < 0
                        THEN '.'
                        WHEN {{ j ~ '.rank' }} = _rank
                        THEN CAST(CAST(floor({{ j ~ '.relevance' }}) AS INT) AS TEXT)
                    END
                ),
                '-'
            )
        END
    ),
    ''
)
{%- endmacro %}

{% macro response_time(j='j', percentile=none) -%}
{%- do sqlmetrics.start('response_time', j) -%}
{%- do sqlmetrics.require('percentile', percentile, "a number between 0 and 100, or none") -%}
{{ sqlmetrics.percentile_or_mean("CASE WHEN " ~ j ~ '.page_rows' ~ " > 0 THEN " ~ j ~ '.page_response_time' ~ " END", percentile) }}
{%- endmacro %}

{% macro rndcg(j='j') -%}
{%- do sqlmetrics.start('rndcg', j) -%}
{%- set real = sqlmetrics.real() -%}
CASE WHEN max({{ j ~ '.num_rel' }}) > 0 THEN {{ sqlmetrics.ratio("(" ~ sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.level_end' ~ " = 1 THEN " ~ j ~ '.dcg' ~ " / " ~ j ~ '.ideal_dcg' ~ " END") ~ " + max(" ~ j ~ '.goes_on' ~ ") * " ~ sqlmetrics.ratio(sqlmetrics.discounted_sum(j ~ '.own_gain', j ~ '.rank', "NULL", 'log'), "max(" ~ j ~ '.ideal_dcg' ~ ")") ~ ")", "(sum(" ~ j ~ '.level_end' ~ ") + max(" ~ j ~ '.goes_on' ~ "))") }} ELSE 0e0{{ real }} END
{%- endmacro %}

{% macro rprec(j='j', multiple=1) -%}
{%- do sqlmetrics.start('rprec', j) -%}
{%- do sqlmetrics.require('multiple', multiple, "a number above 0") -%}
{{ sqlmetrics.ratio(sqlmetrics.tp(j, sqlmetrics.recall_count(sqlmetrics.literal(multiple), j ~ '.num_rel', 0.9)), sqlmetrics.once_per_query(j, sqlmetrics.recall_count(sqlmetrics.literal(multiple), j ~ '.num_rel', 0.9))) }}
{%- endmacro %}

{% macro rprec_ia(j='j', multiple=1, subtopics='relevant') -%}
{%- do sqlmetrics.start('rprec_ia', j) -%}
{%- do sqlmetrics.require('multiple', multiple, "a number above 0") -%}
{%- do sqlmetrics.require('subtopics', subtopics, "one of relevant, judged") -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.rank' ~ " <= " ~ sqlmetrics.rprec_cutoff(j ~ '.num_rel', multiple) ~ " THEN " ~ j ~ '.relevant' ~ " / " ~ sqlmetrics.rprec_cutoff(j ~ '.num_rel', multiple) ~ " END"), sqlmetrics.once_per_subtopic(j, "1", subtopics=subtopics)) }}
{%- endmacro %}

{% macro rr(j='j', k=none) -%}
{%- do sqlmetrics.start('rr', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
coalesce(
    1e0{{ real }} / min(CASE WHEN {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ j ~ '.relevant' }} = 1 THEN {{ j ~ '.rank' }} END),
    0e0{{ real }}
)
{%- endmacro %}

{% macro sdcg(j='j', k=1000, measure='utility') -%}
{%- do sqlmetrics.start('sdcg', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more") -%}
{%- do sqlmetrics.require('measure', measure, "one of utility, total_utility, cost, total_cost, depth") -%}
{{ sqlmetrics.position_user(j, measure, sqlmetrics.literal(k), 'log') }}
{%- endmacro %}

{% macro serendipity(j='j', k=none) -%}
{%- do sqlmetrics.start('serendipity', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
(coalesce({{ sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.relevant' ~ " = 1 AND " ~ j ~ '.chance' ~ " > " ~ j ~ '.popular_chance' ~ " THEN " ~ j ~ '.chance' ~ " - " ~ j ~ '.popular_chance' ~ " END") }}, 0e0{{ real }}) / count(CASE WHEN {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} THEN 1 END))
{%- endmacro %}

{% macro set_ap(j='j') -%}
{%- do sqlmetrics.start('set_ap', j) -%}
({{ sqlmetrics.precision_at(j) }} * {{ sqlmetrics.recall_at(j) }})
{%- endmacro %}

{% macro set_user(j='j', beta=0.5, k=1000, measure='utility') -%}
{%- do sqlmetrics.start('set_user', j) -%}
{%- do sqlmetrics.require('beta', beta, "a number above 0") -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more") -%}
{%- do sqlmetrics.require('measure', measure, "one of utility, total_utility, cost, total_cost, depth") -%}
{{ sqlmetrics.position_user(j, measure, sqlmetrics.literal(k), 'power', x=sqlmetrics.literal(beta)) }}
{%- endmacro %}

{% macro skip_above(j='j') -%}
{%- do sqlmetrics.start('skip_above', j) -%}
{{ sqlmetrics.rate("count(CASE WHEN " ~ j ~ '.position' ~ " < " ~ j ~ '.last_click' ~ " AND " ~ j ~ '.clicked' ~ " = 0 THEN 1 END)", "count(CASE WHEN " ~ j ~ '.position' ~ " < " ~ j ~ '.last_click' ~ " THEN 1 END)") }}
{%- endmacro %}

{% macro slow_abandonment(j='j') -%}
{%- do sqlmetrics.start('slow_abandonment', j) -%}
({{ sqlmetrics.mean_of("CASE WHEN " ~ j ~ '.page_rows' ~ " > 0 AND " ~ j ~ '.num_shown' ~ " > 0 AND " ~ j ~ '.num_clicked' ~ " = 0 THEN " ~ j ~ '.page_response_time' ~ " END") }} - {{ sqlmetrics.mean_of("CASE WHEN " ~ j ~ '.page_rows' ~ " > 0 AND " ~ j ~ '.num_clicked' ~ " > 0 THEN " ~ j ~ '.page_response_time' ~ " END") }})
{%- endmacro %}

{% macro specificity_at(j='j', k=none, corpus_size=none) -%}
{%- do sqlmetrics.start('specificity_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('corpus_size', corpus_size, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} - {{ sqlmetrics.fall_out(j, k=k, corpus_size=corpus_size) }})
{%- endmacro %}

{% macro st_recall(j='j', k=none, subtopics='relevant') -%}
{%- do sqlmetrics.start('st_recall', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('subtopics', subtopics, "one of relevant, judged") -%}
{{ sqlmetrics.ratio("sum(CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " AND " ~ j ~ '.hits' ~ " = 1 THEN " ~ j ~ '.relevant' ~ " END)", sqlmetrics.once_per_subtopic(j, "1", subtopics=subtopics)) }}
{%- endmacro %}

{% macro step_ap(j='j') -%}
{%- do sqlmetrics.start('step_ap', j) -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.ratio(sqlmetrics.exact_sum("CASE WHEN " ~ j ~ '.relevant' ~ " = 1 AND " ~ j ~ '.first_rank' ~ " IS NOT NULL THEN 1e0" ~ real ~ " * (" ~ j ~ '.hits_above' ~ " + " ~ j ~ '.hits_tied' ~ ") / coalesce( " ~ j ~ '.first_rank' ~ " + " ~ j ~ '.num_tied' ~ " - 1, " ~ j ~ '.hits_above' ~ " + " ~ j ~ '.hits_tied' ~ " + " ~ j ~ '.false_positives_above' ~ " + " ~ j ~ '.false_positives_tied' ~ " ) END"), "sum(" ~ j ~ '.relevant' ~ ")") }}
{%- endmacro %}

{% macro success_at(j='j', k=none) -%}
{%- do sqlmetrics.start('success_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * max(CASE WHEN {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} THEN {{ j ~ '.relevant' }} ELSE 0 END))
{%- endmacro %}

{% macro surprisal(j='j', k=none) -%}
{%- do sqlmetrics.start('surprisal', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{{- adapter.dispatch('surprisal', 'sqlmetrics')(j, k) -}}
{%- endmacro %}
{% macro default__surprisal(j, k) -%}
{%- set real = sqlmetrics.real() -%}
({{ sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " THEN ln(1e0" ~ real ~ " * " ~ j ~ '.num_users' ~ " / greatest(" ~ j ~ '.users' ~ ", 1)) END") }} / nullif(ln(1e0{{ real }} * max({{ j ~ '.num_users' }})), 0) / {% if k is none %}max({{ j ~ '.num_ret' }}){% else %}{{ sqlmetrics.literal(k) }}{% endif %})
{%- endmacro %}
{% macro sqlite__surprisal(j, k) -%}
{%- set real = sqlmetrics.real() -%}
({{ sqlmetrics.exact_sum("CASE WHEN " ~ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) ~ " THEN ln(1e0" ~ real ~ " * " ~ j ~ '.num_users' ~ " / max(" ~ j ~ '.users' ~ ", 1)) END") }} / nullif(ln(1e0{{ real }} * max({{ j ~ '.num_users' }})), 0) / {% if k is none %}max({{ j ~ '.num_ret' }}){% else %}{{ sqlmetrics.literal(k) }}{% endif %})
{%- endmacro %}

{% macro tail_share(j='j', k=none, tail=0.1) -%}
{%- do sqlmetrics.start('tail_share', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('tail', tail, "a number above 0") -%}
{{- adapter.dispatch('tail_share', 'sqlmetrics')(j, k, tail) -}}
{%- endmacro %}
{% macro default__tail_share(j, k, tail) -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * count(CASE WHEN NOT {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} THEN NULL ELSE {% if tail is not none and tail > 1 %}CASE
    WHEN {{ j ~ '.users' }} > 0 AND {{ j ~ '.users' }} <= {{ sqlmetrics.literal(tail) }}
    THEN 1
    ELSE {% if tail is not none and tail <= 1 %}CASE
    WHEN {{ j ~ '.place' }} <= greatest(floor({{ j ~ '.num_items' }} * {{ sqlmetrics.literal(tail) }}), 1)
    THEN 1
END{% else %}NULL{% endif %}
END{% elif tail is not none and tail <= 1 %}CASE WHEN {{ j ~ '.place' }} <= greatest(floor({{ j ~ '.num_items' }} * {{ sqlmetrics.literal(tail) }}), 1) THEN 1 END{% else %}NULL{% endif %} END) / count(CASE WHEN {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} THEN 1 END))
{%- endmacro %}
{% macro sqlite__tail_share(j, k, tail) -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * count(CASE WHEN NOT {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} THEN NULL ELSE {% if tail is not none and tail > 1 %}CASE
    WHEN {{ j ~ '.users' }} > 0 AND {{ j ~ '.users' }} <= {{ sqlmetrics.literal(tail) }}
    THEN 1
    ELSE {% if tail is not none and tail <= 1 %}CASE WHEN {{ j ~ '.place' }} <= max(floor({{ j ~ '.num_items' }} * {{ sqlmetrics.literal(tail) }}), 1) THEN 1 END{% else %}NULL{% endif %}
END{% elif tail is not none and tail <= 1 %}CASE WHEN {{ j ~ '.place' }} <= max(floor({{ j ~ '.num_items' }} * {{ sqlmetrics.literal(tail) }}), 1) THEN 1 END{% else %}NULL{% endif %} END) / count(CASE WHEN {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} THEN 1 END))
{%- endmacro %}

{% macro tbg(j='j', halflife=224, k=1000, measure='utility') -%}
{%- do sqlmetrics.start('tbg', j) -%}
{%- do sqlmetrics.require('halflife', halflife, "a number above 0") -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more") -%}
{%- do sqlmetrics.require('measure', measure, "one of utility, total_utility, cost, total_cost, depth") -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.position_user(j, measure, sqlmetrics.literal(k), 'geometric', x="(power(2e0" ~ real ~ ", -1e0" ~ real ~ " / " ~ sqlmetrics.literal(halflife) ~ "))") }}
{%- endmacro %}

{% macro time_to_click(j='j', percentile=50) -%}
{%- do sqlmetrics.start('time_to_click', j) -%}
{%- do sqlmetrics.require('percentile', percentile, "a number between 0 and 100, or none") -%}
{{ sqlmetrics.percentile_or_mean("CASE WHEN " ~ j ~ '.page_rows' ~ " > 0 THEN " ~ j ~ '.first_click_time' ~ " END", percentile) }}
{%- endmacro %}

{% macro tn_at(j='j', k=none, corpus_size=none) -%}
{%- do sqlmetrics.start('tn_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('corpus_size', corpus_size, "a whole number, 1 or more") -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * {{ sqlmetrics.tn(j, k, corpus_size) }})
{%- endmacro %}

{% macro u_measure(j='j', L=1000, k=1000, measure='utility') -%}
{%- do sqlmetrics.start('u_measure', j) -%}
{%- do sqlmetrics.require('L', L, "a number above 0") -%}
{%- do sqlmetrics.require('k', k, "a whole number, 2 or more") -%}
{%- do sqlmetrics.require('measure', measure, "one of utility, total_utility, cost, total_cost, depth") -%}
{{ sqlmetrics.position_user(j, measure, "(" ~ sqlmetrics.literal(k) ~ " - 1)", 'linear', x=sqlmetrics.literal(L)) }}
{%- endmacro %}

{% macro unexpectedness(j='j', k=none) -%}
{%- do sqlmetrics.start('unexpectedness', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} - 1e0{{ real }} * count(CASE WHEN {{ sqlmetrics.within_k(j ~ '.rank', sqlmetrics.literal(k)) }} AND {{ sqlmetrics.within_k(j ~ '.baseline_rank', sqlmetrics.literal(k)) }} THEN 1 END) / {% if k is none %}max({{ j ~ '.num_ret' }}){% else %}{{ sqlmetrics.literal(k) }}{% endif %})
{%- endmacro %}

{% macro unjudged_at(j='j', k=none) -%}
{%- do sqlmetrics.start('unjudged_at', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{{ sqlmetrics.ratio("(" ~ sqlmetrics.once_per_query(j, sqlmetrics.retrieved_at(k, j ~ '.num_ret')) ~ " - " ~ sqlmetrics.num_judged(j, k) ~ ")", sqlmetrics.once_per_query(j, (j ~ '.num_ret' if k is none else sqlmetrics.literal(k)))) }}
{%- endmacro %}

{% macro user_coverage(j='j', k=none) -%}
{%- do sqlmetrics.start('user_coverage', j) -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * max(CASE WHEN {{ j ~ '.num_ret' }} >= {% if k is none %}1{% else %}{{ sqlmetrics.literal(k) }}{% endif %} THEN 1 ELSE 0 END))
{%- endmacro %}

{% macro utility(j='j', rel_ret=1, nonrel_ret=-1, rel_left=0, nonrel_left=0, corpus_size=0) -%}
{%- do sqlmetrics.start('utility', j) -%}
{%- do sqlmetrics.require('rel_ret', rel_ret, "a number") -%}
{%- do sqlmetrics.require('nonrel_ret', nonrel_ret, "a number") -%}
{%- do sqlmetrics.require('rel_left', rel_left, "a number") -%}
{%- do sqlmetrics.require('nonrel_left', nonrel_left, "a number") -%}
{%- do sqlmetrics.require('corpus_size', corpus_size, "a number") -%}
{%- set real = sqlmetrics.real() -%}
(1e0{{ real }} * {{ sqlmetrics.literal(rel_ret) }} * {{ sqlmetrics.tp(j, "NULL") }} + {{ sqlmetrics.literal(nonrel_ret) }} * {{ sqlmetrics.fp(j, none) }} + {{ sqlmetrics.literal(rel_left) }} * {{ sqlmetrics.fn(j, none) }} + {{ sqlmetrics.literal(nonrel_left) }} * ({{ sqlmetrics.literal(corpus_size) }} - {{ sqlmetrics.tp(j, "NULL") }} - {{ sqlmetrics.fp(j, none) }} - {{ sqlmetrics.fn(j, none) }}))
{%- endmacro %}

{% macro vector_ild(j='j') -%}
{%- do sqlmetrics.start('vector_ild', j) -%}
{%- set real = sqlmetrics.real() -%}
CASE
    WHEN max({{ j ~ '.shown' }}) < 2
    THEN 0e0{{ real }}
    ELSE 1e0{{ real }} - ({{ sqlmetrics.exact_sum("(" ~ j ~ '.total' ~ " * " ~ j ~ '.total' ~ ")") }} - max({{ j ~ '.shown' }})) / (max({{ j ~ '.shown' }}) * (max({{ j ~ '.shown' }}) - 1e0{{ real }}))
END
{%- endmacro %}

{% macro yaap(j='j') -%}
{%- do sqlmetrics.start('yaap', j) -%}
{%- set real = sqlmetrics.real() -%}
ln(
    (1e0{{ real }} + sum({{ j ~ '.relevant' }}) * {{ sqlmetrics.ap(j) }}) / (1e0{{ real }} + sum({{ j ~ '.relevant' }}) * (1e0{{ real }} - {{ sqlmetrics.ap(j) }}))
)
{%- endmacro %}

{% macro zero_results(j='j') -%}
{%- do sqlmetrics.start('zero_results', j) -%}
{{ sqlmetrics.rate("count(CASE WHEN " ~ j ~ '.page_rows' ~ " > 0 AND " ~ j ~ '.num_shown' ~ " = 0 THEN 1 END)", sqlmetrics.pages(j)) }}
{%- endmacro %}
