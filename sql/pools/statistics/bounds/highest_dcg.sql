-- The highest DCG@k: unjudged documents have the highest grade.
-- relation: bounded
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- gain: 'binary', 'linear' or 'exponential'; as for dcg
-- discount: 'log', 'clipped', 'reciprocal' or 'none'; as for dcg
-- base: above 1; base of the logarithm
-- formula: Σ over the first k: gain of the grade, or of the highest grade, / log2(rank + 1)
-- range: 0 to ∞
CREATE OR REPLACE MACRO highest_dcg(
    b, k BIGINT := NULL, gain VARCHAR := 'linear', discount VARCHAR := 'log', base DOUBLE := 2
) AS
    discounted_sum(
        graded_gain(CASE WHEN b.relevant IS NULL THEN b.top_grade ELSE b.grade END, gain),
        b.rank, k, discount, base := base
    );
