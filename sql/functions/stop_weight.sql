-- The share of users, up to a factor, who stop at a relevant document.
-- stop: 'uniform' is 1, 'graded' is the weight, 'rank-biased' is gamma^(number - 1)
-- number: how many relevant documents the user has seen by then
-- weight: of the document's grade
-- gamma: share of the users at one relevant document that there are at the next
CREATE OR REPLACE MACRO stop_weight(stop, number, weight, gamma) AS
    CASE stop
        WHEN 'uniform' THEN 1e0
        WHEN 'graded' THEN 1e0 * weight
        WHEN 'rank-biased' THEN power(1e0 * gamma, number - 1)
        ELSE error(concat('stop is ''uniform'', ''graded'' or ''rank-biased'', not ''', stop, ''''))
    END;
