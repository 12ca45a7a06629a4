-- The utility that users find who each stop at some relevant document: its blended ratio of documents and gain, by the share of users.
-- name: NCU
-- formula: Σ over relevant retrieved: stop share · (relevant@rank + β · CG@rank) / (rank + β · ideal CG@rank)
-- aliases: NCUguP with beta=0; NCUguBR; NCUrbP with stop='rank-biased', beta=0; NCUrbBR with stop='rank-biased'
-- pyNTCIREVAL: NCUguP(stops={stops}) with beta=0; NCUguBR(stops={stops}, beta={beta}); NCUrbP(gamma={gamma}) with stop='rank-biased', beta=0; NCUrbBR(gamma={gamma}, beta={beta}) with stop='rank-biased'
-- relation: cumulated
-- stop: 'graded', 'rank-biased' or 'uniform'; how many users stop at a relevant document: as many as its grade weighs, gamma times those of the one before, or as many at each, which is Q
-- beta: number, 0 or more; how much gain counts beside documents, 0 leaves precision
-- gamma: number from 0 to 1; for 'rank-biased'
-- stops: {relevance: gain, …} or NULL; weight of each relevance for 'graded', NULL takes its gain
-- range: 0 to 1
-- empty: 0
-- source: Sakai and Robertson 2008, Modelling A User Population for Designing Information Retrieval Metrics, EVIA
CREATE OR REPLACE MACRO ncu(j, stop := 'graded', beta := 1e0, gamma := 95e-2, stops := NULL) AS
    coalesce(
        sum(
            CASE
                WHEN j.rank IS NOT NULL AND j.relevant = 1
                    THEN stop_weight(
                        stop,
                        j.hits,
                        CASE WHEN stops IS NULL THEN j.own_gain ELSE mapped_gain(j.relevance, stops) END,
                        gamma
                    ) * blended_ratio(j.hits, j.cg, j.rank, j.ideal_cg, beta)
            END
        )
        / nullif(sum(
            CASE
                WHEN stop = 'graded' AND stops IS NULL THEN j.relevant * j.own_gain
                WHEN stop = 'graded' THEN j.relevant * mapped_gain(j.relevance, stops)
                -- one row for each number of relevant documents
                WHEN j.ideal_rank <= j.num_rel THEN stop_weight(stop, j.ideal_rank, 0, gamma)
            END
        ), 0),
        0e0
    );
CREATE OR REPLACE MACRO ncu(
    qrels,
    run,
    stop := 'graded',
    beta := 1e0,
    gamma := 95e-2,
    stops := NULL,
    gain := 'linear',
    rel := 1,
    gains := NULL
) AS TABLE
WITH
    _judged AS (SELECT * FROM judged(qrels, run, rel := rel, gains := gains)),
    _placed AS (SELECT * FROM placed(_judged, gain := gain))
SELECT j.run_id, j.query_id, ncu(j, stop := stop, beta := beta, gamma := gamma, stops := stops) AS ncu
FROM cumulated(_placed) AS j
GROUP BY j.run_id, j.query_id;
