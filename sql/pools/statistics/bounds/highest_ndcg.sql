-- The highest nDCG@k: of the unjudged documents, the first ones have the best grades, as many of each as raise it most.
-- relation: bounded
-- k: 1 or more; cut-off rank
-- gain: 'binary', 'linear' or 'exponential'; as for ndcg
-- discount: 'log', 'clipped', 'reciprocal' or 'none'; as for ndcg
-- base: above 1; base of the logarithm
-- formula: max over the numbers m of documents that reach each gain: DCG@k / IDCG@k
-- range: 0 to 1
-- differs: the highest grade for all is not always best, since it raises the ideal, too
-- source: Dinkelbach 1967, doi:10.1287/mnsc.13.7.492
CREATE OR REPLACE MACRO highest_ndcg(
    b, k BIGINT := 10, gain VARCHAR := 'linear', discount VARCHAR := 'log', base DOUBLE := 2
) AS
    let(
        ndcg_parts(b, k, gain, discount, base),
        -- the numbers that are best for any ratio below the highest have a higher one, and soon the highest
        lambda q: list_reduce( -- noqa: LT01
            range(11), -- noqa: PRS
            lambda found, step: let(
                best_numbers(q, found),
                lambda numbers: greatest(found, ratio(raised_dcg(q, numbers), raised_ideal_dcg(q, numbers)))
            ),
            0e0
        )
    );
