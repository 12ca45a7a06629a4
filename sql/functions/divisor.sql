-- What the relevant documents among the first k are divided by.
-- denominator: 'relevant' is num_rel, 'cutoff' is k, 'achievable' the lesser of both, 'retrieved' and 'listed' the same
--     two where fewer than k were retrieved
-- k: cut-off rank, NULL takes what was retrieved
-- num_rel, num_ret: as in judged
CREATE OR REPLACE MACRO divisor(denominator, k, num_rel, num_ret) AS
    CASE denominator
        WHEN 'relevant' THEN num_rel
        WHEN 'cutoff' THEN coalesce(k, num_ret)
        WHEN 'achievable' THEN least(coalesce(k, num_ret), num_rel)
        WHEN 'retrieved' THEN least(coalesce(k, num_ret), num_ret)
        WHEN 'listed' THEN least(coalesce(k, num_ret), num_ret, num_rel)
        ELSE error(concat(
            'denominator is ''relevant'', ''cutoff'', ''achievable'', ''retrieved'' or ''listed'', not ''',
            denominator,
            ''''
        ))
    END;
