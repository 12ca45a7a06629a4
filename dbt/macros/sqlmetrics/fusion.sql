{% macro ballots(run, depth=none) -%}
{%- do sqlmetrics.start('ballots') -%}
{%- do sqlmetrics.require('depth', depth, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
(
WITH _ranked AS (
    SELECT
        *
    FROM {{ sqlmetrics.rankings(run, depth=depth) }} AS _r
), _documents AS (
    SELECT
        _d.query_id,
        _d.doc_id,
        count(*) OVER (PARTITION BY _d.query_id) AS num_candidates
    FROM (
        SELECT DISTINCT
            _r.query_id,
            _r.doc_id
        FROM _ranked AS _r
    ) AS _d
), _lists AS (
    SELECT
        _r.run_id,
        _r.query_id,
        count(*) AS num_ret
    FROM _ranked AS _r
    GROUP BY
        _r.run_id,
        _r.query_id
)
SELECT
    _w.run_id,
    _d.query_id,
    _d.doc_id,
    _r.rank,
    _l.num_ret,
    _d.num_candidates,
    1e0{{ real }} - coalesce(
        1e0{{ real }} * (_r.rank - 1),
        (_d.num_candidates + _l.num_ret - 1) / 2e0{{ real }}
    ) / _d.num_candidates AS score,
    _w.weight
FROM _documents AS _d
INNER JOIN _lists AS _l
    ON _d.query_id = _l.query_id
INNER JOIN {{ sqlmetrics.run_weights(run) }} AS _w
    ON _l.run_id = _w.run_id
LEFT JOIN _ranked AS _r
    ON _w.run_id = _r.run_id AND _d.query_id = _r.query_id AND _d.doc_id = _r.doc_id
)
{%- endmacro %}

{% macro bayesfuse(l='l') -%}
{%- do sqlmetrics.start('bayesfuse', l, 'l') -%}
{%- set real = sqlmetrics.real() -%}
({{ sqlmetrics.sorted_sum("ln( CASE WHEN " ~ l ~ '.share' ~ " > 0 THEN " ~ l ~ '.share' ~ " ELSE 1e-3" ~ real ~ " END / CASE WHEN " ~ l ~ '.share' ~ " <= 0 THEN 999e-3" ~ real ~ " WHEN " ~ l ~ '.share' ~ " < 1 THEN 1e0" ~ real ~ " - " ~ l ~ '.share' ~ " ELSE 1e-3" ~ real ~ " END )") }} + (max({{ l ~ '.num_runs' }}) - count(*)) * ln(1e-3{{ real }} / 999e-3{{ real }}))
{%- endmacro %}

{% macro best_passage(p='p') -%}
{%- do sqlmetrics.start('best_passage', p, 'p') -%}
max({{ p ~ '.score' }})
{%- endmacro %}

{% macro borda(b='b') -%}
{%- do sqlmetrics.start('borda', b, 'b') -%}
{{ sqlmetrics.sorted_sum("(" ~ b ~ '.weight' ~ " * " ~ b ~ '.num_candidates' ~ " * " ~ b ~ '.score' ~ ")") }}
{%- endmacro %}

{% macro candidates(run, normalization='min_max', depth=none) -%}
{%- do sqlmetrics.start('candidates') -%}
{%- do sqlmetrics.require('normalization', normalization, "one of min_max, max, sum, z_score, rank, relative_score, distribution_based, none") -%}
{%- do sqlmetrics.require('depth', depth, "a whole number, 1 or more, or none") -%}
(
SELECT
    _s.run_id,
    _s.query_id,
    _s.doc_id,
    {% if normalization == 'min_max' %}{{ sqlmetrics.min_max('_s') }}{% elif normalization == 'max' %}{{ sqlmetrics.max_score('_s') }}{% elif normalization == 'sum' %}{{ sqlmetrics.sum_score('_s') }}{% elif normalization == 'z_score' %}{{ sqlmetrics.z_score('_s') }}{% elif normalization == 'rank' %}{{ sqlmetrics.rank_score('_s') }}{% elif normalization == 'relative_score' %}{{ sqlmetrics.relative_score('_s') }}{% elif normalization == 'distribution_based' %}{{ sqlmetrics.distribution_score('_s') }}{% else %}_s.score{% endif %} AS score,
    _s.rank,
    _s.num_ret,
    _w.weight
FROM {{ sqlmetrics.scored_lists(run, depth) }} AS _s
INNER JOIN {{ sqlmetrics.run_weights(run) }} AS _w
    ON _s.run_id = _w.run_id
)
{%- endmacro %}

{% macro collapse(run, mapping, method='best') -%}
{%- do sqlmetrics.start('collapse') -%}
{%- do sqlmetrics.require('method', method, "one of best, sum") -%}
(
SELECT
    _d.run_id,
    _d.query_id,
    _d.doc_id,
    _d.score,
    row_number() OVER (PARTITION BY _d.run_id, _d.query_id ORDER BY {{ sqlmetrics.descending("_d.score") }}, {{ sqlmetrics.descending("_d.doc_id") }}) AS rank
FROM (
    SELECT
        _p.run_id,
        _p.query_id,
        _p.doc_id,
        {% if method == 'sum' %}{{ sqlmetrics.passage_sum('_p') }}{% else %}{{ sqlmetrics.best_passage('_p') }}{% endif %} AS score
    FROM {{ sqlmetrics.passages(run, mapping) }} AS _p
    GROUP BY
        _p.run_id,
        _p.query_id,
        _p.doc_id
) AS _d
ORDER BY
    run_id ASC,
    query_id ASC,
    rank ASC
)
{%- endmacro %}

{% macro comb_anz(c='c') -%}
{%- do sqlmetrics.start('comb_anz', c, 'c') -%}
{{ sqlmetrics.ratio(sqlmetrics.sorted_sum("(" ~ c ~ '.weight' ~ " * " ~ c ~ '.score' ~ ")"), sqlmetrics.sorted_sum(c ~ '.weight')) }}
{%- endmacro %}

{% macro comb_gmnz(c='c', gamma=0.5) -%}
{%- do sqlmetrics.start('comb_gmnz', c, 'c') -%}
{%- do sqlmetrics.require('gamma', gamma, "a number, 0 or more") -%}
{%- set real = sqlmetrics.real() -%}
({{ sqlmetrics.sorted_sum("(" ~ c ~ '.weight' ~ " * " ~ c ~ '.score' ~ ")") }} * {{ sqlmetrics.power("1e0" ~ real ~ " * count(*)", sqlmetrics.literal(gamma)) }})
{%- endmacro %}

{% macro comb_max(c='c') -%}
{%- do sqlmetrics.start('comb_max', c, 'c') -%}
max({{ c ~ '.weight' }} * {{ c ~ '.score' }})
{%- endmacro %}

{% macro comb_med(c='c') -%}
{%- do sqlmetrics.start('comb_med', c, 'c') -%}
{{ sqlmetrics.percentile_of("(" ~ c ~ '.weight' ~ " * " ~ c ~ '.score' ~ ")", "50") }}
{%- endmacro %}

{% macro comb_min(c='c') -%}
{%- do sqlmetrics.start('comb_min', c, 'c') -%}
min({{ c ~ '.weight' }} * {{ c ~ '.score' }})
{%- endmacro %}

{% macro comb_mixed(c='c') -%}
{%- do sqlmetrics.start('comb_mixed', c, 'c') -%}
{%- set real = sqlmetrics.real() -%}
(sqrt(1e0{{ real }} * count(*)) * {{ sqlmetrics.sorted_sum("(" ~ c ~ '.weight' ~ " * " ~ c ~ '.score' ~ ")") }})
{%- endmacro %}

{% macro comb_mnz(c='c') -%}
{%- do sqlmetrics.start('comb_mnz', c, 'c') -%}
({{ sqlmetrics.sorted_sum(c ~ '.score') }} * {{ sqlmetrics.sorted_sum(c ~ '.weight') }})
{%- endmacro %}

{% macro comb_sum(c='c') -%}
{%- do sqlmetrics.start('comb_sum', c, 'c') -%}
{{ sqlmetrics.sorted_sum("(" ~ c ~ '.weight' ~ " * " ~ c ~ '.score' ~ ")") }}
{%- endmacro %}

{% macro condorcet(d='d') -%}
{%- do sqlmetrics.start('condorcet', d, 'd') -%}
{%- set real = sqlmetrics.real() -%}
(
    sum(
        CASE
            WHEN {{ d ~ '.margin' }} > 1e-12{{ real }}
            THEN 1e0{{ real }}
            WHEN {{ d ~ '.margin' }} >= -1e-12{{ real }}
            THEN 5e-1{{ real }}
            ELSE 0e0{{ real }}
        END
    ) - 5e-1{{ real }}
)
{%- endmacro %}

{% macro duels(run, depth=none) -%}
{%- do sqlmetrics.start('duels') -%}
{%- do sqlmetrics.require('depth', depth, "a whole number, 1 or more, or none") -%}
{%- set real = sqlmetrics.real() -%}
(
WITH _ballots AS (
    SELECT
        *
    FROM {{ sqlmetrics.ballots(run, depth=depth) }} AS _r
)
SELECT
    _p.query_id,
    _p.doc_id,
    _p.other_id,
    {{ sqlmetrics.sorted_sum("CASE WHEN _p.place < _p.other_place THEN _p.weight WHEN _p.place > _p.other_place THEN -_p.weight ELSE 0e0" ~ real ~ " END") }} AS margin
FROM (
    SELECT
        _a.query_id,
        _a.doc_id,
        _b.doc_id AS other_id,
        coalesce(_a.rank, _a.num_ret + 1) AS place,
        coalesce(_b.rank, _b.num_ret + 1) AS other_place,
        _a.weight
    FROM _ballots AS _a
    INNER JOIN _ballots AS _b
        ON _a.query_id = _b.query_id AND _a.run_id = _b.run_id
) AS _p
GROUP BY
    _p.query_id,
    _p.doc_id,
    _p.other_id
)
{%- endmacro %}

{% macro isr(c='c') -%}
{%- do sqlmetrics.start('isr', c, 'c') -%}
(count(*) * {{ sqlmetrics.sorted_sum("(" ~ c ~ '.weight' ~ " / " ~ sqlmetrics.power(c ~ '.rank', "2") ~ ")") }})
{%- endmacro %}

{% macro learned_doubling(qrels, training, run, rel=1, depth=none) -%}
{%- do sqlmetrics.start('learned_doubling') -%}
{%- do sqlmetrics.require('rel', rel, "a number above 0") -%}
{%- do sqlmetrics.require('depth', depth, "a whole number, 1 or more, or none") -%}
(
SELECT
    _l.*
FROM {{ sqlmetrics.learned_rows(qrels, training, run, rel, 'doubling', none, depth) }} AS _l
)
{%- endmacro %}

{% macro learned_growing(qrels, training, run, rel=1, depth=none) -%}
{%- do sqlmetrics.start('learned_growing') -%}
{%- do sqlmetrics.require('rel', rel, "a number above 0") -%}
{%- do sqlmetrics.require('depth', depth, "a whole number, 1 or more, or none") -%}
(
SELECT
    _l.*
FROM {{ sqlmetrics.learned_rows(qrels, training, run, rel, 'growing', none, depth) }} AS _l
)
{%- endmacro %}

{% macro learned_parts(qrels, training, run, rel=1, parts=25, depth=none) -%}
{%- do sqlmetrics.start('learned_parts') -%}
{%- do sqlmetrics.require('rel', rel, "a number above 0") -%}
{%- do sqlmetrics.require('parts', parts, "a whole number, 1 or more") -%}
{%- do sqlmetrics.require('depth', depth, "a whole number, 1 or more, or none") -%}
(
SELECT
    _l.*
FROM {{ sqlmetrics.learned_rows(qrels, training, run, rel, 'equal', parts, depth) }} AS _l
)
{%- endmacro %}

{% macro learned_ranks(qrels, training, run, rel=1, depth=none) -%}
{%- do sqlmetrics.start('learned_ranks') -%}
{%- do sqlmetrics.require('rel', rel, "a number above 0") -%}
{%- do sqlmetrics.require('depth', depth, "a whole number, 1 or more, or none") -%}
(
SELECT
    _l.*
FROM {{ sqlmetrics.learned_rows(qrels, training, run, rel, 'ranks', none, depth) }} AS _l
)
{%- endmacro %}

{% macro learned_windows(qrels, training, run, rel=1, width=5, depth=none) -%}
{%- do sqlmetrics.start('learned_windows') -%}
{%- do sqlmetrics.require('rel', rel, "a number above 0") -%}
{%- do sqlmetrics.require('width', width, "a whole number, 1 or more") -%}
{%- do sqlmetrics.require('depth', depth, "a whole number, 1 or more, or none") -%}
{{- adapter.dispatch('learned_windows', 'sqlmetrics')(qrels, training, run, rel, width, depth) -}}
{%- endmacro %}
{% macro default__learned_windows(qrels, training, run, rel, width, depth) -%}
(
SELECT
    _l.run_id,
    _l.query_id,
    _l.doc_id,
    _l.score,
    _l.rank,
    _l.num_ret,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("_l.share") ~ ") OVER ( PARTITION BY _l.run_id, _l.query_id ORDER BY " ~ sqlmetrics.ascending("_l.rank") ~ " ROWS BETWEEN " ~ sqlmetrics.literal(width) ~ " PRECEDING AND " ~ sqlmetrics.literal(width) ~ " FOLLOWING )") }} / (1 + least(_l.rank + {{ sqlmetrics.literal(width) }}, _l.num_ret) - greatest(_l.rank - {{ sqlmetrics.literal(width) }}, 1)) AS share
