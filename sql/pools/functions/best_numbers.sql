-- For each level of gain, how many unjudged documents should reach it for the highest DCG - goal * IDCG.
-- q: ndcg_parts
-- goal: the ratio of DCG and IDCG to exceed
CREATE OR REPLACE MACRO best_numbers(q, goal) AS
    list_transform(
        q.levels,
        lambda level: let(
            list_transform(
                range(CASE WHEN level.is_open THEN len(q.first) ELSE 1 END),
                lambda number: q.first[number + 1]
                - goal * q.sums[1 + least(level.judged + number, len(q.sums) - 1)]
            ),
            lambda gained: list_position(gained, list_max(gained)) - 1
        )
    );
