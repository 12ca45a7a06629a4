-- How many clicks of the same weight would be as good; with few, a replayed score is not reliable.
-- relation: replayed
-- formula: (Σ weight)² / Σ weight²; 0 without clicks
-- range: 0 to ∞
-- source: Kish 1965, Survey Sampling
CREATE OR REPLACE MACRO effective_clicks(r) AS
    coalesce(power(exact_sum(r.weight), 2) / nullif(exact_sum(r.weight * r.weight), 0), 0e0);
