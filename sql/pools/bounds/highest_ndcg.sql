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
    list_transform(
        bounded_list(b, k, gain, discount, base),
        -- from any ratio below the highest: the numbers that maximise DCG - ratio * IDCG, each level by itself, have
        -- a higher one, and soon the highest
        lambda q: list_reduce( -- noqa: LT01
            list_transform(range(12), lambda step: 0e0), -- noqa: PRS
            lambda found, step: list_transform(
                [list_transform(
                    q.levels,
                    lambda level: list_transform(
                        [list_transform(
                            range(CASE WHEN level.is_open THEN len(q.first) ELSE 1 END),
                            lambda number: q.first[number + 1]
                            - found * q.sums[1 + least(level.judged + number, len(q.sums) - 1)]
                        )],
                        lambda gained: list_position(gained, list_max(gained)) - 1
                    )[1]
                )],
                lambda numbers: greatest(found, ratio(
                    q.dcg + list_sum(list_transform(
                        range(1, len(numbers) + 1),
                        lambda place: q.levels[place].height * q.first[1 + numbers[place]]
                    )),
                    level_dcg(q.levels, numbers, q.sums)
                ))
            )[1]
        )
    )[1];
