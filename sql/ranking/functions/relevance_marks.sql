-- The relevance of the first documents as characters, one per rank: its digit, > above 9, . below 0, - if unjudged.
-- ranks, relevance: of the judged documents; this is an aggregate over them
-- length: number of ranks
CREATE OR REPLACE MACRO relevance_marks(ranks, relevance, length) AS
    array_to_string(
        list_transform(range(1, length + 1), lambda _rank: coalesce(
            list(
                CASE
                    WHEN relevance >= 10 THEN '>'
                    WHEN relevance < 0 THEN '.'
                    ELSE CAST(CAST(floor(relevance) AS INTEGER) AS VARCHAR)
                END
            )[list_position(list(ranks), _rank)],
            '-'
        )),
        ''
    );
