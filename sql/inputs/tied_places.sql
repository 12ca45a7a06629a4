-- The places of documents among those of the same score, in the order that all strategies use.
-- tied: rows of retrieved_ordered, with all documents of each score in it
-- returns place: 1, 2, … in ranking order
-- returns num_tied: number of documents with the score
CREATE OR REPLACE MACRO tied_places(tied) AS TABLE
SELECT
    _t.run_id,
    _t.query_id,
    _t.doc_id,
    _t.score,
    row_number() OVER (
        PARTITION BY _t.run_id, _t.query_id, _t.score
        ORDER BY _t.id_order ASC NULLS LAST, _t.tie_order ASC NULLS LAST, _t.doc_id DESC NULLS LAST
    ) AS place,
    count(*) OVER (PARTITION BY _t.run_id, _t.query_id, _t.score) AS num_tied
FROM query_table(tied) AS _t;
