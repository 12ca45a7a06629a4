-- The sample ratio check: the p-value of the numbers of users in the variants, if shares are as planned. A small one
--     means that users were lost or assigned wrongly, and that no difference can be trusted.
-- relation: allocated
-- formula: χ² = Σ (users - expected users)² / expected users, with one degree of freedom fewer than variants
-- same as: scipy's chisquare(users, expected_users).pvalue
-- source: Fabijan et al. 2019, doi:10.1145/3292500.3330722
CREATE OR REPLACE MACRO sample_ratio(s) AS
    let(sum(power(s.users - s.expected_users, 2) / s.expected_users), lambda chi2: chi2_p(chi2, count(*) - 1));
