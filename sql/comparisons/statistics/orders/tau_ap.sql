-- AP correlation: how far b orders the items as a does, with more weight on the top of b.
-- relation: ordered
-- formula: 2 / (n - 1) · (Σ over items below the top of b: items above it in both orders / items above it in b) - 1
-- range: -1 to 1
-- differs: for tied items, which have no order, it is the mean over all orders
-- source: Yilmaz, Aslam and Robertson 2008, doi:10.1145/1390334.1390435
CREATE OR REPLACE MACRO tau_ap(p) AS
    2e0 / nullif(count(*) - 1, 0)
    * sum(
        CASE
            WHEN p.tied_b = 0 THEN p.agreed_above / greatest(p.above_b, 1)
            -- the item comes after t = 0, 1, … of those that b ties with it, each as likely: the sum over t of
            -- (agreed_above + t · agreed_tied / tied_b) / (above_b + t), without t = 0 at the top
            ELSE (
                p.agreed_tied / p.tied_b * (p.tied_b + least(p.above_b, 1))
                + (p.agreed_above - p.above_b * p.agreed_tied / p.tied_b)
                * (harmonic_number(p.above_b + p.tied_b) - harmonic_number(p.above_b - 1))
            ) / (p.tied_b + 1)
        END
    )
    - 1e0;
