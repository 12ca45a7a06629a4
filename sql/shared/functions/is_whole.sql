-- Whether a number is one that every engine has as a whole number.
-- x: the number
CREATE OR REPLACE MACRO is_whole(x) AS isfinite(x) AND x = floor(x) AND abs(x) <= 2147483647;
