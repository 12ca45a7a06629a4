-- The sum of 1 / i² for i = first, first + 1, and so on.
-- first: number above 0
-- count: number of terms
CREATE OR REPLACE MACRO inverse_squares(first, count) AS
    list_sum(list_transform(
        range(20), lambda _i: CASE WHEN _i < count THEN 1e0 / ((first + _i) * (first + _i)) ELSE 0e0 END
    ))
    + CASE WHEN count > 20 THEN distant_squares(first + 20e0, first + count - 1e0) ELSE 0e0 END;
