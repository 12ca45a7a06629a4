-- How different the lists of users are: 0 if all are the same, 1 if no two users share an item.
-- name: Personalization, Personalization@k
-- aliases: Personalisation
-- formula: 1 − mean over pairs of users: |A ∩ B| / √(|A| · |B|), A and B = their first k items; NULL for one user
-- relation: recommended_items(k)
-- range: 0 to 1
-- source: recmetrics personalization
CREATE OR REPLACE MACRO personalization(j) AS
    -- a user shares 1 with itself; the square of an item's presence is the sum over all pairs
    1e0 - (exact_sum(j.presence * j.presence) - sum(j.first_places))
    / nullif(sum(j.first_places) * (sum(j.first_places) - 1e0), 0);
