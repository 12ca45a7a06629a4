-- AP correlation: how far b orders the items as a does, with more weight on the top of b.
-- relation: ordered
-- formula: 2 / (n - 1) · (Σ over items below the top of b: items above it in both orders / items above it in b) - 1
-- range: -1 to 1
-- differs: for tied items, which have no order, it is the mean over all orders
-- source: Yilmaz, Aslam and Robertson 2008, doi:10.1145/1390334.1390435
CREATE OR REPLACE MACRO tau_ap(p) AS
    2e0 / nullif(count(*) - 1, 0)
    * sum(
        -- the item comes after 0, 1, … of those that b ties with it, each as likely
        coalesce(list_sum(list_transform(
            range(CASE WHEN p.above_b = 0 THEN 1 ELSE 0 END, p.tied_b + 1),
            lambda before: (p.agreed_above + before * p.agreed_tied / greatest(p.tied_b, 1)) / (p.above_b + before)
        )), 0e0)
        / (p.tied_b + 1)
    )
    - 1e0;
