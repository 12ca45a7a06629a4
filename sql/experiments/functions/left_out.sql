-- A note on queries that have scores in one of two tables only; NULL without any.
-- number: how many there are
-- place: which table has them
CREATE OR REPLACE MACRO left_out(number, place) AS
    CASE
        WHEN number > 0
            THEN concat(
                'left out: ', number, CASE WHEN number = 1 THEN ' query has' ELSE ' queries have' END,
                ' scores ', place, ' only'
            )
    END;
