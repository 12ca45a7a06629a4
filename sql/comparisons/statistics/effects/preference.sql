-- The preference for the run: the share of queries that it wins, with ties as half, minus 1/2.
-- relation: paired
-- formula: (wins + ties / 2) / n - 1 / 2; above 0 favours the run
-- range: -0.5 to 0.5
-- source: Chapelle, Joachims, Radlinski and Yue 2012, doi:10.1145/2094072.2094078
CREATE OR REPLACE MACRO preference(p) AS rate(wins(p) + ties(p) / 2e0, count(*)) - 5e-1;
