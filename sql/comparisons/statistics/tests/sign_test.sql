-- The sign test: the p-value if wins and losses are equally likely; ties are left out.
-- relation: paired
-- alternative: 'two-sided', 'greater' or 'less'; whether wins are more or less likely
-- formula: the binomial tails of min(wins, losses) of wins + losses; 1 if there are none
-- same as: scipy's binomtest(wins, wins + losses).pvalue
CREATE OR REPLACE MACRO sign_test(p, alternative VARCHAR := 'two-sided') AS
    CASE alternative
        WHEN 'greater' THEN binomial_tail(losses(p), wins(p) + losses(p))
        WHEN 'less' THEN binomial_tail(wins(p), wins(p) + losses(p))
        ELSE least(1e0, 2e0 * binomial_tail(least(wins(p), losses(p)), wins(p) + losses(p)))
    END;
