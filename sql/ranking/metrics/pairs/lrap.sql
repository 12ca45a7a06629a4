-- The share of relevant documents among the judged ones that score at least as high as each relevant one, averaged over
--     the relevant ones.
-- name: LRAP
-- formula: 1/R · Σ over relevant: relevant scored ≥ it / judged scored ≥ it
-- aliases: LabelRankingAveragePrecision
-- relation: judged(rel)
-- range: 0 to 1
-- no relevant: 1
-- aggregate: mean or pooled
-- differs: unjudged documents are skipped; judged documents that were not retrieved come last, all tied; depth keeps
--     all documents with the last score that it reaches
-- source: Tsoumakas, Katakis and Vlahavas 2010, doi:10.1007/978-0-387-09823-4_34
CREATE OR REPLACE MACRO lrap(j) AS
    coalesce(
        exact_sum(1e0 * j.relevant * hits_by_score(j) / nullif(hits_by_score(j) + false_positives_by_score(j), 0))
        / nullif(sum(j.relevant), 0),
        1e0
    );
