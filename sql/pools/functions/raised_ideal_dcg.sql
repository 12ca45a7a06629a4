-- The DCG of the ideal ranking, if some unjudged documents reach each level of gain.
-- q: ndcg_parts
-- numbers: for each level, how many
CREATE OR REPLACE MACRO raised_ideal_dcg(q, numbers) AS
    list_sum(list_transform(
        range(1, len(q.levels) + 1),
        lambda place: q.levels[place].height
        * q.sums[1 + least(q.levels[place].judged + numbers[place], len(q.sums) - 1)]
    ));
