-- The number of the segment of a list that a rank is in.
-- segments: 'ranks' are one rank each; 'equal' are some that divide the list; 'doubling' have 5, 10, 20, … ranks;
--     'growing' end at 5, 10, 15, 20, 30, 100, 200, 500 and 1000
-- rank: 1, 2, …
-- num_ret: documents in the list
-- number: how many equal segments there are
CREATE OR REPLACE MACRO segment_of(segments, rank, num_ret, number) AS
    CASE segments
        WHEN 'ranks' THEN rank
        WHEN 'equal' THEN ceil(1e0 * rank / ceil(1e0 * num_ret / number))
        WHEN 'doubling' THEN CASE
            WHEN rank <= 5 THEN 1
            WHEN rank <= 15 THEN 2
            WHEN rank <= 35 THEN 3
            WHEN rank <= 75 THEN 4
            WHEN rank <= 155 THEN 5
            WHEN rank <= 315 THEN 6
            WHEN rank <= 635 THEN 7
            WHEN rank <= 1275 THEN 8
            WHEN rank <= 2555 THEN 9
            WHEN rank <= 5115 THEN 10
            ELSE 11
        END
        WHEN 'growing' THEN CASE
            WHEN rank <= 5 THEN 1
            WHEN rank <= 10 THEN 2
            WHEN rank <= 15 THEN 3
            WHEN rank <= 20 THEN 4
            WHEN rank <= 30 THEN 5
            WHEN rank <= 100 THEN 6
            WHEN rank <= 200 THEN 7
            WHEN rank <= 500 THEN 8
            WHEN rank <= 1000 THEN 9
            ELSE 10
        END
    END;
