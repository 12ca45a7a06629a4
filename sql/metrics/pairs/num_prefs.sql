-- The number of preferences: pairs of documents of which one is judged more relevant than the other.
-- name: NumPrefs
-- formula: pairs of documents of different relevance
-- nicknames: prefs, all_prefs
-- trec_eval: prefs_num_prefs_poss
-- relation: preferred
-- range: 0 to inf
-- empty: the number of preferences all the same
-- over queries: sum
-- differs: trec_eval counts preferences over documents with a relevance below 0; these are not judged here
-- source: trec_eval
CREATE OR REPLACE MACRO num_prefs(j) AS
    1e0 * sum(j.possible);
CREATE OR REPLACE MACRO num_prefs(qrels, run, pairs := 'judged') AS TABLE
WITH _subtopics AS (SELECT * FROM subtopics(qrels, run))
SELECT j.run_id, j.query_id, num_prefs(j) AS num_prefs
FROM preferred(_subtopics, pairs := pairs) AS j
GROUP BY j.run_id, j.query_id;
