-- The last rank at which two rankings are compared while they share so many documents.
-- shared_until: the last rank with so many, in the longer of both rankings
-- longest: the length of the longer ranking, below which nothing changes
-- ranks: how many ranks are compared, as for compat
CREATE OR REPLACE MACRO overlap_end(shared_until, longest, ranks) AS
    CASE
        WHEN shared_until < longest AND shared_until < coalesce(ranks, longest) THEN shared_until
        ELSE coalesce(ranks, longest)
    END;
