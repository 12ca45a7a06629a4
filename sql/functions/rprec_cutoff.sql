-- The rank at which Rprec at a multiple of R looks.
-- num_rel: R, the number of relevant documents
-- multiple: how many times R
CREATE OR REPLACE MACRO rprec_cutoff(num_rel, multiple) AS floor(1e0 * multiple * num_rel + 9e-1);
