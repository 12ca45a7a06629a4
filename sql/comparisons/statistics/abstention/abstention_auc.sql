-- Whether the confidence of a run says which queries to decline: 1 if as well as the scores themselves would, 0 if no
--     better than chance, below 0 if worse.
-- relation: abstained
-- formula: (A - F) / (O - F); areas under the mean score over the share of queries dropped, from 0 to 90%: A by
--     confidence, O the lowest scores first, F without effect
-- range: -∞ to 1
-- differs: NULL where all queries score the same; queries of equal confidence are dropped in all orders, and the mean
--     taken, where mteb 2.18 drops them in the order of the run
-- same as: mteb's nauc(conf_scores, metrics)
-- source: Gisserot-Boukhlef et al. 2024, arXiv:2402.12997
CREATE OR REPLACE MACRO abstention_auc(p) AS
    CASE
        WHEN min(p.score) < max(p.score)
            THEN least(
                1e0,
                (sum(p.score * abstention_share(p.first_place, p.last_place, p.num_queries)) - 9e-1 * avg(p.score))
                / nullif(
                    sum(p.score * abstention_share(p.oracle_place, p.oracle_place, p.num_queries))
                    - 9e-1 * avg(p.score),
                    0
                )
            )
    END;
