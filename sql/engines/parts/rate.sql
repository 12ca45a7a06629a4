-- A ratio of sums, as its two parts: those of users or pages are added up, and show how much the ratio varies.
-- part, whole: numbers
CREATE OR REPLACE MACRO rate(part, whole) AS { 'part': 1e0 * part, 'whole': 1e0 * whole };
