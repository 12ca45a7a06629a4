-- The relevance of the first documents as characters, without lists: one term per rank.
CREATE OR REPLACE MACRO relstring(j, k := 10) AS
    array_to_string(
        list_transform(range(1, k + 1), lambda _rank: CASE
            WHEN max(j.num_ret) < _rank THEN ''
            ELSE coalesce(max(
                CASE
                    WHEN j.rank = _rank AND j.relevance >= 10 THEN '>'
                    WHEN j.rank = _rank AND j.relevance < 0 THEN '.'
                    WHEN j.rank = _rank THEN CAST(CAST(floor(j.relevance) AS INTEGER) AS VARCHAR)
                END
            ), '-')
        END),
        ''
    );
