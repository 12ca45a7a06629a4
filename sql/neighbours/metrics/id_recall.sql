-- The share of the k nearest neighbours that were returned, by their ids.
-- name: IDRecall@k, IDRecall
-- formula: |exact neighbours as far as the k-th ∩ the first k returned| / k, and no more than 1
-- aliases: NeighbourRecall; NeighborRecall
-- relation: neighbours
-- k: 1 or more; how many neighbours a query should get, or NULL for all exact ones
-- within: 1 or more; how many returned neighbours to look at, or NULL for k: k@within, as in 10@100
-- tied: 'last', 'cut' or 'all'; which exact neighbours are right: all that are no further than the k-th; only k, of the
--     same distance those with the larger doc_id (bytes); all at the k smallest distances
-- denominator: as for ann_recall; what to divide by
-- range: 0 to 1
-- differs: by distance it is ANNRecall
-- source: Jégou, Douze and Schmid 2011, doi:10.1109/TPAMI.2010.57; big-ann-benchmarks, benchmark/plotting/metrics.py
CREATE OR REPLACE MACRO id_recall(
    j, k BIGINT := NULL, within BIGINT := NULL, tied VARCHAR := 'last', denominator VARCHAR := 'cutoff'
) AS
    ratio(
        least(
            count(CASE
                WHEN
                    j.rank <= coalesce(within, k, j.num_exact)
                    AND CASE tied
                        WHEN 'last' THEN j.true_first_rank
                        WHEN 'cut' THEN j.true_rank
                        WHEN 'all' THEN j.true_level
                    END <= k_at_most(k, j.num_exact)
                    THEN 1
            END),
            once_per_query(j, k_at_most(k, j.num_exact))
        ),
        once_per_query(j, neighbours_wanted(k, j.num_exact, denominator))
    );
