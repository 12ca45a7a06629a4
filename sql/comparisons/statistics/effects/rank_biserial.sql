-- The matched-pairs rank-biserial correlation: 1 if the run wins all queries, -1 if it loses all; ties are left out.
-- relation: paired
-- formula: Σ signed ranks / Σ |signed ranks|
-- no_lists: sum(signed_ranks(p)) / sum(abs(signed_ranks(p)))
-- source: Kerby 2014, doi:10.2466/11.IT.3.1
CREATE OR REPLACE MACRO rank_biserial(p) AS
    let(signed_ranks(p), lambda ranks: list_sum(ranks) / list_sum(list_transform(ranks, lambda r: abs(r))));
