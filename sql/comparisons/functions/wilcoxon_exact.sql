-- The p-value of signed ranks over all patterns of signs, ties or not.
-- ranks: signed ranks
-- alternative: 'two-sided', 'greater' or 'less'
CREATE OR REPLACE MACRO wilcoxon_exact(ranks, alternative) AS
    list_sum(list_transform( -- noqa: LT01
        sign_patterns(list_transform(ranks, lambda r: CAST(abs(2 * r) AS BIGINT))), -- noqa: PRS
        -- the sums of signed ranks, doubled, are 2 × what is added, less all of it
        lambda chance, place: CASE
            WHEN alternative = 'greater' AND 2 * (place - 1) - list_sum(list_transform(ranks, lambda r: abs(2 * r)))
                >= list_sum(ranks) * 2 - 1e-6 THEN chance
            WHEN alternative = 'less' AND 2 * (place - 1) - list_sum(list_transform(ranks, lambda r: abs(2 * r)))
                <= list_sum(ranks) * 2 + 1e-6 THEN chance
            WHEN alternative = 'two-sided'
                AND abs(2 * (place - 1) - list_sum(list_transform(ranks, lambda r: abs(2 * r))))
                >= abs(list_sum(ranks) * 2) - 1e-6 THEN chance
            ELSE 0e0
        END
    ));
