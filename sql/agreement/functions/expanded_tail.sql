-- The share of bootstrap samples below an interval, and of those above it, that is right for few values: alpha / 2
--     makes intervals too narrow (Hesterberg 2015, doi:10.1080/00031305.2015.1089789).
-- alpha: between 0 and 1
-- n: how many values each sample has, 2 or more
-- no_lists: let(sqrt(n / (n - 1e0)) * student_quantile(alpha, n - 1e0), lambda expanded: normal_p(expanded) / 2e0)
CREATE OR REPLACE MACRO expanded_tail(alpha, n) AS
    normal_p(sqrt(n / (n - 1e0)) * student_quantile(alpha, n - 1e0)) / 2e0;