FROM {{ sqlmetrics.learned_rows(qrels, training, run, rel, 'ranks', none, depth) }} AS _l
)
{%- endmacro %}
{% macro sqlite__learned_windows(qrels, training, run, rel, width, depth) -%}
(
SELECT
    _l.run_id,
    _l.query_id,
    _l.doc_id,
    _l.score,
    _l.rank,
    _l.num_ret,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("_l.share") ~ ") OVER ( PARTITION BY _l.run_id, _l.query_id ORDER BY " ~ sqlmetrics.ascending("_l.rank") ~ " ROWS BETWEEN " ~ sqlmetrics.literal(width) ~ " PRECEDING AND " ~ sqlmetrics.literal(width) ~ " FOLLOWING )") }} / (1 + min(_l.rank + {{ sqlmetrics.literal(width) }}, _l.num_ret) - max(_l.rank - {{ sqlmetrics.literal(width) }}, 1)) AS share
FROM {{ sqlmetrics.learned_rows(qrels, training, run, rel, 'ranks', none, depth) }} AS _l
)
{%- endmacro %}

{% macro log_isr(c='c') -%}
{%- do sqlmetrics.start('log_isr', c, 'c') -%}
{%- set real = sqlmetrics.real() -%}
(ln(1e0{{ real }} * count(*)) * {{ sqlmetrics.sorted_sum("(" ~ c ~ '.weight' ~ " / " ~ sqlmetrics.power(c ~ '.rank', "2") ~ ")") }})
{%- endmacro %}

