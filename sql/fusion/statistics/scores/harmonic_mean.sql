-- The harmonic mean of the scores above 0 of the runs that have the document, as by OpenSearch; 0 without any.
-- relation: candidates
-- formula: Σ over runs: weight / Σ over runs: weight / score, of scores above 0
-- source: OpenSearch 3, HarmonicMeanScoreCombinationTechnique
CREATE OR REPLACE MACRO harmonic_mean(c) AS
    ratio(
        sorted_sum(CASE WHEN c.score > 0 THEN c.weight END),
        sorted_sum(CASE WHEN c.score > 0 THEN c.weight / c.score END)
    );
