-- An end of the interval of move_interval, without lists: tanh(x + y) is (tanh x + tanh y) / (1 + tanh x · tanh y).
-- b, confidence, side: as for the other file of this name
CREATE OR REPLACE MACRO move_end(b, confidence, side) AS
    CASE
        WHEN count(*) > 3 AND 1 - abs(move_correlation(b)) > 1e-12
            THEN let(
                exp(-2e0 * normal_quantile(1e0 - confidence) / sqrt(count(*) - 3e0)),
                lambda rest: (move_correlation(b) + side * (1e0 - rest) / (1e0 + rest))
                / (1e0 + move_correlation(b) * side * (1e0 - rest) / (1e0 + rest))
            )
    END;