{% macro logn_isr(c='c', sigma=0.01) -%}
{%- do sqlmetrics.start('logn_isr', c, 'c') -%}
{%- do sqlmetrics.require('sigma', sigma, "a number from 0 to 1") -%}
(ln(count(*) + {{ sqlmetrics.literal(sigma) }}) * {{ sqlmetrics.sorted_sum("(" ~ c ~ '.weight' ~ " / " ~ sqlmetrics.power(c ~ '.rank', "2") ~ ")") }})
{%- endmacro %}

{% macro mapfuse(c='c') -%}
{%- do sqlmetrics.start('mapfuse', c, 'c') -%}
{{ sqlmetrics.sorted_sum("(" ~ c ~ '.weight' ~ " / " ~ c ~ '.rank' ~ ")") }}
{%- endmacro %}

{% macro passage_sum(p='p') -%}
{%- do sqlmetrics.start('passage_sum', p, 'p') -%}
{{ sqlmetrics.sorted_sum(p ~ '.score') }}
{%- endmacro %}

{% macro passages(run, mapping) -%}
{%- do sqlmetrics.start('passages') -%}
(
SELECT
    _r.run_id,
    _r.query_id,
    _m.doc_id,
    _r.doc_id AS passage_id,
    _r.score,
    _r.rank
FROM {{ sqlmetrics.rankings(run) }} AS _r
INNER JOIN {{ sqlmetrics.read_passages(mapping) }} AS _m
    ON _r.doc_id = _m.passage_id
)
{%- endmacro %}

