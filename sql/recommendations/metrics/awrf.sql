-- How close the exposure of groups in a list is to their share of the catalogue: 1 if it is the same
--     (attention-weighted rank fairness).
-- name: AWRF, AWRF@k
-- formula: 1 − Jensen-Shannon divergence in nats of p and q, p = exposure of each group / that of all, q = items of the
--     group / items
-- relation: grouped(k, discount)
-- range: 0 to 1
-- differs: TREC Fair Ranking is discount='clipped', with target shares of its own; FairRankTune's AWRF is a ratio of
--     mean attention, which is geometric
-- source: Sapiezynski et al. 2019, doi:10.1145/3308560.3317595; TREC 2021 Fair Ranking Track
CREATE OR REPLACE MACRO awrf(j) AS
    1e0 - exact_sum(
        CASE
            WHEN j.exposure > 0
                THEN j.exposure / j.all_exposure
                    * ln(2e0 * j.exposure / j.all_exposure / (j.exposure / j.all_exposure + j.num_items / j.all_items))
            ELSE 0e0
        END
        + j.num_items / j.all_items
        * ln(2e0 * j.num_items / j.all_items / (j.exposure / j.all_exposure + j.num_items / j.all_items))
    ) / 2;
