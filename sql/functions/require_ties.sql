-- The number of documents of one score, once it is known: judged_only with a depth leaves it to chance.
-- num_tied: as in judged; NULL adds nothing to the message, but keeps engines from raising it when they plan
CREATE OR REPLACE MACRO require_ties(num_tied) AS
    coalesce(num_tied, error(concat('judged_only with depth leaves no expected score', num_tied)));
