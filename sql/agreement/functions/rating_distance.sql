-- How far two ratings are apart: 0 if they are equal.
-- x, y: the ratings, or their places on the scale
-- weights: 'none' and 'nominal' count any difference as 1, 'linear' the difference, others its square
CREATE OR REPLACE MACRO rating_distance(x, y, weights) AS
    CASE
        WHEN weights IN ('none', 'nominal') THEN CASE WHEN x = y THEN 0e0 ELSE 1e0 END
        WHEN weights = 'linear' THEN abs(x - y)
        ELSE power(x - y, 2)
    END;
