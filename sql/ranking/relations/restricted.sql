-- The rows of ranked, cut to a depth or ranked among judged documents only.
-- qrels: as for judged; judgments
-- run: as for judged; retrieved documents
-- ties: as for judged; order of documents of the same score
-- depth: as for judged; number of documents to keep per query
-- judged_only: as for judged; whether ranks skip unjudged documents
-- returns last_rank: last rank, within the depth, of the documents with this score
-- returns num_tied: number of documents with this score; NULL with judged_only and a depth
-- returns has_results: 1 if the run retrieved anything for the query, else 0
CREATE OR REPLACE MACRO restricted(
    qrels, run, ties VARCHAR := 'descending', depth BIGINT := NULL, judged_only BOOLEAN := FALSE
) AS TABLE
WITH _cut AS (
    SELECT
        _r.run_id,
        _r.query_id,
        _r.doc_id,
        _r.relevance,
        CASE WHEN _r.num_ret > 0 THEN 1 ELSE 0 END AS has_results,
        CASE WHEN _r.rank <= coalesce(depth, _r.rank) THEN _r.rank END AS rank,
        CASE WHEN _r.first_rank <= coalesce(depth, _r.first_rank) THEN _r.first_rank END AS first_rank,
        CASE
            WHEN _r.first_rank > depth THEN NULL
            WHEN _r.first_rank + _r.num_tied - 1 > depth THEN depth
            ELSE _r.first_rank + _r.num_tied - 1
        END AS last_rank,
        CASE WHEN _r.first_rank <= coalesce(depth, _r.first_rank) THEN _r.num_tied END AS num_tied,
        CASE WHEN _r.num_ret > depth THEN depth ELSE _r.num_ret END AS num_ret
    FROM ranked(qrels, run, ties := ties) AS _r
)
SELECT _c.*
FROM _cut AS _c
WHERE NOT coalesce(judged_only, FALSE)
UNION ALL
-- ranked again only if asked for
SELECT
    _k.run_id,
    _k.query_id,
    _k.doc_id,
    _k.relevance,
    _k.has_results,
    CASE
        WHEN _k.kept = 1
            THEN row_number() OVER (
                PARTITION BY _k.run_id, _k.query_id, _k.kept
                ORDER BY _k.rank ASC NULLS LAST
            )
    END AS rank,
    CASE
        WHEN _k.kept = 1
            THEN rank() OVER (
                PARTITION BY _k.run_id, _k.query_id, _k.kept
                ORDER BY _k.first_rank ASC NULLS LAST
            )
    END AS first_rank,
    CASE
        WHEN _k.kept = 1
            THEN count(*) OVER (
                PARTITION BY _k.run_id, _k.query_id, _k.kept
                ORDER BY _k.first_rank ASC NULLS LAST
                RANGE UNBOUNDED PRECEDING
            )
    END AS last_rank,
    CASE
        -- which documents of a score are within the depth is arbitrary
        WHEN _k.kept = 1 AND depth IS NULL
            THEN count(*) OVER (PARTITION BY _k.run_id, _k.query_id, _k.kept, _k.first_rank)
    END AS num_tied,
    count(CASE WHEN _k.kept = 1 THEN 1 END) OVER (PARTITION BY _k.run_id, _k.query_id) AS num_ret
FROM (
    SELECT
        _c.*,
        CASE WHEN _c.rank IS NOT NULL AND _c.relevance >= 0 THEN 1 ELSE 0 END AS kept
    FROM _cut AS _c
) AS _k
WHERE judged_only;
