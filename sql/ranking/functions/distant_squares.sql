-- The sum of 1 / i² for i = first, first + 1, …, last, by the formula of Euler and Maclaurin.
-- first, last: numbers, 20 or more, for a result to the last digit
CREATE OR REPLACE MACRO distant_squares(first, last) AS
    (last - first) / (first * last)
    + (power(first, -2) + power(last, -2)) / 2e0
    + (power(first, -3) - power(last, -3)) / 6e0
    - (power(first, -5) - power(last, -5)) / 3e1
    + (power(first, -7) - power(last, -7)) / 42e0
    - (power(first, -9) - power(last, -9)) / 3e1;
