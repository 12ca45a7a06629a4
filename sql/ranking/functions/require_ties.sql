-- The number of documents with the same score; an error where it is unknown, as with judged_only and a depth.
-- num_tied: as in judged; NULL adds nothing to the message, but keeps engines from raising the error while planning
CREATE OR REPLACE MACRO require_ties(num_tied) AS
    coalesce(num_tied, error(concat('expected scores can use depth or judged_only, not both', num_tied)));
