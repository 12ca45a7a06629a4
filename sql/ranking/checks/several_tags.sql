-- Runs whose queries have documents of several tags, the last column of TREC text: if tags are systems, they became one
--     ranking.
-- severity: warning
-- noted: it may turn a result around
-- values: as given
-- run: as for judged; retrieved documents
CREATE OR REPLACE MACRO several_tags(run) AS TABLE
SELECT
    text_or(_r.run_id, 'run') AS run_id,
    CAST(_r.query_id AS VARCHAR) AS query_id,
    count(DISTINCT _r.tag) AS tags,
    concat(
        'query ', CAST(_r.query_id AS VARCHAR), ' has documents with the tags ', min(CAST(_r.tag AS VARCHAR)), ' and ',
        max(CAST(_r.tag AS VARCHAR)), '; if tags are systems, name them run_id'
    ) AS problem
FROM with_columns(run, { 'run_id': NULL, 'query_id': NULL, 'doc_id': NULL, 'tag': NULL }) AS _r
GROUP BY text_or(_r.run_id, 'run'), CAST(_r.query_id AS VARCHAR)
HAVING count(DISTINCT _r.tag) > 1;
