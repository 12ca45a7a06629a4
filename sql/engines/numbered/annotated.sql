-- The rows of judged, and with relevance -1 those of retrieved documents that are judged for another query only.
-- qrels: not used here
-- run: table of the rows of ranked, over judgments with these documents; the ids are numbers
-- rel, ties, depth, judged_only: as for judged
CREATE OR REPLACE MACRO annotated(
    qrels, run, rel DOUBLE := 1, ties VARCHAR := 'descending', depth BIGINT := NULL, judged_only BOOLEAN := FALSE
) AS TABLE
SELECT * FROM judged(qrels, run, rel := rel, ties := ties, depth := depth, judged_only := judged_only);
