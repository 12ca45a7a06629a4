-- The cut-off rank of Rprec at a multiple of R.
-- num_rel: R, the number of relevant documents
-- multiple: multiple of R
CREATE OR REPLACE MACRO rprec_cutoff(num_rel, multiple) AS floor(1e0 * multiple * num_rel + 9e-1);
