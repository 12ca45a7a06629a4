-- What a document that two rankings share over some ranks adds to rank-biased overlap: Σ p^(rank − 1) / rank.
-- p: probability that the user continues
-- first_rank, last_rank: first and last of these ranks; none if last_rank is less than first_rank
-- most: the highest rank that there may be, for engines that add up known numbers of ranks alone
-- bounded: coalesce(list_sum(list_transform(range(1, most + 1), lambda _rank:
--     CASE WHEN _rank BETWEEN first_rank AND last_rank THEN power(1e0 * p, _rank - 1) / _rank ELSE 0e0 END)), 0e0)
CREATE OR REPLACE MACRO overlap_weight(p, first_rank, last_rank, most := NULL) AS
    -- ranks too deep to change the sum are left out
    coalesce(list_sum(list_transform(
        range(first_rank, 1 + least(last_rank, first_rank + CAST((ln(1e0 - p) - 4e1) / ln(1e0 * p) AS BIGINT))),
        lambda _rank: power(1e0 * p, _rank - 1) / _rank
    )), 0e0);
