-- Retrieved documents whose rank contradicts their score: a lower-ranked document scores higher. The score decides.
-- severity: warning
-- says: document {doc_id} of query {query_id} has rank {listed_rank:g} and score {score}, but a lower-ranked document
--     has score {lower_score}
-- run: as for judged; retrieved documents
CREATE OR REPLACE MACRO contradicting_ranks(run) AS TABLE
SELECT *
FROM (
    SELECT
        _d.run_id,
        _d.query_id,
        _d.doc_id,
        _d.listed_rank,
        _d.score,
        max(_d.score) OVER (
            PARTITION BY _d.run_id, _d.query_id
            ORDER BY _d.listed_rank ASC NULLS LAST
            RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
        ) AS lower_score
    FROM retrieved(run) AS _d
    WHERE _d.listed_rank IS NOT NULL
) AS _l
WHERE _l.lower_score > _l.score;
