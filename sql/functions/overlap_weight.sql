-- What a document adds to rank-biased overlap that two rankings share over some ranks: Σ p^(rank − 1) / rank.
-- p: probability that the user goes on
-- first_rank, last_rank: these ranks; none when the last is above the first
CREATE OR REPLACE MACRO overlap_weight(p, first_rank, last_rank) AS
    -- ranks so far down that they would not change the sum are left out
    coalesce(list_sum(list_transform(
        range(first_rank, 1 + least(last_rank, first_rank + CAST((ln(1e0 - p) - 4e1) / ln(1e0 * p) AS BIGINT))),
        lambda _rank: power(1e0 * p, _rank - 1) / _rank
    )), 0e0);
