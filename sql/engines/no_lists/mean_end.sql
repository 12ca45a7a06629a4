-- An end of the interval of mean_interval, without lists.
-- p, lowest, highest, confidence, effective, side: as for the other file of this name
CREATE OR REPLACE MACRO mean_end(p, lowest, highest, confidence, effective, side) AS
    let( -- noqa: PRS
        avg((p.score - lowest) / (highest - lowest)),
        variance_of((p.score - lowest) / (highest - lowest)) * (1e0 - 1e0 / count(*))
        * CASE WHEN effective IS NULL THEN 1e0 ELSE effective / count(*) END,
        CASE WHEN count(*) > 1 THEN greatest(coalesce(effective, 1e0 * count(*)), 2e0) END,
        lambda share, variance, n: let(
            student_quantile(1e0 - confidence, n - 1e0),
            lambda t: let(
                share * (1e0 - share),
                power(t, 2) / (n - 1e0) * CASE
                    WHEN share * (1e0 - share) > 0
                        THEN ((n - 1e0) * variance / (share * (1e0 - share)) + 1e0) / n
                    ELSE 1e0
                END,
                lambda most, k: lowest + (highest - lowest)
                * (share + k / 2e0 + side * sqrt(k * most + k * k / 4e0)) / (1e0 + k)
            )
        )
    );
