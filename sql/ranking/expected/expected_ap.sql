-- Expected AP: the precision at each place that a relevant document may take among those with the same score.
-- j: rows of judged
-- k: as for ap; cut-off rank
-- denominator: 'relevant', 'achievable', 'cutoff' or 'listed'; as for ap, except 'found', which varies with the order
-- source: McSherry and Najork 2008, doi:10.1007/978-3-540-78646-7_38
CREATE OR REPLACE MACRO expected_ap(j, k BIGINT := NULL, denominator VARCHAR := 'relevant') AS
    ratio(
        (
            SELECT
                exact_sum(1e0 / require_ties(_p.num_tied) * _p.precisions)
            FROM (
                SELECT
                    _d.num_tied,
                    -- a subquery over columns is evaluated once for all documents of a score
                    (
                        SELECT
                            list_sum(list_transform(
                                range(_d.first_rank, _d.last_rank + 1),
                                -- the other relevant documents with this score are spread evenly over the other places
                                lambda _place: (
                                    _d.hits_above + 1
                                    + 1e0 * (_d.hits_tied - 1) * (_place - _d.first_rank) / greatest(_d.num_tied - 1, 1)
                                ) / _place
                            ))
                    ) AS precisions
                FROM (
                    SELECT
                        unnest(list(CAST(row(
                            j.first_rank, -- noqa: RF01
                            least(j.last_rank, k), -- noqa: RF01
                            j.num_tied, -- noqa: RF01
                            j.hits_above, -- noqa: RF01
                            j.hits_tied -- noqa: RF01
                        ) AS STRUCT(
                            first_rank BIGINT, last_rank BIGINT, num_tied BIGINT, hits_above BIGINT, hits_tied BIGINT
                        ))) FILTER (j.relevant = 1), recursive := TRUE) -- noqa: RF01
                ) AS _d
                WHERE _d.first_rank <= _d.last_rank
            ) AS _p
        ),
        once_per_query(j, divisor(denominator, k, j.num_rel, j.num_ret))
    );
