-- The number of documents of one score, once it is known: judged_only with a depth leaves it to chance.
-- num_tied: as in judged
CREATE OR REPLACE MACRO require_ties(num_tied) AS
    coalesce(num_tied, error('judged_only with depth leaves no expected score'));
