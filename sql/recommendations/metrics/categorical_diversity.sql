-- The number of categories in a list, divided by k.
-- name: CategoricalDiversity, CategoricalDiversity@k
-- formula: categories among the first k / k
-- relation: shown_categories(k)
-- range: 0 to ∞
-- source: RePlay CategoricalDiversity
CREATE OR REPLACE MACRO categorical_diversity(j) AS 1e0 * count(*) / max(j.size);
