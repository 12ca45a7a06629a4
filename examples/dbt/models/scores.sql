select
    j.run_id,
    j.query_id,
    {{ sqlmetrics.ndcg(k=10) }} as ndcg_10,
    {{ sqlmetrics.ap() }} as ap,
    {{ sqlmetrics.rr(k=10) }} as rr_10
from {{ sqlmetrics.judged(ref('qrels'), ref('runs')) }} as j
group by j.run_id, j.query_id
