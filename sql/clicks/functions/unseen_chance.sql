-- The chance that one of two things held, though there was no click, which needs both.
-- one, other: their chances
CREATE OR REPLACE MACRO unseen_chance(one, other) AS
    coalesce(one * (1e0 - other) / nullif(1e0 - one * other, 0), 0e0);
