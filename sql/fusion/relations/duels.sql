-- Every document that any run retrieved for a query against every one of them, itself included: which of the two more
--     runs prefer. A run prefers what it ranks higher, and what it retrieved to what it did not.
-- run: as for candidates; retrieved documents
-- depth: as for judged; number of documents of each run to keep per query
-- refuses: unusable_documents, repeated_documents, unusable_weights
-- groups: query_id, doc_id
-- once: other_id
-- returns query_id, doc_id, other_id: one row each
-- returns margin: weight of the runs that prefer the document, minus that of the runs that prefer the other; 0 for
--     itself
CREATE OR REPLACE MACRO duels(run, depth BIGINT := NULL) AS TABLE
WITH _ballots AS (
    SELECT * FROM ballots(run, depth := depth)
)
SELECT
    _p.query_id,
    _p.doc_id,
    _p.other_id,
    sorted_sum(
        CASE
            WHEN _p.place < _p.other_place THEN _p.weight
            WHEN _p.place > _p.other_place THEN -_p.weight
            ELSE 0e0
        END
    ) AS margin
FROM (
    SELECT
        _a.query_id,
        _a.doc_id,
        _b.doc_id AS other_id,
        coalesce(_a.rank, _a.num_ret + 1) AS place,
        coalesce(_b.rank, _b.num_ret + 1) AS other_place,
        _a.weight
    FROM _ballots AS _a
    INNER JOIN _ballots AS _b ON _a.query_id = _b.query_id AND _a.run_id = _b.run_id
) AS _p
GROUP BY _p.query_id, _p.doc_id, _p.other_id;
