-- How far two ratings are apart: 0 if they are equal.
-- x, y: the ratings, or their places on the scale
-- weights: 'none' counts any difference as 1, 'linear' the difference, 'quadratic' its square
CREATE OR REPLACE MACRO rating_distance(x, y, weights) AS
    CASE weights
        WHEN 'linear' THEN abs(x - y)
        WHEN 'quadratic' THEN power(x - y, 2)
        ELSE CASE WHEN x = y THEN 0e0 ELSE 1e0 END
    END;
