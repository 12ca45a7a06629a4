-- The share of users, up to a factor, who stop at a relevant document.
-- j: rows of cumulated
-- number: how many relevant documents the user has seen by then
-- stop: 'uniform' is 1, 'graded' is the weight of the document's grade, 'rank-biased' is gamma^(number - 1)
-- stops: weight of each relevance, NULL takes its gain
-- gamma: share of the users at one relevant document that there are at the next
CREATE OR REPLACE MACRO stop_weight(j, number, stop, stops, gamma) AS
    CASE stop
        WHEN 'uniform' THEN 1e0
        WHEN 'graded' THEN CASE WHEN stops IS NULL THEN j.own_gain ELSE mapped_gain(j.relevance, stops) END
        WHEN 'rank-biased' THEN power(1e0 * gamma, number - 1)
    END;
