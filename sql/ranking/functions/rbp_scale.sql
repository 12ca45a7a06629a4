-- What RBP is divided by: the weights of the ranks that count and, with scaled, the highest gain of the query.
-- j: rows of judged
-- k, p, gain, scaled, denominator: as for rbp
CREATE OR REPLACE MACRO rbp_scale(j, k, p, gain, scaled, denominator) AS
    once_per_query(
        j,
        CASE
            WHEN denominator = 'endless' THEN 1e0
            ELSE 1e0 - power(1e0 * p, divisor(denominator, k, j.num_rel, j.num_ret))
        END
    )
    * CASE WHEN scaled THEN max(rbp_gain(j.relevant, j.grade, gain, NULL)) ELSE 1e0 END;
