-- The documents to judge next: unjudged ones near the top of runs, the best choice first.
-- qrels: optional; judgments so far
-- run: as for judged; retrieved documents
-- budget: 1 or more; the most documents to return
-- strategy: 'scores', 'runs', 'depth' or 'front'; what comes first: by weight, what can add most to the scores of all
--     runs; by influence, what can most change their order; by best_rank (depth-k pooling); or by misses (move-to-front
--     pooling, which goes on with runs that have just found something)
-- depth: 1 or more; how far down to look in each run
-- rel: as for judged; lowest relevance that counts as relevant
-- queries: 'judged' or 'all'; whether only queries that have judgments count; all do where nothing is judged
-- ties: as for unjudged; order of documents of the same score
-- refuses: unusable_judgments, unusable_documents, repeated_documents
-- returns query_id, doc_id: one row each
-- returns relevance: NULL, for the judge to fill in; add the rows to the judgments, and ask again
-- returns runs: runs that have it among their top documents
-- returns best_rank: its best rank by any of them
-- returns misses: documents judged not relevant above it, by the run with the fewest
-- returns weight: Σ of 1 / log2(rank + 1) over runs: how much it can add to their scores
-- returns influence: the standard deviation of 1 / log2(rank + 1) over all runs: how much it can change their order
-- returns note: how many queries have no judgments, so that their documents are left out; the same in each row
-- source: for move-to-front Cormack, Palmer and Clarke 1998, doi:10.1145/290941.291009
-- example: qrels.csv bm25.csv neural.csv --budget 100 -o sheet.csv
CREATE OR REPLACE MACRO to_judge(
    qrels,
    run,
    budget BIGINT := NULL,
    strategy VARCHAR := 'scores',
    depth BIGINT := 10,
    rel DOUBLE := 1,
    queries VARCHAR := 'judged',
    ties VARCHAR := 'descending'
) AS TABLE
WITH _found AS (
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
        CASE
            WHEN max(_u.is_judged) = 1 OR queries = 'all' OR max(_n.number) = 0 THEN 1
            ELSE 0
        END AS is_taken
    FROM (
        SELECT
            _d.*,
            ln(2e0) / ln(_d.rank + 1e0) AS discounted
        FROM unjudged(qrels, run, rel := rel, depth := depth, ties := ties) AS _d
    ) AS _u
    CROSS JOIN (SELECT count(_q.doc_id) AS number FROM judgments(qrels) AS _q) AS _n
    GROUP BY _u.query_id, _u.doc_id
), _placed AS (
    SELECT
        _f.*,
        row_number() OVER (
            ORDER BY
                CASE strategy WHEN 'depth' THEN _f.best_rank WHEN 'front' THEN _f.misses END ASC NULLS LAST,
                CASE strategy WHEN 'front' THEN _f.best_rank END ASC NULLS LAST,
                -- sums that are equal except for the last digit are equal
                CASE strategy
                    WHEN 'scores' THEN floor(_f.weight * 1e12 + 5e-1)
                    WHEN 'runs' THEN floor(_f.influence * 1e12 + 5e-1)
                    ELSE 1e0 * _f.runs
                END DESC,
                CASE strategy WHEN 'runs' THEN floor(_f.weight * 1e12 + 5e-1) END DESC NULLS LAST,
                _f.query_id ASC,
                _f.doc_id ASC
        ) AS place
    FROM _found AS _f
    WHERE _f.is_taken = 1
)
SELECT
    _p.query_id,
    _p.doc_id,
    CAST(NULL AS BIGINT) AS relevance,
    _p.runs,
    _p.best_rank,
    _p.misses,
    _p.weight,
    _p.influence,
    CASE
        WHEN _l.number = 1 THEN '1 query has no judgments, and its documents are left out'
        WHEN _l.number > 1 THEN concat(_l.number, ' queries have no judgments, and their documents are left out')
    END AS note
FROM _placed AS _p
CROSS JOIN (
    SELECT count(DISTINCT CASE WHEN _f.is_taken = 0 THEN _f.query_id END) AS number
    FROM _found AS _f
) AS _l
WHERE within_k(_p.place, budget)
ORDER BY _p.place ASC;
