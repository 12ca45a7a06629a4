-- The lowest nDCG@k: of the unjudged documents, the last ones have the highest grade, as many as lower it most.
-- relation: bounded
-- k: 1 or more; cut-off rank
-- gain: 'binary', 'linear' or 'exponential'; as for ndcg
-- discount: 'log', 'clipped', 'reciprocal' or 'none'; as for ndcg
-- base: above 1; base of the logarithm
-- formula: min over m: DCG@k / IDCG@k with the m last unjudged documents of the first k at the highest grade
-- range: 0 to 1
-- differs: a ratio of a sum of gains and a convex function of them is lowest where each gain is the least or the most
CREATE OR REPLACE MACRO lowest_ndcg(
    b, k BIGINT := 10, gain VARCHAR := 'linear', discount VARCHAR := 'log', base DOUBLE := 2
) AS
    let(
        ndcg_parts(b, k, gain, discount, base),
        lambda q: list_min(list_transform(
            range(len(q.last)),
            lambda number: ratio(
                q.dcg + q.top * q.last[number + 1],
                raised_ideal_dcg(
                    q, list_transform(q.levels, lambda level: CASE WHEN level.is_open THEN number ELSE 0 END)
                )
            )
        ))
    );
