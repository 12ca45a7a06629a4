-- The expected gain per document seen by a user who goes on to the next one with probability p.
-- name: RBP, RBP@k
-- formula: (1 − p) · Σ gain(i) · p^(i − 1)
-- trec_eval: rbp with p=0.9, gain='linear'; rbp_p={p} with gain='linear'
-- ir_measures: RBP
-- ranx: rbp{p} with gain='linear'
-- cwl_eval: RBPCWLMetric({p}) with k=1000, gain='linear', denominator='cutoff'
-- pyNTCIREVAL: RBP(pr={p}) with gain='linear'
-- lenskit: RBP() with p=0.85; RBP(n={k}) with p=0.85; RBP(patience={p}); RBP(n={k}, patience={p}); RBP(normalize=True) with p=0.85, denominator='listed'; RBP(n={k}, normalize=True) with p=0.85, denominator='listed'; RBP(patience={p}, normalize=True) with denominator='listed'; RBP(n={k}, patience={p}, normalize=True) with denominator='listed'
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- p: number between 0 and 1; probability that the user goes on
-- gain: 'binary', 'linear' or 'exponential'; a document gains 1 if it is relevant, its relevance, or 2^relevance - 1
-- max_rel: number above 0, or NULL; highest grade of the scale, whose gain others are divided by, so that they end at 1: relevance / max_rel, unless gain is exponential. NULL divides by nothing
-- denominator: 'endless', 'cutoff', 'relevant', 'achievable', 'retrieved' or 'listed'; whose weights make 1: those of all ranks without end, of the first k, of the first R, of min(k, R), of min(k, documents retrieved), or of all three
-- over queries: mean or pooled
-- range: 0 to inf
-- empty: 0
-- differs: p is 0.9 in trec_eval and cwl_eval, 0.85 in lenskit, 0.5 in rankeval. trec_eval 10 divides the gains by the highest when one is above 1, as max_rel does
-- source: Moffat and Zobel 2008, doi:10.1145/1416950.1416952
CREATE OR REPLACE MACRO rbp(
    j, k := NULL, p := 8e-1, gain := 'binary', max_rel := NULL, denominator := 'endless'
) AS
    coalesce(
        (1e0 - p) * sum(
            CASE
                WHEN j.rank <= coalesce(k, j.rank)
                    THEN power(1e0 * p, j.rank - 1) * patient_gain(j.relevant, j.grade, gain, max_rel)
                ELSE 0e0
            END
        )
        / nullif(sum(
            CASE
                WHEN j.ideal_rank = 1 AND denominator = 'endless' THEN 1e0
                WHEN j.ideal_rank = 1
                    THEN 1e0 - power(1e0 * p, divisor(denominator, k, j.num_rel, j.num_ret))
            END
        ), 0),
        0e0
    );
CREATE OR REPLACE MACRO rbp(
    qrels,
    run,
    k := NULL,
    p := 8e-1,
    gain := 'binary',
    max_rel := NULL,
    denominator := 'endless',
    rel := 1,
    gains := NULL
) AS TABLE
SELECT
    j.run_id,
    j.query_id,
    rbp(j, k := k, p := p, gain := gain, max_rel := max_rel, denominator := denominator) AS rbp
FROM judged(qrels, run, rel := rel, gains := gains) AS j
GROUP BY j.run_id, j.query_id;
