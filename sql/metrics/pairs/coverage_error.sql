-- How many judged documents are scored as high as the lowest relevant one or higher: how far down all relevant ones are found.
-- name: CoverageError
-- formula: max over relevant: judged scored ≥ it
-- sklearn: coverage_error()
-- relation: judged
-- range: 0 to inf
-- empty: 0
-- differs: unjudged documents are passed over; judged ones that were not retrieved come last, all tied
-- source: Tsoumakas, Katakis and Vlahavas 2010, doi:10.1007/978-0-387-09823-4_34
CREATE OR REPLACE MACRO coverage_error(j) AS
    coalesce(
        1e0 * max(
            CASE
                WHEN j.relevant = 1
                    THEN
                        at_or_above(j.first_rank, j.hits_above, j.hits_tied, j.num_rel)
                        + at_or_above(j.first_rank, j.misses_above, j.misses_tied, j.num_nonrel)
            END
        ),
        0e0
    );
CREATE OR REPLACE MACRO coverage_error(qrels, run, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, coverage_error(j) AS coverage_error
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
