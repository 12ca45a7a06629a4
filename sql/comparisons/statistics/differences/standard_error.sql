-- The standard error of the mean difference; NULL for fewer than 2 queries.
-- relation: paired
-- formula: s / √n, s the standard deviation of the differences, with n - 1
-- same as: scipy's sem(difference)
CREATE OR REPLACE MACRO standard_error(p) AS spread(p) / sqrt(count(*));