{% macro posfuse(l='l') -%}
{%- do sqlmetrics.start('posfuse', l, 'l') -%}
{{ sqlmetrics.sorted_sum(l ~ '.share') }}
{%- endmacro %}

{% macro probfuse(l='l') -%}
{%- do sqlmetrics.start('probfuse', l, 'l') -%}
{{ sqlmetrics.sorted_sum("(" ~ l ~ '.share' ~ " / " ~ l ~ '.segment' ~ ")") }}
{%- endmacro %}

{% macro rbc(c='c', p=0.8) -%}
{%- do sqlmetrics.start('rbc', c, 'c') -%}
{%- do sqlmetrics.require('p', p, "a number between 0 and 1") -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.sorted_sum("(" ~ c ~ '.weight' ~ " * (1e0" ~ real ~ " - " ~ sqlmetrics.literal(p) ~ ") * " ~ sqlmetrics.power("1e0" ~ real ~ " * " ~ sqlmetrics.literal(p), c ~ '.rank' ~ " - 1") ~ ")") }}
{%- endmacro %}

{% macro rrf(c='c', k=60) -%}
{%- do sqlmetrics.start('rrf', c, 'c') -%}
{%- do sqlmetrics.require('k', k, "a number, 0 or more") -%}
{{ sqlmetrics.sorted_sum("(" ~ c ~ '.weight' ~ " / (" ~ sqlmetrics.literal(k) ~ " + " ~ c ~ '.rank' ~ "))") }}
{%- endmacro %}

{% macro segfuse(l='l') -%}
{%- do sqlmetrics.start('segfuse', l, 'l') -%}
{%- set real = sqlmetrics.real() -%}
{{ sqlmetrics.sorted_sum("(" ~ l ~ '.share' ~ " * (1e0" ~ real ~ " + " ~ l ~ '.score' ~ "))") }}
{%- endmacro %}

{% macro slidefuse(l='l') -%}
{%- do sqlmetrics.start('slidefuse', l, 'l') -%}
{{ sqlmetrics.sorted_sum(l ~ '.share') }}
{%- endmacro %}
