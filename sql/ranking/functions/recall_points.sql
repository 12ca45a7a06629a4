-- The number of recall points that stand for this many relevant documents; recall 0 stands for the first.
-- hits: number of relevant documents
-- num_rel: relevant documents of the query
-- points: number of recall points, evenly spaced
-- lowest, highest: first and last recall point
-- rounding: added to recall · num_rel before the fraction is cut off
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
