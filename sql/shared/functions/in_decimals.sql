-- A number in a message, rounded to decimals.
-- number: the number
-- decimals: 0 or more
-- no_lists: floor(number * power(1e1, decimals) + 5e-1) / power(1e1, decimals)
CREATE OR REPLACE MACRO in_decimals(number, decimals) AS
    format('{:.' || decimals || 'f}', number);
