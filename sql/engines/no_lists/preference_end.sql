-- An end of the interval of preference_interval, without lists.
-- p, confidence, side: as for the other file of this name
CREATE OR REPLACE MACRO preference_end(p, confidence, side) AS
    let( -- noqa: PRS
        lowest_share(
            CASE WHEN side < 0 THEN wins(p) ELSE losses(p) END, wins(p) + losses(p), (1e0 - confidence) / 2e0
        ),
        lowest_share(wins(p) + losses(p), count(*), (1e0 - confidence) / 2e0),
        lowest_share(count(*) - wins(p) - losses(p), count(*), (1e0 - confidence) / 2e0),
        lambda part, moved, tied: side * (5e-1 - part) * CASE WHEN part < 5e-1 THEN 1e0 - tied ELSE moved END
    );
