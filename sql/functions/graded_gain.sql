-- What a document of this relevance is worth.
-- relevance: the judgment; below 0 it gains nothing, as 0 does
-- gain: 'linear' is the relevance itself, 'exponential' is 2^relevance - 1
CREATE OR REPLACE MACRO graded_gain(relevance, gain) AS
    CASE
        WHEN relevance <= 0 THEN 0e0
        WHEN gain = 'linear' THEN relevance
        WHEN gain = 'exponential' THEN power(2e0, relevance) - 1e0
        ELSE error(concat('gain is ''linear'' or ''exponential'', not ''', gain, ''''))
    END;
