-- How far two judges agree on what is relevant.
-- relation: agreed
-- rel: above 0; lowest relevance that counts as relevant
-- formula: 2 · documents relevant to both / (documents relevant to a + documents relevant to b)
-- range: 0 to 1
-- source: Cicchetti and Feinstein 1990, doi:10.1016/0895-4356(90)90159-M
CREATE OR REPLACE MACRO positive_agreement(r, rel DOUBLE := 1) AS
    2e0 * sum(CASE WHEN r.a >= rel AND r.b >= rel THEN r.times ELSE 0 END)
    / nullif(
        sum(CASE WHEN r.a >= rel THEN r.times ELSE 0 END) + sum(CASE WHEN r.b >= rel THEN r.times ELSE 0 END), 0
    );
