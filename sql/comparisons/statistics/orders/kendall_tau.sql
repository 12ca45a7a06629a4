-- Kendall's tau-b: how far two scorings order the same items alike; 1 if alike, -1 if in reverse.
-- relation: ordered
-- formula: (concordant pairs - discordant pairs) / √(pairs not tied in a · pairs not tied in b)
-- range: -1 to 1
-- same as: scipy's kendalltau(a, b).statistic
-- source: Kendall 1945, doi:10.1093/biomet/33.3.239
CREATE OR REPLACE MACRO kendall_tau(p) AS sum(p.concordance) / nullif(sqrt(sum(p.untied_a) * sum(p.untied_b)), 0);
