-- The DCG of the ranking, if the first unjudged documents reach each level of gain.
-- q: ndcg_parts
-- numbers: for each level, how many
CREATE OR REPLACE MACRO raised_dcg(q, numbers) AS
    q.dcg + list_sum(list_transform(
        range(1, len(q.levels) + 1), lambda place: q.levels[place].height * q.first[1 + numbers[place]]
    ));
