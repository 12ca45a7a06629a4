-- The geometric mean of the scores above 0 of the runs that have the document, as by OpenSearch; 0 without any.
-- relation: candidates
-- formula: exp(Σ over runs: weight · ln(score) / Σ over runs: weight), of scores above 0
-- source: OpenSearch 3, GeometricMeanScoreCombinationTechnique
CREATE OR REPLACE MACRO geometric_mean(c) AS
    coalesce(
        exp(
            sorted_sum(CASE WHEN c.score > 0 THEN c.weight * ln(c.score) END)
            / nullif(sorted_sum(CASE WHEN c.score > 0 THEN c.weight END), 0)
        ),
        0e0
    );
