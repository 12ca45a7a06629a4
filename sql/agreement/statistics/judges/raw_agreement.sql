-- The share of documents that both judges give the same grade.
-- relation: agreed
-- formula: documents with a = b / documents
-- range: 0 to 1
CREATE OR REPLACE MACRO raw_agreement(r) AS
    1e0 * sum(CASE WHEN r.a = r.b THEN r.times ELSE 0 END) / sum(r.times);
