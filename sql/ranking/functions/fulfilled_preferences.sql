-- The number of a document's preferences that the run fulfils: the other document is ranked lower or not retrieved.
-- pairs, rank, lower, lower_ret: as for counted_preferences
-- lower_after: documents of lower relevance retrieved after this one
CREATE OR REPLACE MACRO fulfilled_preferences(pairs, rank, lower, lower_ret, lower_after) AS
    CASE
        WHEN rank IS NULL THEN 0
        WHEN pairs = 'both' THEN lower_after
        ELSE lower_after + lower - lower_ret
    END;
