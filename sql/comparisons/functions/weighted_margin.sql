-- Half the width of the interval of the mean of the scores of queries, which may have weights.
-- p, alpha: as for means
CREATE OR REPLACE MACRO weighted_margin(p, alpha) AS
    margin_of_error(p, confidence := 1e0 - alpha, effective := effective_queries(p));
