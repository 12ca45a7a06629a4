-- Wilcoxon's signed rank of each difference, without lists: the mean rank of those of equal size.
-- p: rows of paired, within an aggregate, where plain SQL may have a window in another
CREATE OR REPLACE MACRO signed_ranks(p) AS
    p.outcome * (
        avg(1e0 * row_number() OVER (PARTITION BY p.outcome = 0 ORDER BY abs(p.difference) ASC, p.query_id ASC)) OVER (
            PARTITION BY
                p.outcome = 0,
                -- differences of scores that are equal may differ by the rounding of the scores
                sum(
                    CASE
                        WHEN
                            abs(p.difference) - lag(abs(p.difference)) OVER (
                                PARTITION BY p.outcome = 0 ORDER BY abs(p.difference) ASC, p.query_id ASC
                            ) <= 1e-12 * p.scale
                            THEN 0
                        ELSE 1
                    END
                ) OVER (
                    PARTITION BY p.outcome = 0
                    ORDER BY abs(p.difference) ASC, p.query_id ASC
                    ROWS UNBOUNDED PRECEDING
                )
        )
    );
