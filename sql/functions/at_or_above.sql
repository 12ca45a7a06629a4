-- How many documents of a kind have the score of this one or a higher one; those not retrieved are tied below all others.
-- first_rank: as in judged
-- above, tied: documents of the kind with a higher score, and with this score
-- total: all judged documents of the kind
CREATE OR REPLACE MACRO at_or_above(first_rank, above, tied, total) AS
    CASE WHEN first_rank IS NULL THEN total ELSE above + tied END;
