-- The control where none is named: the variant called control, or else the first one by name.
-- variant: the names of variants
CREATE OR REPLACE MACRO usual_control(variant) AS
    coalesce(min(CASE WHEN lower(variant) = 'control' THEN variant END), min(variant));
