-- The value below which a share of numbers lies, with linear interpolation between two of them.
-- numbers: sorted list
-- share: from 0 to 1
CREATE OR REPLACE MACRO quantile_of(numbers, share) AS
    numbers[1 + CAST(floor(share * (len(numbers) - 1)) AS BIGINT)]
    + (share * (len(numbers) - 1) - floor(share * (len(numbers) - 1)))
    * (
        numbers[1 + CAST(ceil(share * (len(numbers) - 1)) AS BIGINT)]
        - numbers[1 + CAST(floor(share * (len(numbers) - 1)) AS BIGINT)]
    );
