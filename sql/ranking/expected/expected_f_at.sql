-- Expected F: its denominator is the same for all orders of tied documents, so it follows from the expected relevant
--     documents found.
-- j: rows of judged
-- k: as for f_at; cut-off rank
-- beta, alpha, beta_squared: as for f_at; weight of recall or precision
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_f_at(
    j, k BIGINT := NULL, beta DOUBLE := 1e0, alpha DOUBLE := NULL, beta_squared DOUBLE := NULL
) AS
    ratio(
        expected_tp(j, k),
        precision_weight(beta, alpha, beta_squared) * once_per_query(j, coalesce(k, j.num_ret))
        + (1e0 - precision_weight(beta, alpha, beta_squared)) * sum(j.relevant)
    );
