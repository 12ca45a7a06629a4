-- How many of a document's preferences count.
-- pairs: 'judged' are all, 'either' those of which one document or both were retrieved, 'both' those of which both were
-- rank: of the document; NULL when not retrieved
-- lower, lower_ret: documents of lower relevance: all; those retrieved
CREATE OR REPLACE MACRO counted_preferences(pairs, rank, lower, lower_ret) AS
    CASE
        WHEN pairs NOT IN ('judged', 'either', 'both')
            THEN error(concat('pairs is ''judged'', ''either'' or ''both'', not ''', pairs, ''''))
        WHEN pairs = 'judged' OR (pairs = 'either' AND rank IS NOT NULL) THEN lower
        WHEN pairs = 'either' OR rank IS NOT NULL THEN lower_ret
        ELSE 0
    END;
