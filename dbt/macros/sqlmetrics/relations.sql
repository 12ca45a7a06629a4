{% macro annotated(qrels, run, rel=1, ties='descending', depth=none, judged_only=false) -%}
{%- do sqlmetrics.start('annotated') -%}
{%- do sqlmetrics.require('rel', rel, "a number above 0") -%}
{%- do sqlmetrics.require('ties', ties, "one of descending, ascending, rank, best, worst") -%}
{%- do sqlmetrics.require('depth', depth, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('judged_only', judged_only, "true or false") -%}
{%- set real = sqlmetrics.real() -%}
(
WITH _known AS (
    SELECT
        _q.query_id,
        _q.doc_id,
        _q.relevance
    FROM {{ sqlmetrics.judgments(qrels) }} AS _q
    UNION ALL
    SELECT DISTINCT
        _d.query_id,
        _d.doc_id,
        -1e0{{ real }} AS relevance
    FROM {{ sqlmetrics.retrieved(run) }} AS _d
    INNER JOIN (
        SELECT DISTINCT
            _a.query_id
        FROM {{ sqlmetrics.judgments(qrels) }} AS _a
    ) AS _u
        ON _d.query_id = _u.query_id
    INNER JOIN (
        SELECT DISTINCT
            _b.doc_id
        FROM {{ sqlmetrics.judgments(qrels) }} AS _b
    ) AS _v
        ON _d.doc_id = _v.doc_id
    LEFT JOIN {{ sqlmetrics.judgments(qrels) }} AS _o
        ON _d.query_id = _o.query_id AND _d.doc_id = _o.doc_id
    WHERE
        _o.doc_id IS NULL
)
SELECT
    *
FROM {{ sqlmetrics.judged('_known', run, rel=rel, ties=ties, depth=depth, judged_only=judged_only) }} AS _r
)
{%- endmacro %}

{% macro balanced_preferences(preferences, pairs='judged', as_coded=false) -%}
{%- do sqlmetrics.start('balanced_preferences') -%}
{%- do sqlmetrics.require('pairs', pairs, "one of judged, either, both") -%}
{%- do sqlmetrics.require('as_coded', as_coded, "true or false") -%}
{{- adapter.dispatch('balanced_preferences', 'sqlmetrics')(preferences, pairs, as_coded) -}}
{%- endmacro %}
{% macro default__balanced_preferences(preferences, pairs, as_coded) -%}
(
SELECT
    _g.*,
    {% if as_coded %}CASE
    WHEN min(_g.balanced_group_possible) OVER (PARTITION BY _g.run_id, _g.query_id) = 0
    THEN 0
    ELSE _g.counted_fulfilled
END{% else %}_g.counted_fulfilled{% endif %} AS balanced_fulfilled
FROM (
    SELECT
        _b.*,
        sum(_b.balanced_possible) OVER (PARTITION BY _b.run_id, _b.query_id, _b.subtopic) AS balanced_group_possible
    FROM (
        SELECT
            _n.*,
            {% if as_coded %}CASE
    WHEN _n.relevance = 0 AND _n.group_nonrel > _n.group_rel AND _n.is_counted = 1
    THEN _n.group_rel
    ELSE {% if pairs == 'either' %}CASE
    WHEN _n.relevance > 0 AND _n.rank IS NULL
    THEN _n.possible - greatest(_n.nonrel_above - _n.group_rel, 0)
    ELSE CASE
        WHEN _n.relevance > 0 AND _n.is_counted = 1
        THEN _n.possible - _n.group_nonrel + _n.group_rel
        ELSE {% if as_coded %}CASE
    WHEN _n.relevance > 0 AND _n.group_rel > _n.group_nonrel
    THEN _n.group_rel - _n.group_nonrel
    ELSE 0
END{% else %}0{% endif %}
    END
END{% else %}CASE
    WHEN _n.relevance > 0 AND _n.is_counted = 1
    THEN _n.possible - _n.group_nonrel + _n.group_rel
    ELSE {% if as_coded %}CASE
    WHEN _n.relevance > 0 AND _n.group_rel > _n.group_nonrel
    THEN _n.group_rel - _n.group_nonrel
    ELSE 0
END{% else %}0{% endif %}
END{% endif %}
END{% elif pairs == 'either' %}CASE
    WHEN _n.relevance > 0 AND _n.rank IS NULL
    THEN _n.possible - greatest(_n.nonrel_above - _n.group_rel, 0)
    ELSE CASE
        WHEN _n.relevance > 0 AND _n.is_counted = 1
        THEN _n.possible - _n.group_nonrel + _n.group_rel
        ELSE {% if as_coded %}CASE
    WHEN _n.relevance > 0 AND _n.group_rel > _n.group_nonrel
    THEN _n.group_rel - _n.group_nonrel
    ELSE 0
END{% else %}0{% endif %}
    END
END{% else %}CASE
    WHEN _n.relevance > 0 AND _n.is_counted = 1
    THEN _n.possible - _n.group_nonrel + _n.group_rel
    ELSE {% if as_coded %}CASE
    WHEN _n.relevance > 0 AND _n.group_rel > _n.group_nonrel
    THEN _n.group_rel - _n.group_nonrel
    ELSE 0
END{% else %}0{% endif %}
END{% endif %} AS balanced_possible,
            CASE WHEN _n.rank IS NULL THEN 0 ELSE {% if as_coded %}CASE
    WHEN _n.relevance = 0
    AND _n.group_nonrel > _n.group_rel
    AND _n.group_rel > _n.nonrel_above
    THEN _n.group_rel - _n.nonrel_above - 1
    ELSE CASE
        WHEN _n.relevance > 0
        THEN _n.fulfilled - (_n.group_nonrel - _n.nonrel_above) + greatest(_n.group_rel - _n.nonrel_above, 0)
        ELSE 0
    END
END{% else %}CASE
    WHEN _n.relevance > 0
    THEN _n.fulfilled - (_n.group_nonrel - _n.nonrel_above) + greatest(_n.group_rel - _n.nonrel_above, 0)
    ELSE 0
END{% endif %} END AS counted_fulfilled
        FROM (
            SELECT
                _c.*,
                sum(CASE WHEN _c.relevance > 0 THEN _c.is_counted ELSE 0 END) OVER (PARTITION BY _c.run_id, _c.query_id, _c.subtopic) AS group_rel,
                sum(CASE WHEN _c.relevance = 0 THEN _c.is_counted ELSE 0 END) OVER (PARTITION BY _c.run_id, _c.query_id, _c.subtopic) AS group_nonrel,
                count(CASE WHEN _c.relevance = 0 THEN _c.rank END) OVER (
                    PARTITION BY _c.run_id, _c.query_id, _c.subtopic
                    ORDER BY {{ sqlmetrics.ascending("_c.rank") }}, {{ sqlmetrics.descending("_c.doc_id") }}
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) AS nonrel_above
            FROM (
                SELECT
                    _p.*,
                    CASE WHEN {{ sqlmetrics.literal(pairs) }} <> 'both' OR _p.rank IS NOT NULL THEN 1 ELSE 0 END AS is_counted
                FROM {{ preferences }} AS _p
            ) AS _c
        ) AS _n
    ) AS _b
) AS _g
)
{%- endmacro %}
{% macro sqlite__balanced_preferences(preferences, pairs, as_coded) -%}
(
SELECT
    _g.*,
    {% if as_coded %}CASE
    WHEN min(_g.balanced_group_possible) OVER (PARTITION BY _g.run_id, _g.query_id) = 0
    THEN 0
    ELSE _g.counted_fulfilled
END{% else %}_g.counted_fulfilled{% endif %} AS balanced_fulfilled
FROM (
    SELECT
        _b.*,
        sum(_b.balanced_possible) OVER (PARTITION BY _b.run_id, _b.query_id, _b.subtopic) AS balanced_group_possible
    FROM (
        SELECT
            _n.*,
            {% if as_coded %}CASE
    WHEN _n.relevance = 0 AND _n.group_nonrel > _n.group_rel AND _n.is_counted = 1
    THEN _n.group_rel
    ELSE {% if pairs == 'either' %}CASE
    WHEN _n.relevance > 0 AND _n.rank IS NULL
    THEN _n.possible - max(_n.nonrel_above - _n.group_rel, 0)
    ELSE CASE
        WHEN _n.relevance > 0 AND _n.is_counted = 1
        THEN _n.possible - _n.group_nonrel + _n.group_rel
        ELSE {% if as_coded %}CASE
    WHEN _n.relevance > 0 AND _n.group_rel > _n.group_nonrel
    THEN _n.group_rel - _n.group_nonrel
    ELSE 0
END{% else %}0{% endif %}
    END
END{% else %}CASE
    WHEN _n.relevance > 0 AND _n.is_counted = 1
    THEN _n.possible - _n.group_nonrel + _n.group_rel
    ELSE {% if as_coded %}CASE
    WHEN _n.relevance > 0 AND _n.group_rel > _n.group_nonrel
    THEN _n.group_rel - _n.group_nonrel
    ELSE 0
END{% else %}0{% endif %}
END{% endif %}
END{% elif pairs == 'either' %}CASE
    WHEN _n.relevance > 0 AND _n.rank IS NULL
    THEN _n.possible - max(_n.nonrel_above - _n.group_rel, 0)
    ELSE CASE
        WHEN _n.relevance > 0 AND _n.is_counted = 1
        THEN _n.possible - _n.group_nonrel + _n.group_rel
        ELSE {% if as_coded %}CASE
    WHEN _n.relevance > 0 AND _n.group_rel > _n.group_nonrel
    THEN _n.group_rel - _n.group_nonrel
    ELSE 0
END{% else %}0{% endif %}
    END
END{% else %}CASE
    WHEN _n.relevance > 0 AND _n.is_counted = 1
    THEN _n.possible - _n.group_nonrel + _n.group_rel
    ELSE {% if as_coded %}CASE
    WHEN _n.relevance > 0 AND _n.group_rel > _n.group_nonrel
    THEN _n.group_rel - _n.group_nonrel
    ELSE 0
END{% else %}0{% endif %}
END{% endif %} AS balanced_possible,
            CASE WHEN _n.rank IS NULL THEN 0 ELSE {% if as_coded %}CASE
    WHEN _n.relevance = 0
    AND _n.group_nonrel > _n.group_rel
    AND _n.group_rel > _n.nonrel_above
    THEN _n.group_rel - _n.nonrel_above - 1
    ELSE CASE
        WHEN _n.relevance > 0
        THEN _n.fulfilled - (_n.group_nonrel - _n.nonrel_above) + max(_n.group_rel - _n.nonrel_above, 0)
        ELSE 0
    END
END{% else %}CASE
    WHEN _n.relevance > 0
    THEN _n.fulfilled - (_n.group_nonrel - _n.nonrel_above) + max(_n.group_rel - _n.nonrel_above, 0)
    ELSE 0
END{% endif %} END AS counted_fulfilled
        FROM (
            SELECT
                _c.*,
                sum(CASE WHEN _c.relevance > 0 THEN _c.is_counted ELSE 0 END) OVER (PARTITION BY _c.run_id, _c.query_id, _c.subtopic) AS group_rel,
                sum(CASE WHEN _c.relevance = 0 THEN _c.is_counted ELSE 0 END) OVER (PARTITION BY _c.run_id, _c.query_id, _c.subtopic) AS group_nonrel,
                count(CASE WHEN _c.relevance = 0 THEN _c.rank END) OVER (
                    PARTITION BY _c.run_id, _c.query_id, _c.subtopic
                    ORDER BY {{ sqlmetrics.ascending("_c.rank") }}, {{ sqlmetrics.descending("_c.doc_id") }}
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) AS nonrel_above
            FROM (
                SELECT
                    _p.*,
                    CASE WHEN {{ sqlmetrics.literal(pairs) }} <> 'both' OR _p.rank IS NOT NULL THEN 1 ELSE 0 END AS is_counted
                FROM {{ preferences }} AS _p
            ) AS _c
        ) AS _n
    ) AS _b
) AS _g
)
{%- endmacro %}

{% macro calibrated(rankings, history, items, k=none, discount='log') -%}
{%- do sqlmetrics.start('calibrated') -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('discount', discount, "one of log, reciprocal, none") -%}
{%- set real = sqlmetrics.real() -%}
(
WITH _counted AS (
    SELECT
        _r.run_id,
        _r.query_id,
        _c.category,
        _c.part / {{ sqlmetrics.rank_discount("_r.rank", discount, 2) }} AS weight
    FROM {{ rankings }} AS _r
    INNER JOIN {{ sqlmetrics.item_categories(items) }} AS _c
        ON _r.doc_id = _c.doc_id
    WHERE
        {{ sqlmetrics.within_k("_r.rank", sqlmetrics.literal(k)) }}
)
SELECT
    _l.run_id,
    _l.query_id,
    _w.category,
    _w.weight / _w.all_weight AS wanted,
    coalesce(_s.weight, 0e0{{ real }}) / _l.weight AS shown
FROM (
    SELECT
        _a.run_id,
        _a.query_id,
        {{ sqlmetrics.exact_sum("_a.weight") }} AS weight
    FROM _counted AS _a
    GROUP BY
        _a.run_id,
        _a.query_id
) AS _l
INNER JOIN (
    SELECT
        _t.query_id,
        _t.category,
        _t.weight,
        sum(_t.weight) OVER (PARTITION BY _t.query_id) AS all_weight
    FROM (
        SELECT
            _h.query_id,
            _c.category,
            {{ sqlmetrics.exact_sum("_c.part") }} AS weight
        FROM (
            SELECT DISTINCT
                _i.query_id,
                _i.doc_id
            FROM {{ sqlmetrics.interactions(history) }} AS _i
        ) AS _h
        INNER JOIN {{ sqlmetrics.item_categories(items) }} AS _c
            ON _h.doc_id = _c.doc_id
        GROUP BY
            _h.query_id,
            _c.category
    ) AS _t
) AS _w
    ON _l.query_id = _w.query_id
LEFT JOIN (
    SELECT
        _a.run_id,
        _a.query_id,
        _a.category,
        {{ sqlmetrics.exact_sum("_a.weight") }} AS weight
    FROM _counted AS _a
    GROUP BY
        _a.run_id,
        _a.query_id,
        _a.category
) AS _s
    ON _l.run_id = _s.run_id AND _l.query_id = _s.query_id AND _w.category = _s.category
)
{%- endmacro %}

{% macro cascade(judged, max_rel=4, gain='exponential') -%}
{%- do sqlmetrics.start('cascade') -%}
{%- do sqlmetrics.require('max_rel', max_rel, "a number above 0, or none") -%}
{%- do sqlmetrics.require('gain', gain, "one of exponential, linear") -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _s.*,
    {{ sqlmetrics.exp("coalesce(" ~ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(1e0" ~ real ~ " - _s.stop)") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY " ~ sqlmetrics.ascending("_s.rank") ~ ", " ~ sqlmetrics.descending("_s.doc_id") ~ " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )") ~ ", 0e0" ~ real ~ ")") }} AS reach,
    {{ sqlmetrics.exp("coalesce(" ~ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("ln(1e0" ~ real ~ " - _s.stop)") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY " ~ sqlmetrics.ascending("_s.ideal_rank") ~ " ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING )") ~ ", 0e0" ~ real ~ ")") }} AS ideal_reach
FROM (
    SELECT
        _g.*,
        {{ sqlmetrics.graded_gain("_g.scaled", gain) }} / ({{ sqlmetrics.graded_gain("_g.highest", gain) }} + 1e0{{ real }}) AS stop
    FROM (
        SELECT
            _h.*,
            {{ sqlmetrics.within_scale("_h.grade", "_h.highest") }} AS scaled
        FROM (
            SELECT
                _j.*,
                {% if max_rel is none %}max(_j.grade) OVER (PARTITION BY _j.run_id, _j.query_id){% else %}{{ sqlmetrics.literal(max_rel) }}{% endif %} AS highest
            FROM {{ judged }} AS _j
        ) AS _h
    ) AS _g
) AS _s
)
{%- endmacro %}

{% macro clicked(log) -%}
{%- do sqlmetrics.start('clicked') -%}
(
SELECT
    _s.*,
    _p.num_shown,
    _p.num_clicked,
    _p.first_click,
    _p.last_click,
    _p.first_click_time,
    _p.page_response_time,
    CASE
        WHEN _p.num_shown = 0 OR _s.position = _p.first_position
        THEN _p.num_rows
        ELSE 0
    END AS page_rows
FROM {{ sqlmetrics.shown(log) }} AS _s
INNER JOIN (
    SELECT
        _r.page_id,
        count(*) AS num_rows,
        count(_r.doc_id) AS num_shown,
        count(CASE WHEN _r.clicked = 1 THEN 1 END) AS num_clicked,
        min(_r.position) AS first_position,
        min(CASE WHEN _r.clicked = 1 THEN _r.position END) AS first_click,
        max(CASE WHEN _r.clicked = 1 THEN _r.position END) AS last_click,
        min(CASE WHEN _r.clicked = 1 THEN _r.time_to_click END) AS first_click_time,
        max(_r.response_time) AS page_response_time
    FROM {{ sqlmetrics.shown(log) }} AS _r
    GROUP BY
        _r.page_id
) AS _p
    ON _s.page_id = _p.page_id
)
{%- endmacro %}

{% macro counted(restricted, rel=1, gains=none) -%}
{%- do sqlmetrics.start('counted') -%}
{%- do sqlmetrics.require('rel', rel, "a number above 0") -%}
{%- do sqlmetrics.require('gains', gains, "{relevance: gain, …}, or none") -%}
(
SELECT
    _j.run_id,
    _j.query_id,
    _j.doc_id,
    _j.relevance,
    _j.grade,
    _j.rank,
    _j.first_rank,
    _j.last_rank,
    _j.num_tied,
    row_number() OVER (PARTITION BY _j.run_id, _j.query_id ORDER BY {{ sqlmetrics.descending("_j.grade") }}, {{ sqlmetrics.descending("_j.doc_id") }}) AS ideal_rank,
    CASE
        WHEN _j.rank IS NOT NULL
        THEN row_number() OVER (
            PARTITION BY _j.run_id, _j.query_id, _j.retrieved
            ORDER BY {{ sqlmetrics.descending("_j.grade") }}, {{ sqlmetrics.descending("_j.doc_id") }}
        )
    END AS retrieved_ideal_rank,
    _j.has_results,
    _j.num_ret,
    _j.relevant,
    count(CASE WHEN _j.relevant = 1 THEN 1 END) OVER (PARTITION BY _j.run_id, _j.query_id) AS num_rel,
    count(CASE WHEN _j.nonrelevant = 1 THEN 1 END) OVER (PARTITION BY _j.run_id, _j.query_id) AS num_nonrel,
    count(CASE WHEN _j.relevant = 1 AND _j.rank IS NOT NULL THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY {{ sqlmetrics.ascending("_j.rank") }}
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS hits,
    count(CASE WHEN _j.nonrelevant = 1 AND _j.rank IS NOT NULL THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY {{ sqlmetrics.ascending("_j.rank") }}
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS false_positives,
    count(CASE WHEN _j.relevant = 1 THEN _j.first_rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY {{ sqlmetrics.ascending("_j.first_rank") }}
        RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - count(CASE WHEN _j.relevant = 1 THEN _j.first_rank END) OVER (PARTITION BY _j.run_id, _j.query_id, _j.first_rank) AS hits_above,
    count(CASE WHEN _j.relevant = 1 THEN _j.first_rank END) OVER (PARTITION BY _j.run_id, _j.query_id, _j.first_rank) AS hits_tied,
    count(CASE WHEN _j.nonrelevant = 1 THEN _j.first_rank END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY {{ sqlmetrics.ascending("_j.first_rank") }}
        RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - count(CASE WHEN _j.nonrelevant = 1 THEN _j.first_rank END) OVER (PARTITION BY _j.run_id, _j.query_id, _j.first_rank) AS false_positives_above,
    count(CASE WHEN _j.nonrelevant = 1 THEN _j.first_rank END) OVER (PARTITION BY _j.run_id, _j.query_id, _j.first_rank) AS false_positives_tied
FROM (
    SELECT
        _r.*,
        {{ sqlmetrics.mapped_gain("_r.relevance", gains) }} AS grade,
        CASE WHEN _r.rank IS NOT NULL THEN 1 ELSE 0 END AS retrieved,
        CASE WHEN _r.relevance >= {{ sqlmetrics.literal(rel) }} THEN 1 ELSE 0 END AS relevant,
        CASE WHEN _r.relevance >= 0 AND _r.relevance < {{ sqlmetrics.literal(rel) }} THEN 1 ELSE 0 END AS nonrelevant
    FROM {{ restricted }} AS _r
) AS _j
)
{%- endmacro %}

{% macro cumulated(ranked_and_ideal) -%}
{%- do sqlmetrics.start('cumulated') -%}
(
SELECT
    _p.*,
    first_value(CASE WHEN _p.own_gain > 0 THEN _p.rank END) OVER (
        PARTITION BY _p.run_id, _p.query_id
        ORDER BY {{ sqlmetrics.descending("CASE WHEN _p.rank IS NOT NULL THEN _p.own_gain END") }}, {{ sqlmetrics.ascending("_p.rank") }}, {{ sqlmetrics.descending("_p.doc_id") }}
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS preferred_rank
FROM {{ ranked_and_ideal }} AS _p
WHERE
    _p.in_ideal = 0
)
{%- endmacro %}

{% macro cwl_stretches(judged, k=1000, min_rel=0, max_rel=none, unjudged=0) -%}
{%- do sqlmetrics.start('cwl_stretches') -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more") -%}
{%- do sqlmetrics.require('min_rel', min_rel, "a number") -%}
{%- do sqlmetrics.require('max_rel', max_rel, "a number, or none") -%}
{%- do sqlmetrics.require('unjudged', unjudged, "a number from 0 to 1") -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _s.run_id,
    _s.query_id,
    _s.has_results,
    _s.opening,
    _s.rank,
    {% if k is none %}(lead(_s.rank) OVER (PARTITION BY _s.run_id, _s.query_id ORDER BY {{ sqlmetrics.ascending("_s.rank") }}, {{ sqlmetrics.descending("_s.opening") }}) - 1){% else %}coalesce(
    lead(_s.rank) OVER (PARTITION BY _s.run_id, _s.query_id ORDER BY {{ sqlmetrics.ascending("_s.rank") }}, {{ sqlmetrics.descending("_s.opening") }}) - 1, {{ sqlmetrics.literal(k) }}
){% endif %} AS until,
    _s.points / coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS gain,
    {{ sqlmetrics.sum_above('_s', "_s.points", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") }} / coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS gained_above,
    {{ sqlmetrics.from_fixed("sum(" ~ sqlmetrics.to_fixed("_s.points", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") ~ ") OVER ( PARTITION BY _s.run_id, _s.query_id ORDER BY " ~ sqlmetrics.ascending("_s.rank") ~ ", " ~ sqlmetrics.descending("_s.opening") ~ " ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW )", "(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ")") }} / coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS gained,
    {{ sqlmetrics.product_above('_s', "(1e0" ~ real ~ " - _s.points / coalesce(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ", 1))") }} AS unsatisfied,
    {{ sqlmetrics.product_of_all('_s', "(1e0" ~ real ~ " - _s.points / coalesce(" ~ sqlmetrics.literal(max_rel) ~ " - " ~ sqlmetrics.literal(min_rel) ~ ", 1))") }} AS never_satisfied
FROM (
SELECT
    _q.run_id,
    _q.query_id,
    _q.has_results,
    1 AS opening,
    1 AS rank,
    0e0{{ real }} AS points
FROM {{ judged }} AS _q
WHERE
    _q.ideal_rank = 1
UNION ALL
SELECT
    _j.run_id,
    _j.query_id,
    _j.has_results,
    0 AS opening,
    _j.rank,
    {% if max_rel is none %}(1e0{{ real }} * _j.relevant){% else %}{{ sqlmetrics.scaled_grade("_j.grade", min_rel, max_rel) }}{% endif %} AS points
FROM {{ judged }} AS _j
WHERE
    _j.rank <= {{ sqlmetrics.literal(k) }} AND _j.relevance >= 0{% if unjudged is not none and unjudged > 0 %}
UNION ALL
SELECT
    _u.run_id,
    _u.query_id,
    _u.has_results,
    0 AS opening,
    _r.rank,
    1e0{{ real }} * {{ sqlmetrics.literal(unjudged) }} * coalesce({{ sqlmetrics.literal(max_rel) }} - {{ sqlmetrics.literal(min_rel) }}, 1) AS points
FROM {{ judged }} AS _u
CROSS JOIN {{ sqlmetrics.ranks_to(k) }} AS _r
LEFT JOIN {{ judged }} AS _d
    ON _u.run_id = _d.run_id
    AND _u.query_id = _d.query_id
    AND _r.rank = _d.rank
    AND _d.relevance >= 0
WHERE
    {{ sqlmetrics.literal(unjudged) }} > 0 AND _u.ideal_rank = 1 AND _d.doc_id IS NULL{% endif %}
) AS _s
)
{%- endmacro %}

{% macro exposed(recommended_items, items) -%}
{%- do sqlmetrics.start('exposed') -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _e.run_id,
    _e.doc_id,
    _e.lists,
    _e.discounted,
    row_number() OVER (PARTITION BY _e.run_id ORDER BY {{ sqlmetrics.ascending("_e.lists") }}, {{ sqlmetrics.ascending("_e.doc_id") }}) AS place,
    row_number() OVER (PARTITION BY _e.run_id ORDER BY {{ sqlmetrics.ascending("_e.discounted") }}, {{ sqlmetrics.ascending("_e.doc_id") }}) AS discounted_place,
    count(*) OVER (PARTITION BY _e.run_id) AS num_items
FROM (
    SELECT
        _u.run_id,
        _i.doc_id,
        coalesce(_r.lists, 0) AS lists,
        coalesce(_r.discounted, 0e0{{ real }}) AS discounted
    FROM (
        SELECT DISTINCT
            _c.doc_id
        FROM {{ sqlmetrics.listed_items(items) }} AS _c
    ) AS _i
    CROSS JOIN (
        SELECT DISTINCT
            _s.run_id
        FROM {{ recommended_items }} AS _s
    ) AS _u
    LEFT JOIN {{ recommended_items }} AS _r
        ON _u.run_id = _r.run_id AND _i.doc_id = _r.doc_id
) AS _e
)
{%- endmacro %}

{% macro exposed_groups(grouped) -%}
{%- do sqlmetrics.start('exposed_groups') -%}
(
SELECT
    _g.run_id,
    _g.group_id,
    {{ sqlmetrics.exact_sum("_g.exposure") }} AS exposure,
    max(_g.num_items) AS num_items
FROM {{ grouped }} AS _g
GROUP BY
    _g.run_id,
    _g.group_id
)
{%- endmacro %}

{% macro greedy(subtopics, alpha=0.5) -%}
{%- do sqlmetrics.start('greedy') -%}
{%- do sqlmetrics.require('alpha', alpha, "a number from 0 to 1") -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _t.*,
    CASE WHEN _t.relevant = 1 AND _t.rank IS NOT NULL THEN {{ sqlmetrics.power("1e0" ~ real ~ " - " ~ sqlmetrics.literal(alpha), "_t.hits - 1") }} END AS gain,
    _i.greedy_rank,
    CASE WHEN _t.relevant = 1 THEN {{ sqlmetrics.power("1e0" ~ real ~ " - " ~ sqlmetrics.literal(alpha), "row_number() OVER ( PARTITION BY _t.run_id, _t.query_id, _t.subtopic, _t.relevant ORDER BY " ~ sqlmetrics.ascending("_i.greedy_rank") ~ " ) - 1") }} END AS greedy_gain
FROM {{ subtopics }} AS _t
LEFT JOIN {{ sqlmetrics.greedy_ranking(subtopics, alpha) }} AS _i
    ON _t.query_id = _i.query_id AND _t.doc_id = _i.doc_id
)
{%- endmacro %}

{% macro grouped(rankings, items, k=none, discount='log') -%}
{%- do sqlmetrics.start('grouped') -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('discount', discount, "one of log, clipped, reciprocal, none") -%}
{%- set real = sqlmetrics.real() -%}
(
WITH _counted AS (
    SELECT
        _r.run_id,
        _r.query_id,
        _i.group_id,
        _i.part / {{ sqlmetrics.rank_discount("_r.rank", discount, 2) }} AS exposure
    FROM {{ rankings }} AS _r
    INNER JOIN {{ sqlmetrics.item_groups(items) }} AS _i
        ON _r.doc_id = _i.doc_id
    WHERE
        {{ sqlmetrics.within_k("_r.rank", sqlmetrics.literal(k)) }}
)
SELECT
    _l.run_id,
    _l.query_id,
    _g.group_id,
    coalesce(_s.exposure, 0e0{{ real }}) AS exposure,
    _l.all_exposure,
    _g.num_items,
    sum(_g.num_items) OVER (PARTITION BY _l.run_id, _l.query_id) AS all_items
FROM (
    SELECT
        _a.run_id,
        _a.query_id,
        {{ sqlmetrics.exact_sum("_a.exposure") }} AS all_exposure
    FROM _counted AS _a
    GROUP BY
        _a.run_id,
        _a.query_id
) AS _l
CROSS JOIN (
    SELECT DISTINCT
        _t.group_id,
        _t.num_items
    FROM {{ sqlmetrics.item_groups(items) }} AS _t
) AS _g
LEFT JOIN (
    SELECT
        _a.run_id,
        _a.query_id,
        _a.group_id,
        {{ sqlmetrics.exact_sum("_a.exposure") }} AS exposure
    FROM _counted AS _a
    GROUP BY
        _a.run_id,
        _a.query_id,
        _a.group_id
) AS _s
    ON _l.run_id = _s.run_id AND _l.query_id = _s.query_id AND _g.group_id = _s.group_id
)
{%- endmacro %}

{% macro ideal_levels(ranked_and_ideal) -%}
{%- do sqlmetrics.start('ideal_levels') -%}
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

{% macro ift_user(cwl_stretches, T=2, b1=0.9, R1=10, A=0.2, b2=0.9, R2=10) -%}
{%- do sqlmetrics.start('ift_user') -%}
{%- do sqlmetrics.require('T', T, "a number above 0, or none") -%}
{%- do sqlmetrics.require('b1', b1, "a number above 0") -%}
{%- do sqlmetrics.require('R1', R1, "a number") -%}
{%- do sqlmetrics.require('A', A, "a number above 0, or none") -%}
{%- do sqlmetrics.require('b2', b2, "a number above 0") -%}
{%- do sqlmetrics.require('R2', R2, "a number") -%}
(
SELECT
    _p.*,
    {{ sqlmetrics.product_above('_p', "_p.passed") }} AS reach,
    {{ sqlmetrics.product_of_all('_p', "_p.passed") }} AS reach_beyond
FROM {{ sqlmetrics.ift_stretches(cwl_stretches, T, b1, R1, A, b2, R2) }} AS _p
)
{%- endmacro %}

{% macro inst_user(cwl_stretches, T=1) -%}
{%- do sqlmetrics.start('inst_user') -%}
{%- do sqlmetrics.require('T', T, "a number above 0") -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _p.*,
    {{ sqlmetrics.product_above('_p', "_p.passed") }} AS reach,
    {{ sqlmetrics.product_of_all('_p', "_p.passed") }} AS reach_beyond
FROM (
    SELECT
        _a.*,
        power((_a.rank - 1 + _a.aim) / (_a.until + _a.aim), 2) AS passed, /* the product over the stretch of C(i) = ((i - 1 + aim) / (i + aim))^2 */
        {{ sqlmetrics.inst_span("_a.rank", "_a.until", "_a.aim") }} AS span
    FROM (
        SELECT
            _s.*,
            2e0{{ real }} * {{ sqlmetrics.literal(T) }} - _s.gained AS aim
        FROM {{ cwl_stretches }} AS _s
    ) AS _a
) AS _p
)
{%- endmacro %}

{% macro interpolated(judged) -%}
{%- do sqlmetrics.start('interpolated') -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _j.*,
    max(
        CASE
            WHEN _j.relevant = 1 AND _j.rank IS NOT NULL
            THEN 1e0{{ real }} * _j.hits / _j.rank
        END
    ) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY {{ sqlmetrics.descending("_j.rank") }}, {{ sqlmetrics.descending("_j.doc_id") }}
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS interpolated
FROM {{ judged }} AS _j
)
{%- endmacro %}

{% macro judged(qrels, run, rel=1, gains=none, ties='descending', depth=none, judged_only=false) -%}
{%- do sqlmetrics.start('judged') -%}
{%- do sqlmetrics.require('rel', rel, "a number above 0") -%}
{%- do sqlmetrics.require('gains', gains, "{relevance: gain, …}, or none") -%}
{%- do sqlmetrics.require('ties', ties, "one of descending, ascending, rank, best, worst") -%}
{%- do sqlmetrics.require('depth', depth, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('judged_only', judged_only, "true or false") -%}
(
WITH _restricted AS (
    SELECT
        *
    FROM {{ sqlmetrics.restricted(qrels, run, ties=ties, depth=depth, judged_only=judged_only) }} AS _r
)
SELECT
    *
FROM {{ sqlmetrics.counted('_restricted', rel=rel, gains=gains) }} AS _r
)
{%- endmacro %}

{% macro matched(rankings, baseline, depth=none) -%}
{%- do sqlmetrics.start('matched') -%}
{%- do sqlmetrics.require('depth', depth, "a whole number, 1 or more, or none") -%}
(
SELECT
    _r.run_id,
    _r.query_id,
    _r.doc_id,
    _r.rank,
    _r.num_ret,
    _b.rank AS baseline_rank
FROM {{ rankings }} AS _r
LEFT JOIN {{ sqlmetrics.rankings(baseline, depth=depth) }} AS _b
    ON _r.query_id = _b.query_id AND _r.doc_id = _b.doc_id
)
{%- endmacro %}

{% macro neighbours(exact, found, epsilon=0.001, relative=false) -%}
{%- do sqlmetrics.start('neighbours') -%}
{%- do sqlmetrics.require('epsilon', epsilon, "a number, 0 or more") -%}
{%- do sqlmetrics.require('relative', relative, "true or false") -%}
{{- adapter.dispatch('neighbours', 'sqlmetrics')(exact, found, epsilon, relative) -}}
{%- endmacro %}
{% macro default__neighbours(exact, found, epsilon, relative) -%}
{%- set real = sqlmetrics.real() -%}
(
WITH _exact AS (
    SELECT
        _e.query_id,
        _e.doc_id,
        _e.distance,
        row_number() OVER (PARTITION BY _e.query_id ORDER BY {{ sqlmetrics.ascending("_e.distance") }}, {{ sqlmetrics.descending("_e.doc_id") }}) AS rank,
        rank() OVER (PARTITION BY _e.query_id ORDER BY {{ sqlmetrics.ascending("_e.distance") }}) AS first_rank,
        dense_rank() OVER (PARTITION BY _e.query_id ORDER BY {{ sqlmetrics.ascending("_e.distance") }}) AS level
    FROM {{ sqlmetrics.exact_neighbours(exact) }} AS _e
), _found AS (
    SELECT
        _f.run_id,
        _f.query_id,
        _f.doc_id,
        _f.distance,
        row_number() OVER (
            PARTITION BY _f.run_id, _f.query_id
            ORDER BY {{ sqlmetrics.ascending("_f.listed_rank") }}, {{ sqlmetrics.ascending("_f.distance") }}, {{ sqlmetrics.descending("_f.doc_id") }}
        ) AS rank
    FROM {{ sqlmetrics.neighbour_lists(found) }} AS _f
), _lists AS (
    SELECT
        _u.run_id,
        _q.query_id,
        _q.num_exact,
        coalesce(_n.num_ret, 0) AS num_ret
    FROM (
        SELECT
            _e.query_id,
            count(*) AS num_exact
        FROM _exact AS _e
        GROUP BY
            _e.query_id
    ) AS _q
    CROSS JOIN (
        SELECT DISTINCT
            _f.run_id
        FROM _found AS _f
    ) AS _u
    LEFT JOIN (
        SELECT
            _f.run_id,
            _f.query_id,
            count(*) AS num_ret
        FROM _found AS _f
        GROUP BY
            _f.run_id,
            _f.query_id
    ) AS _n
        ON _u.run_id = _n.run_id AND _q.query_id = _n.query_id
)
SELECT
    _b.run_id,
    _b.query_id,
    _b.ideal_rank,
    _b.ideal_distance,
    _b.rank,
    _b.doc_id,
    _b.distance,
    _b.true_rank,
    _b.true_first_rank,
    _b.true_level,
    CASE
        WHEN _b.rank IS NOT NULL
        THEN 1 + count(_b.ideal_rank) OVER (
            PARTITION BY _b.run_id, _b.query_id
            ORDER BY {{ sqlmetrics.ascending("_b.reach") }}, {{ sqlmetrics.ascending("_b.rank") }}, {{ sqlmetrics.ascending("_b.ideal_rank") }}
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        )
    END AS near_from, /* after the exact neighbours that do not reach as far */
    _b.num_exact,
    _b.num_ret
FROM (
    SELECT
        _a.run_id,
        _a.query_id,
        {% if relative %}((1e0{{ real }} + {{ sqlmetrics.literal(epsilon) }}) * _e.distance){% else %}(_e.distance + {{ sqlmetrics.literal(epsilon) }}){% endif %} AS reach,
        _e.rank AS ideal_rank,
        _e.distance AS ideal_distance,
        CAST(NULL AS BIGINT) AS rank,
        _e.doc_id,
        CAST(NULL AS DOUBLE) AS distance,
        CAST(NULL AS BIGINT) AS true_rank,
        CAST(NULL AS BIGINT) AS true_first_rank,
        CAST(NULL AS BIGINT) AS true_level,
        _a.num_exact,
        _a.num_ret
    FROM _lists AS _a
    INNER JOIN _exact AS _e
        ON _a.query_id = _e.query_id
    UNION ALL
    SELECT
        _l.run_id,
        _l.query_id,
        _f.distance AS reach,
        CAST(NULL AS BIGINT) AS ideal_rank,
        CAST(NULL AS DOUBLE) AS ideal_distance,
        _f.rank,
        _f.doc_id,
        _f.distance,
        _t.rank AS true_rank,
        _t.first_rank AS true_first_rank,
        _t.level AS true_level,
        _l.num_exact,
        _l.num_ret
    FROM _found AS _f
    INNER JOIN _lists AS _l
        ON _f.run_id = _l.run_id AND _f.query_id = _l.query_id
    LEFT JOIN _exact AS _t
        ON _f.query_id = _t.query_id AND _f.doc_id = _t.doc_id
) AS _b
)
{%- endmacro %}
{% macro postgres__neighbours(exact, found, epsilon, relative) -%}
{%- set real = sqlmetrics.real() -%}
(
WITH _exact AS (
    SELECT
        _e.query_id,
        _e.doc_id,
        _e.distance,
        row_number() OVER (PARTITION BY _e.query_id ORDER BY {{ sqlmetrics.ascending("_e.distance") }}, {{ sqlmetrics.descending("_e.doc_id") }}) AS rank,
        rank() OVER (PARTITION BY _e.query_id ORDER BY {{ sqlmetrics.ascending("_e.distance") }}) AS first_rank,
        dense_rank() OVER (PARTITION BY _e.query_id ORDER BY {{ sqlmetrics.ascending("_e.distance") }}) AS level
    FROM {{ sqlmetrics.exact_neighbours(exact) }} AS _e
), _found AS (
    SELECT
        _f.run_id,
        _f.query_id,
        _f.doc_id,
        _f.distance,
        row_number() OVER (
            PARTITION BY _f.run_id, _f.query_id
            ORDER BY {{ sqlmetrics.ascending("_f.listed_rank") }}, {{ sqlmetrics.ascending("_f.distance") }}, {{ sqlmetrics.descending("_f.doc_id") }}
        ) AS rank
    FROM {{ sqlmetrics.neighbour_lists(found) }} AS _f
), _lists AS (
    SELECT
        _u.run_id,
        _q.query_id,
        _q.num_exact,
        coalesce(_n.num_ret, 0) AS num_ret
    FROM (
        SELECT
            _e.query_id,
            count(*) AS num_exact
        FROM _exact AS _e
        GROUP BY
            _e.query_id
    ) AS _q
    CROSS JOIN (
        SELECT DISTINCT
            _f.run_id
        FROM _found AS _f
    ) AS _u
    LEFT JOIN (
        SELECT
            _f.run_id,
            _f.query_id,
            count(*) AS num_ret
        FROM _found AS _f
        GROUP BY
            _f.run_id,
            _f.query_id
    ) AS _n
        ON _u.run_id = _n.run_id AND _q.query_id = _n.query_id
)
SELECT
    _b.run_id,
    _b.query_id,
    _b.ideal_rank,
    _b.ideal_distance,
    _b.rank,
    _b.doc_id,
    _b.distance,
    _b.true_rank,
    _b.true_first_rank,
    _b.true_level,
    CASE
        WHEN _b.rank IS NOT NULL
        THEN 1 + count(_b.ideal_rank) OVER (
            PARTITION BY _b.run_id, _b.query_id
            ORDER BY {{ sqlmetrics.ascending("_b.reach") }}, {{ sqlmetrics.ascending("_b.rank") }}, {{ sqlmetrics.ascending("_b.ideal_rank") }}
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        )
    END AS near_from, /* after the exact neighbours that do not reach as far */
    _b.num_exact,
    _b.num_ret
FROM (
    SELECT
        _a.run_id,
        _a.query_id,
        {% if relative %}((1e0{{ real }} + {{ sqlmetrics.literal(epsilon) }}) * _e.distance){% else %}(_e.distance + {{ sqlmetrics.literal(epsilon) }}){% endif %} AS reach,
        _e.rank AS ideal_rank,
        _e.distance AS ideal_distance,
        CAST(NULL AS BIGINT) AS rank,
        _e.doc_id,
        CAST(NULL AS DOUBLE PRECISION) AS distance,
        CAST(NULL AS BIGINT) AS true_rank,
        CAST(NULL AS BIGINT) AS true_first_rank,
        CAST(NULL AS BIGINT) AS true_level,
        _a.num_exact,
        _a.num_ret
    FROM _lists AS _a
    INNER JOIN _exact AS _e
        ON _a.query_id = _e.query_id
    UNION ALL
    SELECT
        _l.run_id,
        _l.query_id,
        _f.distance AS reach,
        CAST(NULL AS BIGINT) AS ideal_rank,
        CAST(NULL AS DOUBLE PRECISION) AS ideal_distance,
        _f.rank,
        _f.doc_id,
        _f.distance,
        _t.rank AS true_rank,
        _t.first_rank AS true_first_rank,
        _t.level AS true_level,
        _l.num_exact,
        _l.num_ret
    FROM _found AS _f
    INNER JOIN _lists AS _l
        ON _f.run_id = _l.run_id AND _f.query_id = _l.query_id
    LEFT JOIN _exact AS _t
        ON _f.query_id = _t.query_id AND _f.doc_id = _t.doc_id
) AS _b
)
{%- endmacro %}
{% macro sqlite__neighbours(exact, found, epsilon, relative) -%}
{%- set real = sqlmetrics.real() -%}
(
WITH _exact AS (
    SELECT
        _e.query_id,
        _e.doc_id,
        _e.distance,
        row_number() OVER (PARTITION BY _e.query_id ORDER BY {{ sqlmetrics.ascending("_e.distance") }}, {{ sqlmetrics.descending("_e.doc_id") }}) AS rank,
        rank() OVER (PARTITION BY _e.query_id ORDER BY {{ sqlmetrics.ascending("_e.distance") }}) AS first_rank,
        dense_rank() OVER (PARTITION BY _e.query_id ORDER BY {{ sqlmetrics.ascending("_e.distance") }}) AS level
    FROM {{ sqlmetrics.exact_neighbours(exact) }} AS _e
), _found AS (
    SELECT
        _f.run_id,
        _f.query_id,
        _f.doc_id,
        _f.distance,
        row_number() OVER (
            PARTITION BY _f.run_id, _f.query_id
            ORDER BY {{ sqlmetrics.ascending("_f.listed_rank") }}, {{ sqlmetrics.ascending("_f.distance") }}, {{ sqlmetrics.descending("_f.doc_id") }}
        ) AS rank
    FROM {{ sqlmetrics.neighbour_lists(found) }} AS _f
), _lists AS (
    SELECT
        _u.run_id,
        _q.query_id,
        _q.num_exact,
        coalesce(_n.num_ret, 0) AS num_ret
    FROM (
        SELECT
            _e.query_id,
            count(*) AS num_exact
        FROM _exact AS _e
        GROUP BY
            _e.query_id
    ) AS _q
    CROSS JOIN (
        SELECT DISTINCT
            _f.run_id
        FROM _found AS _f
    ) AS _u
    LEFT JOIN (
        SELECT
            _f.run_id,
            _f.query_id,
            count(*) AS num_ret
        FROM _found AS _f
        GROUP BY
            _f.run_id,
            _f.query_id
    ) AS _n
        ON _u.run_id = _n.run_id AND _q.query_id = _n.query_id
)
SELECT
    _b.run_id,
    _b.query_id,
    _b.ideal_rank,
    _b.ideal_distance,
    _b.rank,
    _b.doc_id,
    _b.distance,
    _b.true_rank,
    _b.true_first_rank,
    _b.true_level,
    CASE
        WHEN _b.rank IS NOT NULL
        THEN 1 + count(_b.ideal_rank) OVER (
            PARTITION BY _b.run_id, _b.query_id
            ORDER BY {{ sqlmetrics.ascending("_b.reach") }}, {{ sqlmetrics.ascending("_b.rank") }}, {{ sqlmetrics.ascending("_b.ideal_rank") }}
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        )
    END AS near_from, /* after the exact neighbours that do not reach as far */
    _b.num_exact,
    _b.num_ret
FROM (
    SELECT
        _a.run_id,
        _a.query_id,
        {% if relative %}((1e0{{ real }} + {{ sqlmetrics.literal(epsilon) }}) * _e.distance){% else %}(_e.distance + {{ sqlmetrics.literal(epsilon) }}){% endif %} AS reach,
        _e.rank AS ideal_rank,
        _e.distance AS ideal_distance,
        CAST(NULL AS INTEGER) AS rank,
        _e.doc_id,
        CAST(NULL AS REAL) AS distance,
        CAST(NULL AS INTEGER) AS true_rank,
        CAST(NULL AS INTEGER) AS true_first_rank,
        CAST(NULL AS INTEGER) AS true_level,
        _a.num_exact,
        _a.num_ret
    FROM _lists AS _a
    INNER JOIN _exact AS _e
        ON _a.query_id = _e.query_id
    UNION ALL
    SELECT
        _l.run_id,
        _l.query_id,
        _f.distance AS reach,
        CAST(NULL AS INTEGER) AS ideal_rank,
        CAST(NULL AS REAL) AS ideal_distance,
        _f.rank,
        _f.doc_id,
        _f.distance,
        _t.rank AS true_rank,
        _t.first_rank AS true_first_rank,
        _t.level AS true_level,
        _l.num_exact,
        _l.num_ret
    FROM _found AS _f
    INNER JOIN _lists AS _l
        ON _f.run_id = _l.run_id AND _f.query_id = _l.query_id
    LEFT JOIN _exact AS _t
        ON _f.query_id = _t.query_id AND _f.doc_id = _t.doc_id
) AS _b
)
{%- endmacro %}
{% macro bigquery__neighbours(exact, found, epsilon, relative) -%}
{%- set real = sqlmetrics.real() -%}
(
WITH _exact AS (
    SELECT
        _e.query_id,
        _e.doc_id,
        _e.distance,
        row_number() OVER (PARTITION BY _e.query_id ORDER BY {{ sqlmetrics.ascending("_e.distance") }}, {{ sqlmetrics.descending("_e.doc_id") }}) AS rank,
        rank() OVER (PARTITION BY _e.query_id ORDER BY {{ sqlmetrics.ascending("_e.distance") }}) AS first_rank,
        dense_rank() OVER (PARTITION BY _e.query_id ORDER BY {{ sqlmetrics.ascending("_e.distance") }}) AS level
    FROM {{ sqlmetrics.exact_neighbours(exact) }} AS _e
), _found AS (
    SELECT
        _f.run_id,
        _f.query_id,
        _f.doc_id,
        _f.distance,
        row_number() OVER (
            PARTITION BY _f.run_id, _f.query_id
            ORDER BY {{ sqlmetrics.ascending("_f.listed_rank") }}, {{ sqlmetrics.ascending("_f.distance") }}, {{ sqlmetrics.descending("_f.doc_id") }}
        ) AS rank
    FROM {{ sqlmetrics.neighbour_lists(found) }} AS _f
), _lists AS (
    SELECT
        _u.run_id,
        _q.query_id,
        _q.num_exact,
        coalesce(_n.num_ret, 0) AS num_ret
    FROM (
        SELECT
            _e.query_id,
            count(*) AS num_exact
        FROM _exact AS _e
        GROUP BY
            _e.query_id
    ) AS _q
    CROSS JOIN (
        SELECT DISTINCT
            _f.run_id
        FROM _found AS _f
    ) AS _u
    LEFT JOIN (
        SELECT
            _f.run_id,
            _f.query_id,
            count(*) AS num_ret
        FROM _found AS _f
        GROUP BY
            _f.run_id,
            _f.query_id
    ) AS _n
        ON _u.run_id = _n.run_id AND _q.query_id = _n.query_id
)
SELECT
    _b.run_id,
    _b.query_id,
    _b.ideal_rank,
    _b.ideal_distance,
    _b.rank,
    _b.doc_id,
    _b.distance,
    _b.true_rank,
    _b.true_first_rank,
    _b.true_level,
    CASE
        WHEN _b.rank IS NOT NULL
        THEN 1 + count(_b.ideal_rank) OVER (
            PARTITION BY _b.run_id, _b.query_id
            ORDER BY {{ sqlmetrics.ascending("_b.reach") }}, {{ sqlmetrics.ascending("_b.rank") }}, {{ sqlmetrics.ascending("_b.ideal_rank") }}
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        )
    END AS near_from, /* after the exact neighbours that do not reach as far */
    _b.num_exact,
    _b.num_ret
FROM (
    SELECT
        _a.run_id,
        _a.query_id,
        {% if relative %}((1e0{{ real }} + {{ sqlmetrics.literal(epsilon) }}) * _e.distance){% else %}(_e.distance + {{ sqlmetrics.literal(epsilon) }}){% endif %} AS reach,
        _e.rank AS ideal_rank,
        _e.distance AS ideal_distance,
        CAST(NULL AS INT64) AS rank,
        _e.doc_id,
        CAST(NULL AS FLOAT64) AS distance,
        CAST(NULL AS INT64) AS true_rank,
        CAST(NULL AS INT64) AS true_first_rank,
        CAST(NULL AS INT64) AS true_level,
        _a.num_exact,
        _a.num_ret
    FROM _lists AS _a
    INNER JOIN _exact AS _e
        ON _a.query_id = _e.query_id
    UNION ALL
    SELECT
        _l.run_id,
        _l.query_id,
        _f.distance AS reach,
        CAST(NULL AS INT64) AS ideal_rank,
        CAST(NULL AS FLOAT64) AS ideal_distance,
        _f.rank,
        _f.doc_id,
        _f.distance,
        _t.rank AS true_rank,
        _t.first_rank AS true_first_rank,
        _t.level AS true_level,
        _l.num_exact,
        _l.num_ret
    FROM _found AS _f
    INNER JOIN _lists AS _l
        ON _f.run_id = _l.run_id AND _f.query_id = _l.query_id
    LEFT JOIN _exact AS _t
        ON _f.query_id = _t.query_id AND _f.doc_id = _t.doc_id
) AS _b
)
{%- endmacro %}

{% macro popular_hits(rankings, popularity, history, qrels, k=none, rel=1, head=0.8) -%}
{%- do sqlmetrics.start('popular_hits') -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('rel', rel, "a number above 0") -%}
{%- do sqlmetrics.require('head', head, "a number between 0 and 1") -%}
(
SELECT
    _u.run_id,
    CASE WHEN _p.users_above < {{ sqlmetrics.literal(head) }} * _p.num_interactions THEN 1 ELSE 0 END AS is_popular,
    count(*) AS num_rel,
    count(CASE WHEN {{ sqlmetrics.within_k("_r.rank", sqlmetrics.literal(k)) }} THEN 1 END) AS hits
FROM (
    SELECT DISTINCT
        _l.run_id,
        _l.query_id
    FROM {{ rankings }} AS _l
) AS _u
INNER JOIN {{ sqlmetrics.judgments(qrels) }} AS _q
    ON _u.query_id = _q.query_id
INNER JOIN {{ popularity }} AS _p
    ON _q.doc_id = _p.doc_id
LEFT JOIN (
    SELECT DISTINCT
        _i.query_id,
        _i.doc_id
    FROM {{ sqlmetrics.interactions(history) }} AS _i
) AS _h
    ON _q.query_id = _h.query_id AND _q.doc_id = _h.doc_id
LEFT JOIN {{ rankings }} AS _r
    ON _u.run_id = _r.run_id AND _q.query_id = _r.query_id AND _q.doc_id = _r.doc_id
WHERE
    _q.relevance >= {{ sqlmetrics.literal(rel) }} AND _h.doc_id IS NULL
GROUP BY
    _u.run_id,
    CASE WHEN _p.users_above < {{ sqlmetrics.literal(head) }} * _p.num_interactions THEN 1 ELSE 0 END
)
{%- endmacro %}

{% macro popularity(history) -%}
{%- do sqlmetrics.start('popularity') -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _p.doc_id,
    _p.users,
    _p.num_users,
    row_number() OVER (ORDER BY {{ sqlmetrics.ascending("_p.users") }}, {{ sqlmetrics.ascending("_p.doc_id") }}) AS place,
    dense_rank() OVER (ORDER BY {{ sqlmetrics.descending("_p.users") }}) AS popularity_rank,
    (rank() OVER (ORDER BY {{ sqlmetrics.ascending("_p.users") }}) + (count(*) OVER (PARTITION BY _p.users) - 1) / 2e0{{ real }}) / count(*) OVER () AS quantile,
    sum(_p.users) OVER (
        ORDER BY {{ sqlmetrics.descending("_p.users") }}, {{ sqlmetrics.ascending("_p.doc_id") }}
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - _p.users AS users_above,
    count(*) OVER () AS num_items,
    sum(_p.users) OVER () AS num_interactions
FROM (
    SELECT
        _i.doc_id,
        count(*) AS users,
        max(_n.num_users) AS num_users
    FROM (
        SELECT DISTINCT
            _h.query_id,
            _h.doc_id
        FROM {{ sqlmetrics.interactions(history) }} AS _h
    ) AS _i
    CROSS JOIN (
        SELECT
            count(DISTINCT _h.query_id) AS num_users
        FROM {{ sqlmetrics.interactions(history) }} AS _h
    ) AS _n
    GROUP BY
        _i.doc_id
) AS _p
)
{%- endmacro %}

{% macro preference_pairs(preferences, pairs='judged') -%}
{%- do sqlmetrics.start('preference_pairs') -%}
{%- do sqlmetrics.require('pairs', pairs, "one of judged, either, both") -%}
{%- set real = sqlmetrics.real() -%}
(
WITH _repeated AS (
    /* only documents with several subtopics can be in the same pair twice */
    SELECT
        *
    FROM (
        SELECT
            _p.*,
            dense_rank() OVER (PARTITION BY _p.run_id, _p.query_id ORDER BY {{ sqlmetrics.ascending("_p.doc_id") }}) AS doc_number,
            count(*) OVER (PARTITION BY _p.run_id, _p.query_id, _p.doc_id) AS num_subtopics
        FROM {{ preferences }} AS _p
        WHERE
            _p.relevance >= 0
    ) AS _n
    WHERE
        _n.num_subtopics > 1
)
SELECT
    _f.run_id,
    _f.query_id,
    _f.has_results,
    1e0{{ real }} * _f.possible AS pair_possible,
    1e0{{ real }} * _f.fulfilled AS pair_fulfilled
FROM {{ preferences }} AS _f
UNION ALL
SELECT
    _t.run_id,
    _t.query_id,
    _t.has_results,
    {{ sqlmetrics.exact_sum("(_t.possible * (1e0" ~ real ~ " / _t.preferences - 1e0" ~ real ~ "))") }} AS pair_possible,
    {{ sqlmetrics.exact_sum("(_t.fulfilled * (1e0" ~ real ~ " / _t.preferences - 1e0" ~ real ~ "))") }} AS pair_fulfilled
FROM (
    SELECT
        _a.run_id,
        _a.query_id,
        _a.has_results,
        CASE WHEN _a.doc_number < _b.doc_number THEN _a.doc_number ELSE _b.doc_number END AS doc_number,
        CASE WHEN _a.doc_number > _b.doc_number THEN _a.doc_number ELSE _b.doc_number END AS other_number,
        count(*) AS preferences,
        sum({{ sqlmetrics.counted_preferences(pairs, "_a.rank", "1", "CASE WHEN _b.rank IS NOT NULL THEN 1 ELSE 0 END") }}) AS possible,
        sum({{ sqlmetrics.fulfilled_preferences(pairs, "_a.rank", "1", "CASE WHEN _b.rank IS NOT NULL THEN 1 ELSE 0 END", "CASE WHEN _b.rank > _a.rank THEN 1 ELSE 0 END") }}) AS fulfilled
    FROM _repeated AS _a
    INNER JOIN _repeated AS _b
        ON _a.run_id = _b.run_id
        AND _a.query_id = _b.query_id
        AND _a.subtopic = _b.subtopic
        AND _a.relevance > _b.relevance
    GROUP BY
        _a.run_id,
        _a.query_id,
        _a.has_results,
        CASE WHEN _a.doc_number < _b.doc_number THEN _a.doc_number ELSE _b.doc_number END,
        CASE WHEN _a.doc_number > _b.doc_number THEN _a.doc_number ELSE _b.doc_number END
) AS _t
GROUP BY
    _t.run_id,
    _t.query_id,
    _t.has_results
)
{%- endmacro %}

{% macro preferences(subtopics, pairs='judged') -%}
{%- do sqlmetrics.start('preferences') -%}
{%- do sqlmetrics.require('pairs', pairs, "one of judged, either, both") -%}
{{- adapter.dispatch('preferences', 'sqlmetrics')(subtopics, pairs) -}}
{%- endmacro %}
{% macro default__preferences(subtopics, pairs) -%}
(
SELECT
    _f.*,
    sum(_f.possible) OVER (PARTITION BY _f.run_id, _f.query_id, _f.subtopic) AS group_possible,
    CASE
        WHEN _f.relevance >= 0
        THEN row_number() OVER (
            PARTITION BY _f.run_id, _f.query_id, _f.subtopic
            ORDER BY {{ sqlmetrics.descending("_f.relevance") }}, {{ sqlmetrics.descending("_f.doc_id") }}
        )
    END AS group_place
FROM (
    SELECT
        _c.*,
        {{ sqlmetrics.counted_preferences(pairs, "_c.rank", "_c.lower", "_c.lower_ret") }} AS possible,
        {{ sqlmetrics.fulfilled_preferences(pairs, "_c.rank", "_c.lower", "_c.lower_ret", "_c.lower_after") }} AS fulfilled
    FROM (
        SELECT
            _g.run_id,
            _g.query_id,
            _g.subtopic,
            _g.doc_id,
            _g.relevance,
            _g.rank,
            _g.has_results,
            sum(CASE WHEN _g.digit = 1 THEN _g.zeros ELSE 0 END) AS lower,
            sum(CASE WHEN _g.digit = 1 THEN _g.zeros_ret ELSE 0 END) AS lower_ret,
            sum(CASE WHEN _g.digit = 1 AND _g.rank IS NOT NULL THEN _g.zeros_after ELSE 0 END) AS lower_after
        FROM (
            /* of two levels in binary, the higher has a 1 where they first differ, the lower a 0 */
            SELECT
                _d.*,
                count(CASE WHEN _d.digit = 0 THEN 1 END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                ) AS zeros,
                count(CASE WHEN _d.digit = 0 THEN _d.rank END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                ) AS zeros_ret,
                count(CASE WHEN _d.digit = 0 THEN _d.rank END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                    ORDER BY {{ sqlmetrics.descending("_d.rank") }}, {{ sqlmetrics.descending("_d.doc_id") }}
                    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
                ) AS zeros_after
            FROM (
                SELECT
                    _l.*,
                    _v.place_value,
                    _l.level - _l.level % (2 * _v.place_value) AS digits_before,
                    CASE
                        WHEN _l.relevance < 0
                        THEN NULL
                        WHEN _l.level % (2 * _v.place_value) >= _v.place_value
                        THEN 1
                        ELSE 0
                    END AS digit
                FROM (
                    SELECT
                        _s.*,
                        dense_rank() OVER (
                            PARTITION BY _s.run_id, _s.query_id, _s.subtopic, _s.relevance >= 0
                            ORDER BY {{ sqlmetrics.ascending("_s.relevance") }}
                        ) - 1 AS level,
                        dense_rank() OVER (
                            PARTITION BY _s.run_id, _s.query_id, _s.subtopic, _s.relevance >= 0
                            ORDER BY {{ sqlmetrics.descending("_s.relevance") }}
                        ) - 1 AS levels_above
                    FROM {{ subtopics }} AS _s
                ) AS _l
                INNER JOIN (
                    SELECT
                        1 AS place_value
                    UNION ALL
                    SELECT
                        2 AS place_value
                    UNION ALL
                    SELECT
                        4 AS place_value
                    UNION ALL
                    SELECT
                        8 AS place_value
                    UNION ALL
                    SELECT
                        16 AS place_value
                    UNION ALL
                    SELECT
                        32 AS place_value
                    UNION ALL
                    SELECT
                        64 AS place_value
                    UNION ALL
                    SELECT
                        128 AS place_value
                    UNION ALL
                    SELECT
                        256 AS place_value
                    UNION ALL
                    SELECT
                        512 AS place_value
                    UNION ALL
                    SELECT
                        1024 AS place_value
                    UNION ALL
                    SELECT
                        2048 AS place_value
                    UNION ALL
                    SELECT
                        4096 AS place_value
                    UNION ALL
                    SELECT
                        8192 AS place_value
                    UNION ALL
                    SELECT
                        16384 AS place_value
                    UNION ALL
                    SELECT
                        32768 AS place_value
                    UNION ALL
                    SELECT
                        65536 AS place_value
                    UNION ALL
                    SELECT
                        131072 AS place_value
                    UNION ALL
                    SELECT
                        262144 AS place_value
                    UNION ALL
                    SELECT
                        524288 AS place_value
                    UNION ALL
                    SELECT
                        1048576 AS place_value
                    UNION ALL
                    SELECT
                        2097152 AS place_value
                    UNION ALL
                    SELECT
                        4194304 AS place_value
                ) AS _v
                    ON _v.place_value <= CASE WHEN _l.level + _l.levels_above > 1 THEN _l.level + _l.levels_above ELSE 1 END
            ) AS _d
        ) AS _g
        GROUP BY
            _g.run_id,
            _g.query_id,
            _g.subtopic,
            _g.doc_id,
            _g.relevance,
            _g.rank,
            _g.has_results
    ) AS _c
) AS _f
)
{%- endmacro %}
{% macro duckdb__preferences(subtopics, pairs) -%}
(
SELECT
    _f.*,
    sum(_f.possible) OVER (PARTITION BY _f.run_id, _f.query_id, _f.subtopic) AS group_possible,
    CASE
        WHEN _f.relevance >= 0
        THEN row_number() OVER (
            PARTITION BY _f.run_id, _f.query_id, _f.subtopic
            ORDER BY {{ sqlmetrics.descending("_f.relevance") }}, {{ sqlmetrics.descending("_f.doc_id") }}
        )
    END AS group_place
FROM (
    SELECT
        _c.*,
        {{ sqlmetrics.counted_preferences(pairs, "_c.rank", "_c.lower", "_c.lower_ret") }} AS possible,
        {{ sqlmetrics.fulfilled_preferences(pairs, "_c.rank", "_c.lower", "_c.lower_ret", "_c.lower_after") }} AS fulfilled
    FROM (
        SELECT
            _g.run_id,
            _g.query_id,
            _g.subtopic,
            _g.doc_id,
            _g.relevance,
            _g.rank,
            _g.has_results,
            sum(CASE WHEN _g.digit = 1 THEN _g.zeros ELSE 0 END) AS lower,
            sum(CASE WHEN _g.digit = 1 THEN _g.zeros_ret ELSE 0 END) AS lower_ret,
            sum(CASE WHEN _g.digit = 1 AND _g.rank IS NOT NULL THEN _g.zeros_after ELSE 0 END) AS lower_after
        FROM (
            /* of two levels in binary, the higher has a 1 where they first differ, the lower a 0 */
            SELECT
                _d.*,
                count(CASE WHEN _d.digit = 0 THEN 1 END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                ) AS zeros,
                count(CASE WHEN _d.digit = 0 THEN _d.rank END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                ) AS zeros_ret,
                count(CASE WHEN _d.digit = 0 THEN _d.rank END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                    ORDER BY {{ sqlmetrics.descending("_d.rank") }}, {{ sqlmetrics.descending("_d.doc_id") }}
                    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
                ) AS zeros_after
            FROM (
                SELECT
                    _l.*,
                    _v.place_value,
                    _l.level - _l.level % (2 * _v.place_value) AS digits_before,
                    CASE
                        WHEN _l.relevance < 0
                        THEN NULL
                        WHEN _l.level % (2 * _v.place_value) >= _v.place_value
                        THEN 1
                        ELSE 0
                    END AS digit
                FROM (
                    SELECT
                        _s.*,
                        dense_rank() OVER (
                            PARTITION BY _s.run_id, _s.query_id, _s.subtopic, _s.relevance >= 0
                            ORDER BY {{ sqlmetrics.ascending("_s.relevance") }}
                        ) - 1 AS level,
                        dense_rank() OVER (
                            PARTITION BY _s.run_id, _s.query_id, _s.subtopic, _s.relevance >= 0
                            ORDER BY {{ sqlmetrics.descending("_s.relevance") }}
                        ) - 1 AS levels_above
                    FROM {{ subtopics }} AS _s
                ) AS _l
                INNER JOIN (VALUES
                    (1),
                    (2),
                    (4),
                    (8),
                    (16),
                    (32),
                    (64),
                    (128),
                    (256),
                    (512),
                    (1024),
                    (2048),
                    (4096),
                    (8192),
                    (16384),
                    (32768),
                    (65536),
                    (131072),
                    (262144),
                    (524288),
                    (1048576),
                    (2097152),
                    (4194304)) AS _v(place_value)
                    ON _v.place_value <= CASE WHEN _l.level + _l.levels_above > 1 THEN _l.level + _l.levels_above ELSE 1 END
            ) AS _d
        ) AS _g
        GROUP BY
            _g.run_id,
            _g.query_id,
            _g.subtopic,
            _g.doc_id,
            _g.relevance,
            _g.rank,
            _g.has_results
    ) AS _c
) AS _f
)
{%- endmacro %}
{% macro bigquery__preferences(subtopics, pairs) -%}
(
SELECT
    _f.*,
    sum(_f.possible) OVER (PARTITION BY _f.run_id, _f.query_id, _f.subtopic) AS group_possible,
    CASE
        WHEN _f.relevance >= 0
        THEN row_number() OVER (
            PARTITION BY _f.run_id, _f.query_id, _f.subtopic
            ORDER BY {{ sqlmetrics.descending("_f.relevance") }}, {{ sqlmetrics.descending("_f.doc_id") }}
        )
    END AS group_place
FROM (
    SELECT
        _c.*,
        {{ sqlmetrics.counted_preferences(pairs, "_c.rank", "_c.lower", "_c.lower_ret") }} AS possible,
        {{ sqlmetrics.fulfilled_preferences(pairs, "_c.rank", "_c.lower", "_c.lower_ret", "_c.lower_after") }} AS fulfilled
    FROM (
        SELECT
            _g.run_id,
            _g.query_id,
            _g.subtopic,
            _g.doc_id,
            _g.relevance,
            _g.rank,
            _g.has_results,
            sum(CASE WHEN _g.digit = 1 THEN _g.zeros ELSE 0 END) AS lower,
            sum(CASE WHEN _g.digit = 1 THEN _g.zeros_ret ELSE 0 END) AS lower_ret,
            sum(CASE WHEN _g.digit = 1 AND _g.rank IS NOT NULL THEN _g.zeros_after ELSE 0 END) AS lower_after
        FROM (
            /* of two levels in binary, the higher has a 1 where they first differ, the lower a 0 */
            SELECT
                _d.*,
                count(CASE WHEN _d.digit = 0 THEN 1 END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                ) AS zeros,
                count(CASE WHEN _d.digit = 0 THEN _d.rank END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                ) AS zeros_ret,
                count(CASE WHEN _d.digit = 0 THEN _d.rank END) OVER (
                    PARTITION BY _d.run_id, _d.query_id, _d.subtopic, _d.place_value, _d.digits_before
                    ORDER BY {{ sqlmetrics.descending("_d.rank") }}, {{ sqlmetrics.descending("_d.doc_id") }}
                    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
                ) AS zeros_after
            FROM (
                SELECT
                    _l.*,
                    _v.place_value,
                    _l.level - mod(_l.level, (2 * _v.place_value)) AS digits_before,
                    CASE
                        WHEN _l.relevance < 0
                        THEN NULL
                        WHEN mod(_l.level, (2 * _v.place_value)) >= _v.place_value
                        THEN 1
                        ELSE 0
                    END AS digit
                FROM (
                    SELECT
                        _s.*,
                        dense_rank() OVER (
                            PARTITION BY _s.run_id, _s.query_id, _s.subtopic, _s.relevance >= 0
                            ORDER BY {{ sqlmetrics.ascending("_s.relevance") }}
                        ) - 1 AS level,
                        dense_rank() OVER (
                            PARTITION BY _s.run_id, _s.query_id, _s.subtopic, _s.relevance >= 0
                            ORDER BY {{ sqlmetrics.descending("_s.relevance") }}
                        ) - 1 AS levels_above
                    FROM {{ subtopics }} AS _s
                ) AS _l
                INNER JOIN (
                    SELECT
                        1 AS place_value
                    UNION ALL
                    SELECT
                        2 AS place_value
                    UNION ALL
                    SELECT
                        4 AS place_value
                    UNION ALL
                    SELECT
                        8 AS place_value
                    UNION ALL
                    SELECT
                        16 AS place_value
                    UNION ALL
                    SELECT
                        32 AS place_value
                    UNION ALL
                    SELECT
                        64 AS place_value
                    UNION ALL
                    SELECT
                        128 AS place_value
                    UNION ALL
                    SELECT
                        256 AS place_value
                    UNION ALL
                    SELECT
                        512 AS place_value
                    UNION ALL
                    SELECT
                        1024 AS place_value
                    UNION ALL
                    SELECT
                        2048 AS place_value
                    UNION ALL
                    SELECT
                        4096 AS place_value
                    UNION ALL
                    SELECT
                        8192 AS place_value
                    UNION ALL
                    SELECT
                        16384 AS place_value
                    UNION ALL
                    SELECT
                        32768 AS place_value
                    UNION ALL
                    SELECT
                        65536 AS place_value
                    UNION ALL
                    SELECT
                        131072 AS place_value
                    UNION ALL
                    SELECT
                        262144 AS place_value
                    UNION ALL
                    SELECT
                        524288 AS place_value
                    UNION ALL
                    SELECT
                        1048576 AS place_value
                    UNION ALL
                    SELECT
                        2097152 AS place_value
                    UNION ALL
                    SELECT
                        4194304 AS place_value
                ) AS _v
                    ON _v.place_value <= CASE WHEN _l.level + _l.levels_above > 1 THEN _l.level + _l.levels_above ELSE 1 END
            ) AS _d
        ) AS _g
        GROUP BY
            _g.run_id,
            _g.query_id,
            _g.subtopic,
            _g.doc_id,
            _g.relevance,
            _g.rank,
            _g.has_results
    ) AS _c
) AS _f
)
{%- endmacro %}

{% macro query_coverage(qrels, run) -%}
{%- do sqlmetrics.start('query_coverage') -%}
(
SELECT
    _c.run_id,
    _c.query_id,
    max(_c.judged) AS judged,
    max(_c.has_results) AS has_results
FROM (
    SELECT
        _d.run_id,
        _d.query_id,
        0 AS judged,
        1 AS has_results
    FROM {{ sqlmetrics.retrieved(run) }} AS _d
    UNION ALL
    SELECT
        _u.run_id,
        _q.query_id,
        1 AS judged,
        0 AS has_results
    FROM (
        SELECT DISTINCT
            _r.run_id
        FROM {{ sqlmetrics.retrieved(run) }} AS _r
    ) AS _u
    CROSS JOIN (
        SELECT DISTINCT
            _j.query_id
        FROM {{ sqlmetrics.judgments(qrels) }} AS _j
    ) AS _q
) AS _c
GROUP BY
    _c.run_id,
    _c.query_id
)
{%- endmacro %}

{% macro ranked_and_ideal(judged, gain='linear') -%}
{%- do sqlmetrics.start('ranked_and_ideal') -%}
{%- do sqlmetrics.require('gain', gain, "one of binary, linear, exponential") -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _g.*,
    {{ sqlmetrics.down_to_place('_g', "_g.got") }} AS cg,
    {{ sqlmetrics.down_to_place('_g', "_g.best") }} AS ideal_cg,
    {{ sqlmetrics.down_to_place('_g', "(_g.got / " ~ sqlmetrics.rank_discount("_g.place", 'log', 2) ~ ")") }} AS dcg,
    {{ sqlmetrics.down_to_place('_g', "(_g.best / " ~ sqlmetrics.rank_discount("_g.place", 'log', 2) ~ ")") }} AS ideal_dcg,
    {{ sqlmetrics.down_to_place('_g', "CASE WHEN _g.best > 1 THEN _g.best - 1e0" ~ real ~ " ELSE 0e0" ~ real ~ " END") }} AS ideal_surplus
FROM (
    SELECT
        _p.*,
        CASE
            WHEN _p.in_ideal = 0 AND _p.place IS NOT NULL
            THEN _p.own_gain
            ELSE 0e0{{ real }}
        END AS got,
        CASE WHEN _p.in_ideal = 1 THEN _p.own_gain ELSE 0e0{{ real }} END AS best
    FROM (
        SELECT
            _j.*,
            {{ sqlmetrics.graded_gain("_j.grade", gain) }} AS own_gain,
            max({{ sqlmetrics.graded_gain("_j.grade", gain) }}) OVER (PARTITION BY _j.run_id, _j.query_id) AS highest,
            _k.in_ideal,
            CASE WHEN _k.in_ideal = 1 THEN _j.ideal_rank ELSE _j.rank END AS place
        FROM {{ judged }} AS _j
        CROSS JOIN (
            SELECT
                0 AS in_ideal
            UNION ALL
            SELECT
                1 AS in_ideal
        ) AS _k
    ) AS _p
) AS _g
)
{%- endmacro %}

{% macro ranked_subtopics(restricted, qrels, rel=1) -%}
{%- do sqlmetrics.start('ranked_subtopics') -%}
{%- do sqlmetrics.require('rel', rel, "a number above 0") -%}
(
SELECT
    _j.*,
    row_number() OVER (
        PARTITION BY _j.run_id, _j.query_id, _j.subtopic
        ORDER BY {{ sqlmetrics.descending("_j.relevance") }}, {{ sqlmetrics.descending("_j.doc_id") }}
    ) AS ideal_rank,
    count(CASE WHEN _j.relevant = 1 THEN 1 END) OVER (PARTITION BY _j.run_id, _j.query_id, _j.subtopic) AS num_rel,
    count(CASE WHEN _j.relevant = 1 AND _j.rank IS NOT NULL THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id, _j.subtopic
        ORDER BY {{ sqlmetrics.ascending("_j.rank") }}, {{ sqlmetrics.descending("_j.doc_id") }}
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS hits
FROM (
    SELECT
        _d.run_id,
        _d.query_id,
        _s.subtopic,
        _d.doc_id,
        _s.relevance,
        _d.rank,
        _d.has_results,
        _d.num_ret,
        CASE WHEN _s.relevance >= {{ sqlmetrics.literal(rel) }} THEN 1 ELSE 0 END AS relevant
    FROM {{ restricted }} AS _d
    INNER JOIN {{ sqlmetrics.subtopic_judgments(qrels) }} AS _s
        ON _d.query_id = _s.query_id AND _d.doc_id = _s.doc_id
) AS _j
)
{%- endmacro %}

{% macro rankings(run, depth=none) -%}
{%- do sqlmetrics.start('rankings') -%}
{%- do sqlmetrics.require('depth', depth, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require_columns('run', run, ['run_id', 'query_id', 'doc_id', 'score']) -%}
(
SELECT
    _d.run_id,
    _d.query_id,
    _d.doc_id,
    _d.score,
    _d.rank,
    CASE WHEN {{ sqlmetrics.within_k("_d.num_ret", sqlmetrics.literal(depth)) }} THEN _d.num_ret ELSE {{ sqlmetrics.literal(depth) }} END AS num_ret
FROM (
    SELECT
        _r.run_id,
        _r.query_id,
        _r.doc_id,
        _r.score,
        row_number() OVER (PARTITION BY _r.run_id, _r.query_id ORDER BY {{ sqlmetrics.descending("_r.score") }}, {{ sqlmetrics.descending("_r.doc_id") }}) AS rank,
        count(*) OVER (PARTITION BY _r.run_id, _r.query_id) AS num_ret
    FROM {{ sqlmetrics.retrieved(run) }} AS _r
) AS _d
WHERE
    {{ sqlmetrics.within_k("_d.rank", sqlmetrics.literal(depth)) }}
)
{%- endmacro %}

{% macro rbo_overlap(judged) -%}
{%- do sqlmetrics.start('rbo_overlap') -%}
(
SELECT
    _s.*,
    row_number() OVER (PARTITION BY _s.run_id, _s.query_id ORDER BY {{ sqlmetrics.ascending("_s.shared_rank") }}, {{ sqlmetrics.descending("_s.doc_id") }}) AS num_shared,
    coalesce(
        lead(_s.shared_rank) OVER (PARTITION BY _s.run_id, _s.query_id ORDER BY {{ sqlmetrics.ascending("_s.shared_rank") }}, {{ sqlmetrics.descending("_s.doc_id") }}) - 1,
        _s.longest
    ) AS shared_until
FROM (
    SELECT
        _a.*,
        CASE
            WHEN _a.relevant = 0 OR _a.rank IS NULL
            THEN NULL
            WHEN _a.rank > _a.agreed_rank
            THEN _a.rank
            ELSE _a.agreed_rank
        END AS shared_rank
    FROM (
        SELECT
            _j.*,
            CASE WHEN _j.num_ret > _j.num_rel THEN _j.num_ret ELSE _j.num_rel END AS longest,
            row_number() OVER (
                PARTITION BY _j.run_id, _j.query_id, _j.relevant
                ORDER BY {{ sqlmetrics.descending("_j.grade") }}, {{ sqlmetrics.ascending("_j.rank") }}, {{ sqlmetrics.descending("_j.doc_id") }}
            ) AS agreed_rank
        FROM {{ judged }} AS _j
    ) AS _a
) AS _s
)
{%- endmacro %}

{% macro recommended(rankings, popularity) -%}
{%- do sqlmetrics.start('recommended') -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _r.run_id,
    _r.query_id,
    _r.doc_id,
    _r.rank,
    _r.num_ret,
    coalesce(_p.users, 0) AS users,
    _p.place,
    _p.popularity_rank,
    coalesce(_p.quantile, 0e0{{ real }}) AS quantile,
    _n.num_users,
    _n.num_items
FROM {{ rankings }} AS _r
LEFT JOIN {{ popularity }} AS _p
    ON _r.doc_id = _p.doc_id
CROSS JOIN (
    SELECT
        max(_h.num_users) AS num_users,
        max(_h.num_items) AS num_items
    FROM {{ popularity }} AS _h
) AS _n
)
{%- endmacro %}

{% macro recommended_and_judged(recommended, qrels, rel=1) -%}
{%- do sqlmetrics.start('recommended_and_judged') -%}
{%- do sqlmetrics.require('rel', rel, "a number above 0") -%}
(
SELECT
    _r.run_id,
    _r.query_id,
    _r.doc_id,
    _r.rank,
    _r.num_ret,
    _r.users,
    _r.popularity_rank,
    _r.num_users,
    CASE WHEN _q.relevance >= {{ sqlmetrics.literal(rel) }} THEN 1 ELSE 0 END AS relevant,
    coalesce(_n.num_rel, 0) AS num_rel
FROM {{ recommended }} AS _r
LEFT JOIN {{ sqlmetrics.judgments(qrels) }} AS _q
    ON _r.query_id = _q.query_id AND _r.doc_id = _q.doc_id
LEFT JOIN (
    SELECT
        _j.query_id,
        count(*) AS num_rel
    FROM {{ sqlmetrics.judgments(qrels) }} AS _j
    WHERE
        _j.relevance >= {{ sqlmetrics.literal(rel) }}
    GROUP BY
        _j.query_id
) AS _n
    ON _r.query_id = _n.query_id
)
{%- endmacro %}

{% macro recommended_items(rankings, k=none) -%}
{%- do sqlmetrics.start('recommended_items') -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
{{- adapter.dispatch('recommended_items', 'sqlmetrics')(rankings, k) -}}
{%- endmacro %}
{% macro default__recommended_items(rankings, k) -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _r.run_id,
    _r.doc_id,
    count(*) AS lists,
    count(CASE WHEN _r.rank = 1 THEN 1 END) AS first_places,
    {{ sqlmetrics.exact_sum("(1e0" ~ real ~ " / " ~ sqlmetrics.rank_discount("_r.rank", 'log', 2) ~ ")") }} AS discounted,
    {{ sqlmetrics.exact_sum("(1e0" ~ real ~ " / sqrt(1e0" ~ real ~ " * least(_r.num_ret, " ~ ("_r.num_ret" if k is none else sqlmetrics.literal(k)) ~ ")))") }} AS presence
FROM {{ rankings }} AS _r
WHERE
    {{ sqlmetrics.within_k("_r.rank", sqlmetrics.literal(k)) }}
GROUP BY
    _r.run_id,
    _r.doc_id
)
{%- endmacro %}
{% macro sqlite__recommended_items(rankings, k) -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _r.run_id,
    _r.doc_id,
    count(*) AS lists,
    count(CASE WHEN _r.rank = 1 THEN 1 END) AS first_places,
    {{ sqlmetrics.exact_sum("(1e0" ~ real ~ " / " ~ sqlmetrics.rank_discount("_r.rank", 'log', 2) ~ ")") }} AS discounted,
    {{ sqlmetrics.exact_sum("(1e0" ~ real ~ " / sqrt(1e0" ~ real ~ " * min(_r.num_ret, " ~ ("_r.num_ret" if k is none else sqlmetrics.literal(k)) ~ ")))") }} AS presence
FROM {{ rankings }} AS _r
WHERE
    {{ sqlmetrics.within_k("_r.rank", sqlmetrics.literal(k)) }}
GROUP BY
    _r.run_id,
    _r.doc_id
)
{%- endmacro %}

{% macro restricted(qrels, run, ties='descending', depth=none, judged_only=false) -%}
{%- do sqlmetrics.start('restricted') -%}
{%- do sqlmetrics.require('ties', ties, "one of descending, ascending, rank, best, worst") -%}
{%- do sqlmetrics.require('depth', depth, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('judged_only', judged_only, "true or false") -%}
{%- do sqlmetrics.require_columns('qrels', qrels, ['query_id', 'doc_id', 'relevance']) -%}
{%- do sqlmetrics.require_columns('run', run, ['run_id', 'query_id', 'doc_id', 'score']) -%}
(
SELECT
    _k.run_id,
    _k.query_id,
    _k.doc_id,
    _k.relevance,
    _k.has_results,
    {% if not (judged_only) %}_k.rank{% else %}CASE
    WHEN _k.kept = 1
    THEN row_number() OVER (PARTITION BY _k.run_id, _k.query_id, _k.kept ORDER BY {{ sqlmetrics.ascending("_k.rank") }})
END{% endif %} AS rank,
    {% if not (judged_only) %}_k.first_rank{% else %}CASE
    WHEN _k.kept = 1
    THEN rank() OVER (PARTITION BY _k.run_id, _k.query_id, _k.kept ORDER BY {{ sqlmetrics.ascending("_k.first_rank") }})
END{% endif %} AS first_rank,
    {% if not (judged_only) %}CASE WHEN _k.last_rank > {{ sqlmetrics.literal(depth) }} THEN {{ sqlmetrics.literal(depth) }} ELSE {% if not (judged_only) %}_k.last_rank{% else %}CASE
    WHEN _k.kept = 1
    THEN count(*) OVER (
        PARTITION BY _k.run_id, _k.query_id, _k.kept
        ORDER BY {{ sqlmetrics.ascending("_k.first_rank") }}
        RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
END{% endif %} END{% elif not (judged_only) %}_k.last_rank{% else %}CASE
    WHEN _k.kept = 1
    THEN count(*) OVER (
        PARTITION BY _k.run_id, _k.query_id, _k.kept
        ORDER BY {{ sqlmetrics.ascending("_k.first_rank") }}
        RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
END{% endif %} AS last_rank,
    {% if not (judged_only) %}_k.num_tied{% elif depth is none %}CASE
    WHEN _k.kept = 1
    THEN count(*) OVER (PARTITION BY _k.run_id, _k.query_id, _k.kept, _k.first_rank)
END{% else %}NULL{% endif %} AS num_tied,
    {% if judged_only %}count(CASE WHEN _k.kept = 1 THEN 1 END) OVER (PARTITION BY _k.run_id, _k.query_id){% else %}_k.num_ret{% endif %} AS num_ret
FROM (
    SELECT
        _c.*,
        CASE WHEN _c.rank IS NOT NULL AND _c.relevance >= 0 THEN 1 ELSE 0 END AS kept
    FROM (
        SELECT
            _r.run_id,
            _r.query_id,
            _r.doc_id,
            _r.relevance,
            CASE WHEN _r.num_ret > 0 THEN 1 ELSE 0 END AS has_results,
            CASE WHEN _r.rank <= {% if depth is none %}_r.rank{% else %}{{ sqlmetrics.literal(depth) }}{% endif %} THEN _r.rank END AS rank,
            CASE WHEN _r.first_rank <= {% if depth is none %}_r.first_rank{% else %}{{ sqlmetrics.literal(depth) }}{% endif %} THEN _r.first_rank END AS first_rank,
            CASE WHEN _r.first_rank <= {% if depth is none %}_r.first_rank{% else %}{{ sqlmetrics.literal(depth) }}{% endif %} THEN _r.first_rank + _r.num_tied - 1 END AS last_rank,
            CASE WHEN _r.first_rank <= {% if depth is none %}_r.first_rank{% else %}{{ sqlmetrics.literal(depth) }}{% endif %} THEN _r.num_tied END AS num_tied,
            CASE WHEN _r.num_ret > {{ sqlmetrics.literal(depth) }} THEN {{ sqlmetrics.literal(depth) }} ELSE _r.num_ret END AS num_ret
        FROM {{ sqlmetrics.ranked(qrels, run, ties=ties) }} AS _r
    ) AS _c
) AS _k
)
{%- endmacro %}

{% macro sampled(judged) -%}
{%- do sqlmetrics.start('sampled') -%}
(
SELECT
    _j.*,
    count(CASE WHEN _j.relevance < 0 AND _j.rank IS NOT NULL THEN 1 END) OVER (
        PARTITION BY _j.run_id, _j.query_id
        ORDER BY {{ sqlmetrics.ascending("_j.rank") }}, {{ sqlmetrics.descending("_j.doc_id") }}
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS skips
FROM {{ judged }} AS _j
)
{%- endmacro %}

{% macro served(rankings, history) -%}
{%- do sqlmetrics.start('served') -%}
(
SELECT
    _u.run_id,
    _h.query_id,
    coalesce(_l.num_ret, 0) AS num_ret
FROM (
    SELECT DISTINCT
        _i.query_id
    FROM {{ sqlmetrics.interactions(history) }} AS _i
) AS _h
CROSS JOIN (
    SELECT DISTINCT
        _r.run_id
    FROM {{ rankings }} AS _r
) AS _u
LEFT JOIN {{ rankings }} AS _l
    ON _u.run_id = _l.run_id AND _h.query_id = _l.query_id AND _l.rank = 1
)
{%- endmacro %}

{% macro shown_categories(rankings, items, k=none) -%}
{%- do sqlmetrics.start('shown_categories') -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
(
SELECT
    _r.run_id,
    _r.query_id,
    _c.category,
    count(*) AS shown,
    {{ sqlmetrics.exact_sum("_c.part") }} AS parts,
    {{ sqlmetrics.exact_sum("sqrt(_c.part)") }} AS weight,
    max({% if k is none %}_r.num_ret{% else %}{{ sqlmetrics.literal(k) }}{% endif %}) AS size
FROM {{ rankings }} AS _r
INNER JOIN {{ sqlmetrics.item_categories(items) }} AS _c
    ON _r.doc_id = _c.doc_id
WHERE
    {{ sqlmetrics.within_k("_r.rank", sqlmetrics.literal(k)) }}
GROUP BY
    _r.run_id,
    _r.query_id,
    _c.category
)
{%- endmacro %}

{% macro subtopics(qrels, run, rel=1, ties='descending', depth=none, judged_only=false) -%}
{%- do sqlmetrics.start('subtopics') -%}
{%- do sqlmetrics.require('rel', rel, "a number above 0") -%}
{%- do sqlmetrics.require('ties', ties, "one of descending, ascending, rank, best, worst") -%}
{%- do sqlmetrics.require('depth', depth, "a whole number, 1 or more, or none") -%}
{%- do sqlmetrics.require('judged_only', judged_only, "true or false") -%}
(
WITH _documents AS (
    SELECT
        *
    FROM {{ sqlmetrics.judgments_once(qrels) }} AS _r
), _restricted AS (
    SELECT
        *
    FROM {{ sqlmetrics.restricted('_documents', run, ties=ties, depth=depth, judged_only=judged_only) }} AS _r
)
SELECT
    *
FROM {{ sqlmetrics.ranked_subtopics('_restricted', qrels, rel=rel) }} AS _r
)
{%- endmacro %}

{% macro summed_features(rankings, items, k=none) -%}
{%- do sqlmetrics.start('summed_features') -%}
{%- do sqlmetrics.require('k', k, "a whole number, 1 or more, or none") -%}
(
SELECT
    _r.run_id,
    _r.query_id,
    _f.dimension,
    {{ sqlmetrics.exact_sum("_f.value") }} AS total,
    count(*) AS shown
FROM {{ rankings }} AS _r
INNER JOIN {{ sqlmetrics.item_features(items) }} AS _f
    ON _r.doc_id = _f.doc_id
WHERE
    {{ sqlmetrics.within_k("_r.rank", sqlmetrics.literal(k)) }}
GROUP BY
    _r.run_id,
    _r.query_id,
    _f.dimension
)
{%- endmacro %}

{% macro surprising(recommended_and_judged, items) -%}
{%- do sqlmetrics.start('surprising') -%}
{%- set real = sqlmetrics.real() -%}
(
SELECT
    _r.run_id,
    _r.query_id,
    _r.doc_id,
    _r.rank,
    _r.relevant,
    (_n.num_items + 1e0{{ real }} - _r.rank) / _n.num_items AS chance,
    coalesce(
        (_n.num_items + 1e0{{ real }} - _r.popularity_rank) / _n.num_items,
        0e0{{ real }}
    ) AS popular_chance
FROM {{ recommended_and_judged }} AS _r
CROSS JOIN (
    SELECT
        count(DISTINCT _c.doc_id) AS num_items
    FROM {{ sqlmetrics.listed_items(items) }} AS _c
) AS _n
)
{%- endmacro %}
