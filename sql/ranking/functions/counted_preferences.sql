-- The number of a document's preferences that count.
-- pairs: 'judged' counts all, 'either' those with at least one document retrieved, 'both' those with both retrieved
-- rank: rank of the document; NULL if not retrieved
-- lower, lower_ret: documents of lower relevance: all; those retrieved
CREATE OR REPLACE MACRO counted_preferences(pairs, rank, lower, lower_ret) AS
    CASE
        WHEN pairs NOT IN ('judged', 'either', 'both')
            THEN error(concat('pairs must be ''judged'', ''either'' or ''both'', not ''', pairs, ''''))
        WHEN pairs = 'judged' OR (pairs = 'either' AND rank IS NOT NULL) THEN lower
        WHEN pairs = 'either' OR rank IS NOT NULL THEN lower_ret
        ELSE 0
    END;
