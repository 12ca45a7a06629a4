-- What bounds of nDCG@k are computed from: the DCG of the judged documents; the levels of gains, and the highest gain
--     of an unjudged document; the discount_sums of the first unjudged documents, of the last ones, and of the ranks 1
--     to k.
-- b: rows of bounded
-- k, gain, discount, base: as for ndcg
CREATE OR REPLACE MACRO ndcg_parts(b, k, gain, discount, base) AS
    let(
        {
            'dcg': coalesce(discounted_sum(graded_gain(b.grade, gain), b.rank, k, discount, base := base), 0e0),
            'gains': coalesce(list(graded_gain(b.grade, gain) ORDER BY b.grade DESC) FILTER (b.grade > 0), []),
            'top': graded_gain(max(b.top_grade), gain),
            'open': coalesce(list(b.rank ORDER BY b.rank ASC) FILTER (b.relevant IS NULL AND b.rank <= k), [])
        },
        lambda q: {
            'dcg': q.dcg,
            'top': q.top,
            'levels': gain_levels(q.gains, q.top),
            'first': discount_sums(q.open, discount, base),
            'last': discount_sums(list_reverse(q.open), discount, base),
            'sums': discount_sums(range(1, k + 1), discount, base)
        }
    );
