-- How evenly recommendations are spread over the items that are recommended, in bits.
-- name: Entropy, Entropy@k
-- aliases: SEntropy; DistributionalCoverage
-- formula: −Σ over recommended items: p · log2(p), p = lists that have the item among their first k / the same of all
--     items
-- relation: recommended_items(k)
-- exposure: 'lists' or 'discounted'; how a list counts: 1 or 1 / log2(rank + 1)
-- range: 0 to ∞
-- differs: RecBole's ShannonEntropy is in nats, and divided by the number of recommended items
-- source: Shani and Gunawardana 2011, doi:10.1007/978-0-387-85820-3_8
CREATE OR REPLACE MACRO exposure_entropy(j, exposure VARCHAR := 'lists') AS
    CASE exposure
        -- −Σ x / s · ln(x / s) is ln(s) − Σ x · ln(x) / s
        WHEN 'lists' THEN (ln(1e0 * sum(j.lists)) - exact_sum(j.lists * ln(1e0 * j.lists)) / sum(j.lists)) / ln(2e0)
        WHEN 'discounted'
            THEN (
                ln(exact_sum(j.discounted))
                - exact_sum(j.discounted * ln(j.discounted)) / exact_sum(j.discounted)
            ) / ln(2e0)
    END;
