-- Wilcoxon's signed ranks: the differences by size, 1 the smallest, equal ones with their mean rank, each with the sign
--     of its outcome; ties of the two runs are left out.
-- p: rows of paired
CREATE OR REPLACE MACRO signed_ranks(p) AS
    rank_signs(
        -- rounded, since differences of scores that are equal may differ in their last digits
        list_sort(list({
            'size': round(abs(p.difference), 12), 'sign': p.outcome
        }) FILTER (p.outcome <> 0))
    );
