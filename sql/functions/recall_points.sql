-- How many of the recall points stand for as many relevant documents; recall 0 stands for the first.
-- hits: relevant documents
-- num_rel: relevant documents of the query
-- points: how many points there are, evenly spaced from recall 0 to 1
-- rounding: what is added to recall · num_rel before its fraction is cut off
CREATE OR REPLACE MACRO recall_points(hits, num_rel, points, rounding) AS
    list_sum(list_transform(
        range(0, points),
        lambda _point: CASE
            WHEN greatest(floor(1e0 * _point / (points - 1) * num_rel + rounding), 1) = hits THEN 1 ELSE 0
        END
    ));
