-- TRUE, or an error that says what an argument must be.
-- name: of the macro and its parameter
-- said: what it must be
-- value: the argument
-- fits: whether it is that
CREATE OR REPLACE MACRO must_be(name, said, value, fits) AS
    must_hold(
        CASE
            WHEN coalesce(fits, FALSE) THEN NULL
            ELSE concat(
                name, ' must be ', said, ', not ',
                coalesce(
                    CASE
                        WHEN typeof(value) = 'VARCHAR' THEN '''' || CAST(value AS VARCHAR) || ''''
                        ELSE CAST(value AS VARCHAR)
                    END,
                    'NULL'
                )
            )
        END
    );
