select run_id, avg("nDCG@10") as mean
from {{ ref('scores') }}
group by run_id
having not avg("nDCG@10") >= 0.5
