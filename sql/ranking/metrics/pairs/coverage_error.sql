-- How far down a user must read to find all relevant documents: the number of judged documents that score at least as
--     high as the lowest relevant one.
-- name: CoverageError
-- formula: max over relevant: judged scored ≥ it
-- relation: judged(rel)
-- range: 0 to inf
-- better: lower
-- no relevant: 0
-- differs: unjudged documents are skipped; judged documents that were not retrieved come last, all tied; depth keeps
--     all documents with the last score that it reaches
-- source: Tsoumakas, Katakis and Vlahavas 2010, doi:10.1007/978-0-387-09823-4_34
CREATE OR REPLACE MACRO coverage_error(j) AS
    coalesce(1e0 * max(CASE WHEN j.relevant = 1 THEN hits_by_score(j) + false_positives_by_score(j) END), 0e0);
