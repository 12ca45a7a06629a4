-- Every document that any run retrieved for a query against every one of them, itself included: which of the two more
--     runs prefer. A run prefers what it ranks higher, and what it retrieved to what it did not.
-- run: as for candidates; retrieved documents
-- depth: as for judged; number of documents of each run to keep per query
-- refuses: unusable_documents, repeated_documents, unusable_weights
-- groups: query_id, doc_id
-- once: other_id
-- returns query_id, doc_id, other_id: one row each
-- returns margin: weight of the runs that prefer the document, less that of those that prefer the other; 0 for itself
CREATE OR REPLACE MACRO duels(run, depth BIGINT := NULL) AS TABLE
WITH _ballots AS (
    SELECT * FROM ballots(run, depth := depth)
)
SELECT
    _a.query_id,
    _a.doc_id,
    _b.doc_id AS other_id,
    round(sorted_sum(
        _a.weight * sign(coalesce(_b.rank, _b.num_ret + 1) - coalesce(_a.rank, _a.num_ret + 1))
    ), 12) AS margin
FROM _ballots AS _a
INNER JOIN _ballots AS _b ON _a.query_id = _b.query_id AND _a.run_id = _b.run_id
GROUP BY _a.query_id, _a.doc_id, _b.doc_id;
