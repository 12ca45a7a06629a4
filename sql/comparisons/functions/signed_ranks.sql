-- Wilcoxon's signed ranks: the differences by size, 1 the smallest, equal ones with their mean rank, each with the sign
--     of its outcome; ties of the two runs are left out.
-- p: rows of paired
CREATE OR REPLACE MACRO signed_ranks(p) AS
    rank_signs(
        list_sort(list({ 'size': abs(p.difference), 'sign': p.outcome }) FILTER (p.outcome <> 0)),
        -- differences of scores that are equal may differ by the rounding of the scores
        1e-12 * max(p.scale)
    );
