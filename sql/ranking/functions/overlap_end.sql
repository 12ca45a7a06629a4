-- The last rank at which two rankings are compared while they share this many documents.
-- shared_until: last rank with this many, in the longer ranking
-- longest: length of the longer ranking, below which nothing changes
-- ranks: number of ranks to compare, as for compat
CREATE OR REPLACE MACRO overlap_end(shared_until, longest, ranks) AS
    CASE
        WHEN shared_until < longest AND shared_until < coalesce(ranks, longest) THEN shared_until
        ELSE coalesce(ranks, longest)
    END;
