-- The share of users, up to a factor, who stop at a relevant document.
-- j: rows of cumulated
-- number: number of relevant documents the user has seen by then
-- stop: 'uniform' is 1, 'graded' is the weight of the document's grade, 'rank-biased' is gamma^(number - 1)
-- stops: weight of each relevance, or NULL to use its gain
-- gamma: number of users at a relevant document relative to the one before
CREATE OR REPLACE MACRO stop_weight(j, number, stop, stops, gamma) AS
    CASE stop
        WHEN 'uniform' THEN 1e0
        WHEN 'graded' THEN CASE WHEN stops IS NULL THEN j.own_gain ELSE mapped_gain(j.relevance, stops) END
        WHEN 'rank-biased' THEN power(1e0 * gamma, number - 1)
    END;
