-- The documents of the first score with a relevant document, if it begins among the first k: first_rank, hits and
--     num_tied as in judged, and seen, the number of their places among the first k.
-- j: rows of judged
-- k: cut-off rank, or NULL for the whole ranking
CREATE OR REPLACE MACRO first_hits(j, k) AS
    any_value(
        CASE
            WHEN j.first_rank <= least(j.last_rank, k) AND j.relevant = 1 AND j.hits_above = 0
                THEN struct_pack(
                    first_rank := j.first_rank,
                    seen := least(j.last_rank, k) - j.first_rank + 1,
                    hits := j.hits_tied,
                    num_tied := require_ties(j.num_tied)
                )
        END
    );
