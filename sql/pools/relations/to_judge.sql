-- The unjudged documents near the top of runs, with what a judgment of each can change: a row for each document, to
--     sort by one of the last columns.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- rel: as for judged; lowest relevance that counts as relevant
-- depth: 1 or more; how far down to look
-- ties: as for unjudged; order of documents of the same score
-- refuses: unusable_judgments, unusable_documents, repeated_documents
-- returns query_id, doc_id: one row each
-- returns runs: runs that have it among the first
-- returns best_rank: its best rank by any of them; the lowest first is depth-k pooling
-- returns misses: documents judged not relevant above it, by the run with the fewest; the fewest first is move-to-front
--     pooling, which goes on with runs that have just found something
-- returns weight: Σ of 1 / log2(rank + 1) over runs: how much it can add to their scores
-- returns influence: the standard deviation of 1 / log2(rank + 1) over all runs: how much it can change their order
-- returns is_judged: 1 if other documents of the query are judged, else 0
-- source: for move-to-front Cormack, Palmer and Clarke 1998, doi:10.1145/290941.291009
CREATE OR REPLACE MACRO to_judge(qrels, run, rel DOUBLE := 1, depth BIGINT := 10, ties VARCHAR := 'descending') AS TABLE
SELECT
    _u.query_id,
    _u.doc_id,
    count(*) AS runs,
    min(_u.rank) AS best_rank,
    min(_u.misses) AS misses,
    exact_sum(_u.discounted) AS weight,
    sqrt(greatest(
        0e0,
        exact_sum(_u.discounted * _u.discounted) / max(_u.num_runs)
        - power(exact_sum(_u.discounted) / max(_u.num_runs), 2)
    )) AS influence,
    max(_u.is_judged) AS is_judged
FROM (
    SELECT
        _d.*,
        ln(2e0) / ln(_d.rank + 1e0) AS discounted
    FROM unjudged(qrels, run, rel := rel, depth := depth, ties := ties) AS _d
) AS _u
GROUP BY _u.query_id, _u.doc_id;
