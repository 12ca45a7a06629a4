-- As how many queries of the same weight these are, by their shares of the mean weight: (Σ share)² / Σ share².
-- p: rows with a share
-- source: Kish 1965, Survey Sampling
CREATE OR REPLACE MACRO effective_queries(p) AS power(sum(p.share), 2) / sum(power(p.share, 2));
