-- The highest DCG@k: unjudged documents have the highest grade.
-- relation: bounded
-- k: whole number, 1 or more, or NULL; cut-off rank, or NULL for the whole ranking
-- gain: 'binary', 'linear' or 'exponential'; as for dcg
-- discount: 'log', 'clipped', 'reciprocal' or 'none'; as for dcg
-- base: number above 1; base of the logarithm
-- formula: Σ over the first k: gain of the grade, or of the highest grade, / log2(rank + 1)
-- range: 0 to ∞
CREATE OR REPLACE MACRO highest_dcg(b, k := NULL, gain := 'linear', discount := 'log', base := 2) AS
    discounted_sum(
        graded_gain(CASE WHEN b.relevant IS NULL THEN b.top_grade ELSE b.grade END, gain),
        b.rank, k, discount, base := base
    );
