-- Expected AP: the precision at each place that a relevant document may take among those with the same score.
-- j: rows of judged
-- k: as for ap; cut-off rank
-- denominator: 'relevant', 'achievable', 'cutoff' or 'listed'; as for ap, except 'found', which varies with the order
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_ap(j, k BIGINT := NULL, denominator VARCHAR := 'relevant') AS
    ratio(
        exact_sum(
            CASE
                WHEN j.first_rank <= least(j.last_rank, k) AND j.relevant = 1
                    -- the other relevant documents with this score are spread evenly over the remaining places
                    THEN 1e0 / require_ties(j.num_tied)
                    * list_sum(list_transform(
                        range(j.first_rank, least(j.last_rank, k) + 1),
                        lambda place: (
                            j.hits_above + 1
                            + 1e0 * (j.hits_tied - 1) * (place - j.first_rank) / greatest(j.num_tied - 1, 1)
                        ) / place
                    ))
            END
        ),
        once_per_query(j, divisor(denominator, k, j.num_rel, j.num_ret))
    );
