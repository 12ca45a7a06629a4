-- The ranking as a reader sees it: each row is a judged document and the unjudged ranks that follow it; the first row
--     has no document.
-- judged: rows of judged(qrels, run)
-- k: 1 or more; number of ranks to see: a longer ranking is cut, a shorter one continues with unjudged documents.
--     cwl_eval has 1000
-- min_rel: grade with a gain of 0, as all lower grades have
-- max_rel: grade with a gain of 1, which no relevance may exceed. With NULL, relevant documents have a gain of 1
-- unjudged: from 0 to 1; gain of an unjudged document: 0 at worst, 1 at best; the difference between these two scores
--     is the residual. Above 0, each unjudged rank is a row
-- returns opening: 1 for the first row of a query, else 0
-- returns rank: first rank of the stretch, with its document if it has one
-- returns until: last rank of the stretch; 0 if the first stretch has no rank
-- returns gain: gain of the document, from 0 to 1
-- returns gained_above, gained: the user's gain on reaching the rank, and with its document
-- returns unsatisfied: probability that no document above satisfies, if each does so with the probability of its gain
-- returns never_satisfied: the same for all documents
CREATE OR REPLACE MACRO cwl_stretches(
    judged, k BIGINT := 1000, min_rel DOUBLE := 0, max_rel DOUBLE := NULL, unjudged DOUBLE := 0
) AS TABLE
SELECT
    _s.run_id,
    _s.query_id,
    _s.has_results,
    _s.opening,
    _s.rank,
    coalesce(lead(_s.rank) OVER (
        PARTITION BY _s.run_id, _s.query_id
        ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST
    ) - 1, k) AS until,
    _s.points / coalesce(max_rel - min_rel, 1) AS gain,
    sum_above(_s, _s.points, max_rel - min_rel) / coalesce(max_rel - min_rel, 1) AS gained_above,
    from_fixed(sum(to_fixed(_s.points, max_rel - min_rel)) OVER (
        PARTITION BY _s.run_id, _s.query_id
        ORDER BY _s.rank ASC NULLS LAST, _s.opening DESC NULLS LAST
        ROWS UNBOUNDED PRECEDING
    ), max_rel - min_rel) / coalesce(max_rel - min_rel, 1) AS gained,
    product_above(_s, 1e0 - _s.points / coalesce(max_rel - min_rel, 1)) AS unsatisfied,
    product_of_all(_s, 1e0 - _s.points / coalesce(max_rel - min_rel, 1)) AS never_satisfied
FROM (
    SELECT
        _q.run_id,
        _q.query_id,
        _q.has_results,
        1 AS opening,
        1 AS rank,
        0e0 AS points
    FROM query_table(judged) AS _q
    WHERE _q.ideal_rank = 1
    UNION ALL
    SELECT
        _j.run_id,
        _j.query_id,
        _j.has_results,
        0 AS opening,
        _j.rank,
        CASE
            WHEN max_rel IS NULL THEN 1e0 * _j.relevant
            ELSE scaled_grade(_j.grade, min_rel, max_rel)
        END AS points
    FROM query_table(judged) AS _j
    WHERE _j.rank <= k AND _j.relevance >= 0
    UNION ALL
    SELECT
        _u.run_id,
        _u.query_id,
        _u.has_results,
        0 AS opening,
        _r.rank,
        1e0 * unjudged * coalesce(max_rel - min_rel, 1) AS points
    FROM query_table(judged) AS _u
    CROSS JOIN ranks_to(k) AS _r
    LEFT JOIN query_table(judged) AS _d
        ON _u.run_id = _d.run_id AND _u.query_id = _d.query_id AND _r.rank = _d.rank AND _d.relevance >= 0
    WHERE unjudged > 0 AND _u.ideal_rank = 1 AND _d.doc_id IS NULL
) AS _s;
