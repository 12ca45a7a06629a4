-- How many of the recall points stand for as many relevant documents; recall 0 stands for the first.
-- hits: relevant documents
-- num_rel: relevant documents of the query
-- points: how many points there are, evenly spaced
-- lowest, highest: the recall of the first and of the last
-- rounding: what is added to recall · num_rel before its fraction is cut off
CREATE OR REPLACE MACRO recall_points(hits, num_rel, points, lowest, highest, rounding) AS
    list_sum(list_transform(
        range(0, points),
        lambda _point: CASE
            WHEN
                greatest(floor(
                    1e0 * (lowest * (points - 1 - _point) + highest * _point) / (points - 1) * num_rel + rounding
                ), 1) = hits
                THEN 1
            ELSE 0
        END
    ));
