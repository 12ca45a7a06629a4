select run_id, avg(ndcg_10) as mean
from {{ ref('scores') }}
group by run_id
having not avg(ndcg_10) >= 0.5
