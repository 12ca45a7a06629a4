-- The divisor of the relevant documents among the first k.
-- denominator: 'relevant' is num_rel, 'cutoff' is k, 'achievable' is min(k, num_rel), 'retrieved' is min(k, num_ret),
--     'listed' is min(k, num_rel, num_ret)
-- k: cut-off rank, or NULL for the number retrieved
-- num_rel, num_ret: as in judged
CREATE OR REPLACE MACRO divisor(denominator, k, num_rel, num_ret) AS
    CASE denominator
        WHEN 'relevant' THEN num_rel
        WHEN 'cutoff' THEN coalesce(k, num_ret)
        WHEN 'achievable' THEN least(coalesce(k, num_ret), num_rel)
        WHEN 'retrieved' THEN least(coalesce(k, num_ret), num_ret)
        WHEN 'listed' THEN least(coalesce(k, num_ret), num_ret, num_rel)
        ELSE error(concat(
            'denominator must be ''relevant'', ''cutoff'', ''achievable'', ''retrieved'' or ''listed'', not ''',
            denominator,
            ''''
        ))
    END;
