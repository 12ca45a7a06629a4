-- The confidence interval of move_correlation: a list of two numbers; NULL for fewer than 4 queries, or if it is
--     1 or -1 within 1e-12.
-- relation: bridged
-- confidence: between 0 and 1; how often such intervals contain the true correlation
-- formula: tanh(atanh(move_correlation) ± z / √(n - 3))
-- same as: scipy's pearsonr(difference, online_difference).confidence_interval()
-- source: Fisher 1921, Metron 1, 3-32
CREATE OR REPLACE MACRO move_interval(b, confidence DOUBLE := 95e-2) AS
    CASE
        WHEN count(*) > 3 AND 1 - abs(move_correlation(b)) > 1e-12
            THEN list_transform(
                [-1e0, 1e0],
                lambda side: tanh(
                    atanh(move_correlation(b)) + side * normal_quantile(1e0 - confidence) / sqrt(count(*) - 3e0)
                )
            )
    END;
