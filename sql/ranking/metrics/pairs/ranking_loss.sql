-- The share of pairs of a relevant document and one judged not relevant that are in the wrong order; equal scores count
--     as wrong.
-- name: RankingLoss
-- formula: pairs out of order or tied / (R · N)
-- relation: judged(rel)
-- range: 0 to 1
-- better: lower
-- no relevant: 0
-- aggregate: mean or pooled
-- differs: unjudged documents are in no pair; judged documents that were not retrieved come last, all tied; depth keeps
--     all documents with the last score that it reaches
-- source: Tsoumakas, Katakis and Vlahavas 2010, doi:10.1007/978-0-387-09823-4_34
CREATE OR REPLACE MACRO ranking_loss(j) AS
    ratio(sum(j.relevant * false_positives_by_score(j)), sum(j.relevant * j.num_nonrel));
