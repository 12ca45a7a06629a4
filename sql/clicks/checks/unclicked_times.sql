-- Documents with a click time but no click; their times do not count.
-- severity: warning
-- log: as for clicked
CREATE OR REPLACE MACRO unclicked_times(log) AS TABLE
SELECT
    CAST(_s.page_id AS VARCHAR) AS page_id,
    _s.doc_id,
    concat('page ', _s.page_id, ': document ', _s.doc_id, ' has a click time, but was not clicked') AS problem
FROM shown(log) AS _s
WHERE _s.clicked = 0 AND (_s.time_to_click IS NOT NULL OR _s.dwell_time IS NOT NULL);
