-- The rank of a document in the ideal ranking; NULL where it is not part of it.
-- ideal: 'judged' and 'uncut' have all judged documents, 'retrieved' those that were retrieved, 'perfect' none of them
-- ideal_rank, retrieved_ideal_rank: as in judged
CREATE OR REPLACE MACRO ideal_place(ideal, ideal_rank, retrieved_ideal_rank) AS
    CASE
        WHEN ideal IN ('judged', 'uncut') THEN ideal_rank
        WHEN ideal = 'retrieved' THEN retrieved_ideal_rank
        WHEN ideal <> 'perfect' THEN error(concat(
            'ideal is ''judged'', ''uncut'', ''retrieved'' or ''perfect'', not ''', ideal, ''''
        ))
    END;
