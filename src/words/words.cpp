#include "words/words.hpp"

#include <algorithm>
#include <stdexcept>

namespace attest {
namespace {

constexpr const char* kAlmostNone =
    "the labels that some weights without biases fit are a null set (Sard), and so is its closure (Wilkie): "
    "almost no labels are fitted or approximated, which is not none";

const std::vector<StatementWords>& statement_words() {
  static const std::vector<StatementWords> table = {
      {.name = "rank",
       .source = "Eq. 7",
       .says = "rank(Z) for the given weights{head|; with `head` that of the head's columns}{bias|; with "
               "`bias` that of [Z 1], a column of ones beside Z}",
       .executed = "characters mod primes 2q + 1 from below; affine hull, equal and constant heads, kernel "
                   "vectors in the group ring from above"},
      {.name = "output-rank",
       .source = "Sec. 2",
       .says = "the rank of what the heads put out with the given weights and values, sum_i alpha_i (W_V^T "
               "x_i + b_V), T x (H d_v){head|; with `head` that of one head}",
       .executed = "as in rank; from above rank(Z) too, and that of [Z 1] when there are value biases"},
      {.name = "capacity",
       .source = "Sec. 4",
       .says = "the largest rank(Z) over all weights of the shape (H, d_h){sink|, and the logits of the "
               "sinks}{query_bias|, and the query biases}{given|, behind the layers before as they are "
               "given}{free|, and over all keys, queries and values of the layers before}{heads|; with "
               "`heads` in place of H}{which|; with `which` also a largest set of examples of which one "
               "choice of key and query weights lets a read-out fit all labels, greedily by `values` "
               "(larger ones first, equal ones in their order), so that no other such set has a larger sum "
               "of them; and for each other example those of the set that it conflicts with: only together "
               "with it are they a set of which no such choice lets a read-out fit all labels}",
       .executed = "weights that are written down, and their minor, from below; affine hulls, also of some "
                   "examples, equal examples, fewer heads, and left-kernel relations that hold for all "
                   "weights, from above; greedy choices under a character, and upper bounds for parts of the "
                   "examples; behind given layers weights of the last one and a minor of enclosures from "
                   "below, what contains the vectors that enter from above; of all layers together a minor "
                   "under a nested character from below, dimensions of what layers put out from above"},
      {.name = "memorizable",
       .source = "Theorem 1, for any number of heads",
       .says = "with enough heads some weights give Z the rank T, so that a read-out fits any labels",
       .executed = "rational relations between the outputs of one head that hold for all weights, from "
                   "above; a number of heads, weights that are written down, and their minor, from below",
       .answers =
           {{.yes = "with enough heads some weights give Z the rank T = {T}, so that any labels are fitted",
             .no = "no number of heads without query biases gives Z the rank T = {T}: the largest is "
                   "{largest_rank}"}}},
      {.name = "any-coefficients",
       .source = "Propositions 2 and 5",
       .says = "the largest rank(Z) over all coefficients that are not negative and sum to 1, in place of "
               "the softmax (with a sink to at most 1; in place of sigmoid ones each is at most 1)",
       .executed = "the hull of the tokens from above; the given or random weights, whose coefficients are "
                   "one choice, from below"},
      {.name = "words-and-positions",
       .source = "Dana, Pydi and Chevaleyre, arXiv 2411.10115",
       .says =
           "the largest rank(Z) over all embeddings e of words and p of positions, when token i of example t "
           "is e(w) + p_i, w the word in `sequences`, over all queries and all weights of the shape (H, d_h)",
       .executed = "words and positions have few sums that are independent, from above; the capacity of the "
                   "contexts that are given, when they are such sums, from below"},
      {.name = "memorizes",
       .source = "Sec. 2",
       .says = "some values, outputs and read-out without biases{bias| (with `bias`: with a bias of the "
               "read-out)}, "
               "behind the given keys and queries, fit the labels exactly",
       .assumes = "d_out <= d_v",
       .executed = "rank(Z) as in rank; a larger minor of [Z Y], or left-kernel vectors that annihilate the "
                   "labels too",
       .answers = {{.yes = "yes, these labels are fitted, with values, read-out and its bias trained anew",
                    .no = "no values, read-out and bias of it fit these labels",
                    .when = "bias"},
                   {.yes = "yes, these labels are fitted, with values and read-out trained anew",
                    .no = "no values and read-out without a bias fit these labels"}}},
      {.name = "output-memorizes",
       .source = "Sec. 2",
       .says = "some read-out without a bias{bias| (with `bias`: with one)} of what the heads put out with "
               "the given weights and values fits the labels exactly",
       .executed = "the rank of the outputs O as in output-rank; a larger minor of [O Y], or left-kernel "
                   "vectors that annihilate the labels too",
       .answers = {{.yes = "yes, these labels are fitted, with the values as they are and the read-out and "
                           "its bias trained anew",
                    .no = "with the values as they are no read-out and bias of it fit these labels",
                    .when = "bias"},
                   {.yes = "yes, these labels are fitted, with the values as they are and the read-out "
                           "trained anew",
                    .no = "with the values as they are no read-out without a bias fits these labels"}}},
      {.name = "injective",
       .source = "Sec. 2",
       .says = "no two examples have the same outputs (z_1, ..., z_H) with the given weights",
       .executed = "rows of Z that are different under a character; equal examples, and equal outputs as "
                   "identities in the group ring",
       .answers = {{.yes = "all {T} examples have different outputs",
                    .no = "not all outputs are different: {distinct(Z)} of {T}"}}},
      {.name = "injective-almost-surely",
       .source = "Kajitsuka and Sato, arXiv 2307.14023; Nikolaou et al., arXiv 2510.15511",
       .says = "for almost all keys and queries of the shape (H, d, d_h) no two examples have the same "
               "outputs (z_1, ..., z_H); layers before the layer are as given",
       .executed =
           "the given weights, as injective: what they tell apart almost all weights do; equal examples",
       .answers = {{.yes = "for almost all keys and queries all {T} examples have different outputs",
                    .no = "for no keys and queries without biases all outputs are different: for almost all "
                          "{generic_outputs} of {T}"}}},
      {.name = "saturation",
       .source = "Figure 3",
       .says = "how many pairs of head and example have a softmax coefficient above the threshold (only "
               "those of `head`, when it is given)",
       .executed = "enclosures of the largest coefficient of every pair, compared with the threshold"},
      {.name = "numerical-rank",
       .source = "Eq. 7",
       .says = "how many singular values of Z for the given weights exceed the tolerance",
       .executed = "singular vectors of binary64, rounded to integers: on their span Z, enclosed by "
                   "integers, stretches vectors by more than the tolerance, or by less"},
      {.name = "accuracy",
       .source = "Sec. 5",
       .says = "how many examples the whole layer (values, outputs, read-out) gets right: the score of the "
               "claim's class exceeds every other one, or all scores are within `epsilon` of the labels",
       .executed = "enclosures of the scores of every example, compared with each other or with the labels"},
      {.name = "jacobian-rank",
       .source = "Eq. 7",
       .says =
           "the rank of J for the given weights, J the derivative of the T d_out outputs sum_h U_h^T z_h "
           "with respect to keys, queries and read-out U; it is also the rank of the tangent kernel J J^T",
       .executed = "a minor of J under a character from below; the exponents of the softmax that keys and "
                   "queries move, rank(Z), equal examples and relations of the examples from above",
       .means =
           {{"jacobian_rank",
             "keys, queries and read-outs U near these fit an open set of labels, which is not all labels",
             "at these weights the outputs move in fewer directions than there are of them; other weights, "
             "also "
             "near these, may do better",
             "at these weights the outputs move in fewer directions than there are of them, and no weights "
             "without "
             "biases do better"}}},
      {.name = "functional-dimension",
       .source = "Sec. 4",
       .says =
           "the largest rank of J over all weights of the shape (H, d, d_h) and all read-outs; behind layers "
           "of attention J has the derivatives by all of their weights too, and it is over these as well. "
           "When it is T d_out, some weights fit the labels of an open set (not all labels); when it is "
           "less, the labels that any weights fit are a null set (not none), and so is its closure",
       .executed = "the minor of J of weights that are written down from below; as jacobian-rank from above; "
                   "behind other layers a minor under a nested character from below, the symmetries of the "
                   "weights from above",
       .means = {{"functional_dimension",
                  "some weights and read-outs U fit an open set of labels, which is not all labels",
                  kAlmostNone, kAlmostNone}}},
      {.name = "unfittable-labels",
       .source = "Proposition 3",
       .says = "no keys, queries and read-out without biases, of any key dimension, fit the labels "
               "exp(sqrt(p)), p the first T d_out primes, by the theorem of Lindemann and Weierstrass (a "
               "premise, not proved in proofs/formal); with labels = integer, some integer labels, which are "
               "not written down, without that premise",
       .assumes = "T d_out > H rho + d_out ((H - 1) v + rank(tokens)), rho the rank of the exponents, v that "
                  "of the differences",
       .executed = "the ranks of exponents, differences and tokens",
       .answers = {{.yes = "some integer labels are fitted by no weights without biases",
                    .no = "all integer labels are fitted by some weights without biases",
                    .when = "labels=integer"},
                   {.yes = "no weights without biases fit the {T*d_out} labels exp(sqrt(p)), by the theorem "
                           "of Lindemann and Weierstrass (no formal proof here)",
                    .no = "some weights without biases fit the labels exp(sqrt(p))"}},
       .means = {{"",
                  "it is these labels that no weights without biases fit; nothing is said about others"}}},
      {.name = "kruskal-rank",
       .source = "Definition 1",
       .says = "the Kruskal rank of the queries",
       .executed =
           "all subsets mod a prime, reusing eliminations; a dependent subset with its integer relation"},
      {.name = "general-position",
       .source = "Definition 2",
       .says = "the Kruskal rank of the queries is min(d, T), the largest possible",
       .executed = "as kruskal-rank",
       .answers = {{.yes = "every {min(d, T)} queries are independent, as many as can be",
                    .no = "not in general position: the Kruskal rank is {kruskal(queries)} of {min(d, T)}"}}},
      {.name = "assumption-1",
       .source = "Assumption 1",
       .says = "every min(n, T) queries are linearly independent",
       .executed = "as kruskal-rank",
       .answers =
           {{.yes = "every {min(n, T)} queries are independent (Kruskal rank {kruskal(queries)})",
             .no = "not every {min(n, T)} queries are independent: the Kruskal rank is {kruskal(queries)}"}}},
      {.name = "assumption-2",
       .source = "Assumption 2",
       .says = "every context has rank n",
       .executed = "ranks mod a prime, or an integer relation of tokens",
       .answers = {{.yes = "every context has rank n = {n}",
                    .no = "not every context has rank n = {n}: the least is {rank(contexts)}"}}},
      {.name = "assumption-3",
       .source = "Assumption 3",
       .says = "every min(n, T) of the vectors e_t + (1/n) sum_i E_{t,i} are linearly independent",
       .executed = "as kruskal-rank",
       .answers = {{.yes = "every {min(n, T)} of the vectors e_t + (1/n) sum_i E_{t,i} are independent",
                    .no = "not every {min(n, T)} of the vectors are independent: their Kruskal rank is "
                          "{kruskal(mixed-queries)}"}}},
      {.name = "affine-hull-bound",
       .source = "Propositions 2 and 5",
       .says = "rank(Z) <= min(T, Hd, H a + 1) for all weights, a the dimension of the affine hull of the "
               "tokens (H a when it contains 0)",
       .executed = "functionals that are constant on all tokens; a minor of the tokens shows that the hull "
                   "is no smaller",
       .answers = {{.yes = "rank(Z) <= {<=rank(Z(any))} for all weights with H = {H}",
                    .no = "some coefficients give a larger rank: {rank(Z(any))}",
                    .tight = "rank(Z(any))"}}},
      {.name = "matrix-rank",
       .source = "linear algebra",
       .says = "the rank of `matrix`, over the rational numbers",
       .executed =
           "a minor mod a prime from below; from above integer vectors that the matrix annihilates, or "
           "eliminations modulo so many primes that no larger minor can be divisible by all of them"},
      {.name = "lemma-1",
       .source = "Lemma 1",
       .says = "rank [a b; 0 c] >= rank a + rank c",
       .executed = "exact ranks, by minors and kernels",
       .answers = {{.yes = "rank [a b; 0 c] is {rank(block)}, and rank a + rank c is {rank(a)+rank(c)}",
                    .no = "rank [a b; 0 c] is {rank(block)}, less than rank a + rank c"}}},
      {.name = "lemma-2",
       .source = "Lemma 2",
       .says = "the vectors a_i + c sum_j a_j are linearly independent",
       .assumes = "the vectors a_i are linearly independent",
       .executed = "exact ranks; c = -1/n is refuted by the dependency",
       .answers = {{.yes = "the {rows(vectors)} shifted vectors are independent",
                    .no =
                        "the {rows(vectors)} shifted vectors are dependent: their rank is {rank(shifted)}"}}},
      {.name = "lemma-3",
       .source = "Lemma 3",
       .says =
           "some W' of rank one vanishes on n - 1 queries and separates the tokens of every other example",
       .assumes = "Assumptions 1 and 2",
       .executed = "constructs u and v, checks every difference",
       .answers = {{.yes = "such a W' = u v^T is found", .no = "there is no such W'"}}},
      {.name = "lemma-4",
       .source = "Lemma 4",
       .says = "softmax(E (W* + lambda W') e) is within epsilon of a vertex for all large lambda",
       .assumes = "the entries of E W' e are pairwise different",
       .executed = "a sufficient lambda, with enclosures",
       .answers = {{.yes = "the softmax stays within epsilon of one vertex for all large lambda",
                    .no = "the softmax does not come within epsilon of a vertex"}}},
      {.name = "lemma-5",
       .source = "Lemma 5",
       .says = "rank B >= rank A",
       .assumes = "||A - B||_2 is less than the smallest non-zero singular value of A",
       .executed = "eigenvalues counted exactly on both sides of a rational number",
       .answers = {{.yes = "rank B is {rank(b)}, and rank A is {rank(a)}",
                    .no = "rank B is {rank(b)}, less than rank A"}}},
      {.name = "claim-1",
       .source = "Claim 1",
       .says = "coefficients prescribed on at most r examples are exactly those of weights of rank at most r",
       .assumes = "the subset has at most r members, independent queries, contexts of rank n",
       .executed = "right and left inverses over Q",
       .answers = {{.yes = "weights with exactly these coefficients are found",
                    .no = "there are no such weights"}}},
      {.name = "claim-2",
       .source = "Claim 2",
       .says = "the same on at most r - 1 examples, all others within epsilon of one-hot vectors that do not "
               "depend on them",
       .assumes = "the subset has at most r - 1 members; Assumptions 1 and 2",
       .executed = "Claim 1, the separator of Lemma 3, and a sufficient lambda",
       .answers =
           {{.yes = "weights with exactly these coefficients, and nearly one-hot ones elsewhere, are found",
             .no = "there are no such weights"}}},
      {.name = "proposition-1",
       .source = "Proposition 1",
       .says = "there are weights with rank(Z) >= min(T, H (r - 1) + 1)",
       .assumes = "Assumptions 1 and 2",
       .executed = "the induction on heads; the rank of the constructed layer by a character",
       .answers = {{.yes = "some weights reach its bound {min(T, H*(r-1)+1)} = min(T, H (r - 1) + 1)",
                    .no = "no weights without query biases reach its bound {min(T, H*(r-1)+1)}: the largest "
                          "rank is {capacity}"}}},
      {.name = "proposition-2",
       .source = "Proposition 2",
       .says = "rank(Z) <= H (n - 1) + 1 for all weights",
       .assumes = "all contexts are the same matrix",
       .executed = "the affine-hull bound; how far the given or random weights reach it",
       .answers = {{.yes = "rank(Z) <= {H*(n-1)+1} = H (n - 1) + 1 for all weights",
                    .no = "some coefficients give more than {H*(n-1)+1} = H (n - 1) + 1: {rank(Z(any))}",
                    .tight = "H*(n-1)+1"}}},
      {.name = "proposition-3",
       .source = "Proposition 3",
       .says = "no ReLU network with m neurons memorizes this data with our labels",
       .assumes = "T > m (d + 1) (shared contexts); integer inputs; Assumptions 1 and 2",
       .executed = "labels by Kronecker's argument, or algebraically independent ones",
       .answers = {{.yes = "no network with m = {neurons} neurons fits our integer labels",
                    .no = "some network with m = {neurons} neurons fits our integer labels",
                    .when = "labels=integer"},
                   {.yes = "no network with m = {neurons} neurons fits the labels exp(sqrt(p)), by the "
                           "theorem of Lindemann and Weierstrass (no formal proof here)",
                    .no = "some network with m = {neurons} neurons fits the labels exp(sqrt(p))"}}},
      {.name = "relu-memorizes",
       .source = "Proposition 3, for given labels",
       .says =
           "some ReLU network with m neurons, with weights of its own, memorizes this data with the given "
           "labels",
       .assumes = "",
       .executed = "rational weights, or all activation patterns",
       .answers = {{.yes = "some network with m = {neurons} neurons fits the given labels",
                    .no = "no network with m = {neurons} neurons fits the given labels"}}},
      {.name = "proposition-4",
       .source = "Proposition 4",
       .says = "the outputs of the mixing layer satisfy Assumptions 1 and 2",
       .assumes = "Assumptions 2 and 3",
       .executed = "Kruskal rank and ranks of the outputs",
       .answers = {{.yes = "the outputs of the mixing layer satisfy Assumptions 1 and 2",
                    .no = "the outputs of the mixing layer do not satisfy both assumptions"}}},
      {.name = "proposition-5",
       .source = "Proposition 5",
       .says = "rank(Z) <= H (d - 1) + 1 for all weights",
       .assumes = "the entries of every token sum to one constant",
       .executed = "the affine-hull bound with the functional (1, ..., 1)",
       .answers = {{.yes = "rank(Z) <= {H*(d-1)+1} = H (d - 1) + 1 for all weights",
                    .no = "some coefficients give more than {H*(d-1)+1} = H (d - 1) + 1: {rank(Z(any))}",
                    .tight = "H*(d-1)+1"}}},
      {.name = "finite-lambda",
       .source = "Appendix B.2",
       .says = "some weights with separators, every head but the first separating all examples but r - 1, "
               "keep the rank min(T, H (r - 1) + 1) for all lambdas above an explicit one{lambda|; with "
               "lambda: some have it at this lambda}",
       .assumes = "Assumptions 1 and 2",
       .executed = "an approximate inverse of the limit of the minor, and enclosures of the minor for all "
                   "large lambda; exact ranks at other values, beside those that binary64 reports",
       .answers =
           {{.yes = "some weights have the rank {min(T, H*(r-1)+1)} at this lambda",
             .no =
                 "no weights have the rank {min(T, H*(r-1)+1)} at this lambda: the largest is {lambda_rank}",
             .when = "lambda"},
            {.yes = "{lambda} is enough: from there on some weights keep the rank {min(T, H*(r-1)+1)} = "
                    "min(T, H (r - 1) + "
                    "1)",
             .no = "no weights of this form keep the rank {min(T, H*(r-1)+1)} for all large lambda"}}},
      {.name = "theorem-1",
       .source = "Theorem 1",
       .says = "for any labels some weights of the layer fit them exactly",
       .assumes = "Assumptions 1 and 2; T <= H (r - 1) + 1; d_out <= d_v",
       .executed = "Proposition 1 with T rows; the read-out, enclosed",
       .answers = {{.yes = "for any labels some weights fit them",
                    .no = "for some labels no weights fit them"}}},
      {.name = "remark-1",
       .source = "Remark 1",
       .says = "Proposition 1 with r = min(n, d_h, k), k the Kruskal rank of the queries",
       .assumes = "Assumption 2",
       .executed = "the decided Kruskal rank, then the induction",
       .answers = {{.yes = "some weights reach its bound {max(0, min(T, H*(min(r, kruskal(queries))-1)+1))}, "
                           "with the Kruskal rank "
                           "{kruskal(queries)}",
                    .no =
                        "no weights without query biases reach its bound: the largest rank is {capacity}"}}},
      {.name = "skip-connection",
       .source = "Appendix C",
       .says = "for any labels some weights of the layer with skip connection fit them exactly",
       .assumes = "those of theorem-1, and d_out <= d",
       .executed = "theorem-1 for the labels minus the queries",
       .answers = {{.yes = "with the skip connection, for any labels some weights fit them",
                    .no = "with the skip connection, for some labels no weights fit them"}}},
      {.name = "positional-encoding",
       .source = "Sec. 4.4",
       .says = "the sinusoidal encoding of n positions in dimension d has rank n",
       .executed = "Vandermonde's theorem",
       .answers = {{.yes = "the encoding has the rank n = {n}",
                    .no = "the rank of the encoding is {rank(encoding)}, less than n = {n}"}}},
  };
  return table;
}

const std::vector<TheoremWords>& theorem_words() {
  static const std::vector<TheoremWords> table = {
      {.name = "affine-hull",
       .says = "every z_h lies in the affine hull of the tokens, of dimension a = rank [tokens 1] - 1: "
               "rank(Z) <= H a + 1",
       .proof = "Ranks from above",
       .formal = "affine_hull_bound"},
      {.name = "linear-hull",
       .says = "every z_h lies in the linear span of the tokens: rank(Z) <= H rank(tokens)",
       .proof = "Ranks from above",
       .formal = "linear_hull_bound"},
      {.name = "context-hulls",
       .says = "row t of Z lies in A_t^H, A_t the affine hull of the tokens of example t; with v the rank of "
               "all differences of two tokens of one context: rank(Z) <= (H - 1) v + rank(tokens)",
       .proof = "Ranks from above",
       .formal = "hull_bound"},
      {.name = "some-jacobian",
       .says = "these weights are of the shape (H, d, d_h)",
       .proof = "The Jacobian"},
      {.name = "all-jacobians",
       .says = "these weights are of the shape (H, d, d_h)",
       .proof = "The Jacobian"},
      {.name = "tangents",
       .says = "the keys and queries of a head move what K Q^T, of rank d_h, has on the exponents; the "
               "read-out moves the outputs in d_out rank(Z) directions",
       .proof = "The Jacobian"},
      {.name = "biased-tangents",
       .says = "the keys and queries of a head move a matrix with columns for queries and bias; the read-out "
               "moves the outputs in d_out rank(Z) directions",
       .proof = "The Jacobian"},
      {.name = "equal-jacobian-rows", .says = "equal examples have equal rows in J", .proof = "The Jacobian"},
      {.name = "exponent-count",
       .says = "the keys and queries of a head move what K Q^T, of rank d_h, has on the exponents; the "
               "read-out moves the outputs in d_out rank(Z) directions",
       .proof = "The Jacobian"},
      {.name = "moving-directions",
       .says = "keys and queries move every example's outputs in the span of the images of the differences "
               "of tokens under the read-outs, of dimension H rank(differences) at most",
       .proof = "The Jacobian"},
      {.name = "related-outputs",
       .says =
           "relations of the examples that hold for all weights hold for every output and its derivatives",
       .proof = "The Jacobian"},
      {.name = "different-examples",
       .says = "equal examples have equal outputs, for all weights",
       .proof = "The Jacobian"},
      {.name = "exponent-products",
       .says = "the exponents are products of a difference of tokens and a query",
       .proof = "The Jacobian"},
      {.name = "transcendental-outputs",
       .says = "the labels exp(sqrt(p)), p the first T d_out primes, are algebraically independent "
               "(Lindemann-Weierstrass), and the outputs of all weights satisfy one polynomial equation",
       .proof = "The Jacobian",
       .formal = "unfittable_labels"},
      {.name = "integer-outputs",
       .says = "the outputs of all weights satisfy one polynomial equation, and some integer labels do not",
       .proof = "The Jacobian",
       .formal = "unfittable_integer_labels"},
      {.name = "fitted-labels",
       .says = "some read-out U has Z U = Y, and values of d_v >= d_out dimensions carry it",
       .proof = "Quantities about Z"},
      {.name = "missed-labels", .says = "no read-out U has Z U = Y", .proof = "Quantities about Z"},
      {.name = "zero-labels", .says = "U = 0 fits labels that are all 0", .proof = "Quantities about Z"},
      {.name = "all-labels",
       .says =
           "with rank(Z) = T some read-out fits any labels, and values of d_v >= d_out dimensions carry it",
       .proof = "Quantities about Z",
       .formal = "theorem_1"},
      {.name = "all-labels-skip",
       .says = "with rank(Z) = T some read-out fits any labels minus what the skip connection adds",
       .proof = "Quantities about Z",
       .formal = "skip_connection"},
      {.name = "any-coefficients",
       .says = "those of the layer are one choice of coefficients",
       .proof = "Quantities about Z"},
      {.name = "some-coefficients",
       .says = "those of the layer are one choice of coefficients",
       .proof = "Quantities about Z"},
      {.name = "any-weights", .says = "all weights give coefficients", .proof = "Quantities about Z"},
      {.name = "coefficients-of-weights",
       .says = "all weights give coefficients",
       .proof = "Quantities about Z"},
      {.name = "some-weights",
       .says = "these weights are of the shape (H, d, d_h)",
       .proof = "Quantities about Z"},
      {.name = "equal-examples",
       .says = "equal examples have equal rows in Z, for all weights",
       .proof = "Quantities about Z"},
      {.name = "words-and-positions",
       .says = "tokens e(w) + p_i are linear images of as many independent vectors as there are words and "
               "positions, less one for each set of these that no token joins to others, and a functional is "
               "1 on all of these",
       .proof = "Ranks from above"},
      {.name = "some-embeddings",
       .says = "the contexts that are given are e(w) + p_i for some embeddings",
       .proof = "Ranks from above"},
      {.name = "almost-all-outputs",
       .says = "two outputs that differ at one choice of weights differ at almost all, being analytic",
       .proof = "Quantities about Z"},
      {.name = "independent-outputs",
       .says = "almost all weights of the shape reach the capacity, and independent rows are different",
       .proof = "Quantities about Z"},
      {.name = "equal-inputs",
       .says = "equal examples have equal outputs, for all weights",
       .proof = "Quantities about Z"},
      {.name = "any-heads", .says = "this number of heads is one of all", .proof = "Parts of a problem"},
      {.name = "many-heads",
       .says = "this number of heads, and these examples, are some of all",
       .proof = "Parts of a problem"},
      {.name = "part-and-others",
       .says = "the other examples add at most a row each; those that equal another add none",
       .proof = "Parts of a problem"},
      {.name = "concave-from-constants",
       .says = "heads have diminishing returns, and share the columns that no weights change",
       .proof = "Parts of a problem"},
      {.name = "concave-from-0",
       .says = "heads have diminishing returns, and no head has capacity 0",
       .proof = "Parts of a problem"},
      {.name = "equal-rows", .says = "equal examples have equal rows in Z", .proof = "Quantities about Z"},
      {.name = "equal-labelled-rows",
       .says = "equal examples with equal labels have equal rows in [Z Y]",
       .proof = "Quantities about Z"},
      {.name = "labels-beside", .says = "Z is a part of [Z Y]", .proof = "Quantities about Z"},
      {.name = "equal-outputs", .says = "equal examples have equal rows in Z", .proof = "Quantities about Z"},
      {.name = "equal-heads", .says = "equal heads have equal blocks in Z", .proof = "Ranks from above"},
      {.name = "equal-heads-cones",
       .says = "equal heads have equal blocks in Z, and each lies in the linear span of the tokens",
       .proof = "Other coefficients"},
      {.name = "constant-heads-cones",
       .says = "the same, and the blocks of constant heads are a column of ones times a row",
       .proof = "Other coefficients"},
      {.name = "ones-beside", .says = "Z is a part of [Z 1]", .proof = "Read-out biases"},
      {.name = "one-column", .says = "a column of ones is one column more", .proof = "Read-out biases"},
      {.name = "affine-hull-ones",
       .says = "the rows (z_1, ..., z_H, 1) lie in an affine space of dimension H a that does not contain 0: "
               "rank [Z 1] <= H a + 1",
       .proof = "Read-out biases"},
      {.name = "ones-within",
       .says =
           "some functional is 1 on all tokens, so the column of ones is a combination of the columns of Z",
       .proof = "Read-out biases"},
      {.name = "equal-rows-ones",
       .says = "equal examples have equal rows in [Z 1]",
       .proof = "Read-out biases"},
      {.name = "equal-labelled-rows-ones",
       .says = "equal examples with equal labels have equal rows in [Z 1 Y]",
       .proof = "Read-out biases"},
      {.name = "labels-beside-ones", .says = "[Z 1] is a part of [Z 1 Y]", .proof = "Read-out biases"},
      {.name = "fitted-labels-bias",
       .says =
           "some read-out U and bias c have Z U + 1 c^T = Y, and values of d_v >= d_out dimensions carry it",
       .proof = "Read-out biases"},
      {.name = "missed-labels-bias",
       .says = "no read-out U and bias c have Z U + 1 c^T = Y",
       .proof = "Read-out biases"},
      {.name = "equal-labels-bias",
       .says = "U = 0 and a bias fit labels that are the same for all examples",
       .proof = "Read-out biases"},
      {.name = "outputs-of-means",
       .says = "without value biases the outputs are Z times a matrix",
       .proof = "What the heads put out"},
      {.name = "outputs-with-biases",
       .says = "the coefficients sum to 1, so the outputs are [Z 1] times a matrix",
       .proof = "What the heads put out"},
      {.name = "equal-output-rows",
       .says = "equal examples have equal outputs",
       .proof = "What the heads put out"},
      {.name = "head-hull",
       .says = "the means of a head lie in the linear span of the tokens",
       .proof = "What the heads put out"},
      {.name = "head-rows", .says = "equal examples have equal means", .proof = "What the heads put out"},
      {.name = "outputs-and-labels",
       .says = "without value biases the outputs, and the labels beside them, are [Z Y] times a matrix",
       .proof = "What the heads put out"},
      {.name = "outputs-and-ones",
       .says = "the coefficients sum to 1, so the outputs, and a column of ones, are [Z 1] times a matrix",
       .proof = "What the heads put out"},
      {.name = "outputs-ones-labels",
       .says = "the coefficients sum to 1, so the outputs, a column of ones and the labels are [Z 1 Y] times "
               "a matrix",
       .proof = "What the heads put out"},
      {.name = "outputs-one-column",
       .says = "a column of ones is one column more",
       .proof = "What the heads put out"},
      {.name = "outputs-zero-labels",
       .says = "labels that are all 0 are columns that add nothing",
       .proof = "What the heads put out"},
      {.name = "outputs-equal-labels",
       .says = "labels that are the same for all examples are multiples of the column of ones",
       .proof = "What the heads put out"},
      {.name = "head-outputs-of-means",
       .says = "without value biases the outputs of a head are its means times a matrix",
       .proof = "What the heads put out"},
      {.name = "head-output-rows",
       .says = "equal examples have equal outputs",
       .proof = "What the heads put out"},
      {.name = "singular-values",
       .says = "at most rank(Z) singular values are not 0",
       .proof = "Quantities about Z"},
      {.name = "constant-heads",
       .says = "equal heads have equal blocks in Z, and the blocks of constant heads are a column of ones "
               "times a row",
       .proof = "Ranks from above"},
      {.name = "entering-affine-hull",
       .says = "the vectors that enter the layer, and so all means, lie in an affine space that earlier "
               "layers determine",
       .proof = "The stack"},
      {.name = "entering-linear-hull",
       .says =
           "the vectors that enter the layer, and so all means, lie in a space that earlier layers determine",
       .proof = "The stack"},
      {.name = "entering-differences",
       .says = "the vectors of one sequence differ, as they enter the layer, by those of a space that "
               "earlier layers determine",
       .proof = "The stack"},
      {.name = "entering-queries",
       .says = "a query that enters as 0, or two that enter equal or opposite, are dependent",
       .proof = "The stack"},
      {.name = "entering-contexts",
       .says =
           "tokens that enter equal or opposite, or as 0, and what contains all, bound the rank of a context",
       .proof = "The stack"},
      {.name = "entering-equal-heads",
       .says = "equal heads have equal blocks in Z, of means in what contains the vectors that enter",
       .proof = "The stack"},
      {.name = "opposite-examples",
       .says = "examples that are opposite in all their vectors have opposite rows in Z",
       .proof = "The stack"},
      {.name = "opposite-outputs",
       .says = "examples that are opposite in all their vectors have opposite rows in Z, for all weights",
       .proof = "The stack"},
      {.name = "opposite-jacobian-rows",
       .says = "behind layers of attention, examples that are opposite in all their vectors have opposite "
               "outputs, for all weights, and so opposite derivatives",
       .proof = "The stack"},
      {.name = "stack-means",
       .says = "for almost all weights of all layers the means lie in a space of that dimension",
       .proof = "Free layers"},
      {.name = "stack-symmetries",
       .says = "Z depends on the weights of all layers through so many numbers: K Q^T of rank d_h instead of "
               "K and Q, values up to a change of basis of what they put out; the read-out moves the outputs "
               "in d_out rank(Z) directions",
       .proof = "Free layers"},
      {.name = "composed-means",
       .says = "with one head in each layer before and no residual connections the outputs are combinations "
               "of hidden vectors times one matrix: the matrix moves them in d_out rank(Z) directions, what "
               "is combined for an example in those of differences of its vectors",
       .proof = "Free layers"},
      {.name = "composed-means-maps",
       .says = "with one head in each layer and no residual connections the outputs are combinations of "
               "hidden vectors times one matrix; linear maps that take the vectors of each example to their "
               "differences move both at once, and count once",
       .proof = "Free layers"},
      {.name = "moment-curve",
       .says = "queries (1, x, ..., x^{d-1}) with different x: Vandermonde",
       .proof = "Kruskal rank"},
      {.name = "integer-labels",
       .says = "labels 1, s, s^2, ... with s >= B + 2 lie in no subspace of outputs of an activation "
               "pattern, B the Hadamard bound of its minors",
       .proof = "The remaining statements",
       .formal = "proposition_3"},
      {.name = "transcendental-labels",
       .says = "the labels exp(sqrt(p_t)), p_t the t-th prime, are algebraically independent "
               "(Lindemann-Weierstrass), and the outputs of a network have a smaller transcendence degree",
       .proof = "The remaining statements"},
      {.name = "vandermonde-encoding",
       .says = "the columns sin(k w_j), cos(k w_j) have the span of powers of pairwise different nodes: "
               "Vandermonde",
       .proof = "The remaining statements",
       .formal = "positional_encoding_rank"},
      {.name = "zero-encoding",
       .says = "the encoding of one position in one dimension is sin(0) = 0",
       .proof = "The remaining statements"},
  };
  return table;
}

const std::vector<QuantityWords>& quantity_words() {
  static const std::string z = "because Z has T rows and H d columns", j = "by the size of J",
                           vectors = "because there are T vectors of dimension d",
                           matrix = "by the size of the matrix";
  static const std::vector<QuantityWords> table = {
      {"rank(J(given))", "rank(J) for the given weights", j},
      {"rank(J(*))", "", j},
      {"functional_dimension", "the largest rank(J) over all weights of the shape", j},
      {"rank(exponents)", "the rank of the exponents (x_i - x_0) e^T", "because they are d x d matrices"},
      {"layer(transcendental)", "weights that fit the transcendental labels", "as a truth value"},
      {"layer(integer)", "weights for all integer labels", "as a truth value"},
      {"rank(Z(given))", "rank(Z) for the given weights", z},
      {"rank(Z(any))", "the largest rank(Z) over all coefficients", z},
      {"rank(Z(*))", "", z},
      {"capacity", "the largest rank(Z) over all weights of the shape", z},
      {"capacity(*)", "", "because it has at most T examples"},
      {"which(*)", "the truth of what is said about sets of examples", "as a truth value"},
      {"largest_rank", "the largest rank(Z) over all weights and numbers of heads", "because Z has T rows"},
      {"tail_rank", "the rank that is kept for all large lambdas", z},
      {"lambda_rank", "the largest rank at this lambda in all heads", z},
      {"memorized(any)", "a layer of this shape that fits any labels", "as a truth value"},
      {"memorized(skip)", "a layer of this shape with skip connection that fits any labels",
       "as a truth value"},
      {"memorized(given)", "a read-out of the given heads that fits the labels", "as a truth value"},
      {"numerical_rank", "the number of singular values of Z above the tolerance", z},
      {"rank(Z|Y)", "the rank of [Z Y], the labels Y beside Z",
       "because [Z Y] has T rows and H d + d_out columns"},
      {"rank(Z|1Y)", "the rank of [Z 1 Y], a column of ones and the labels Y beside Z",
       "because [Z 1 Y] has T rows and H d + 1 + d_out columns"},
      {"rank(Z|1)", "the rank of [Z 1], a column of ones beside Z",
       "because [Z 1] has T rows and H d + 1 columns"},
      {"rank(head)", "the rank of the columns of this head", "because they are d columns with T rows"},
      {"rank(outputs)", "the rank of what the heads put out", "because that has T rows and H d_v columns"},
      {"rank(outputs|Y)", "the rank of [O Y], the labels Y beside what the heads put out",
       "because [O Y] has T rows and H d_v + d_out columns"},
      {"rank(outputs|1)", "the rank of [O 1], a column of ones beside what the heads put out",
       "because [O 1] has T rows and H d_v + 1 columns"},
      {"rank(outputs|1Y)",
       "the rank of [O 1 Y], a column of ones and the labels Y beside what the heads put out",
       "because [O 1 Y] has T rows and H d_v + 1 + d_out columns"},
      {"rank(head-outputs)", "the rank of what this head puts out",
       "because that has T rows and d_v columns"},
      {"memorized(bias)", "a read-out of the given heads with a bias that fits the labels",
       "as a truth value"},
      {"distinct(Z)", "the number of different rows of Z", "because Z has T rows"},
      {"generic_outputs", "the number of different rows of Z for almost all weights of the shape",
       "because Z has T rows"},
      {"embedded_capacity", "the largest rank(Z) over all embeddings, queries and weights of the shape", z},
      {"accurate", "the number of examples that the whole layer gets right", "because there are T examples"},
      {"saturated", "the number of pairs of head and example with a coefficient above the threshold",
       "because there are H T pairs"},
      {"kruskal(queries)", "the Kruskal rank of the queries", vectors},
      {"kruskal(mixed-queries)", "the Kruskal rank of the vectors e_t + (1/n) sum_i E_{t,i}", vectors},
      {"rank(queries)", "the rank of the queries", matrix},
      {"rank(contexts)", "the least rank of a context", matrix},
      {"rank(mixed-contexts)", "the least rank of a context of outputs", matrix},
      {"rank(subset-contexts)", "the least rank of a context of the subset", matrix},
      {"rank(subset-queries)", "the rank of the queries of the subset", matrix},
      {"rank(encoding)", "the rank of the encoding", matrix},
      {"rank(tokens)", "the rank of the tokens", matrix},
      {"rank(affine-tokens)", "the affine rank of the tokens", matrix},
      {"rank(differences)", "the rank of the differences of tokens of one context", matrix},
      {"rank(matrix)", "the rank of the matrix", matrix},
      {"rank(*)", "", matrix},
      {"distinct(contexts)", "the number of different contexts", ""},
      {"distinct(token-sums)", "the number of different sums of a token's entries", ""},
      {"distinct(examples)", "the number of different examples", ""},
      {"dim(means)", "the dimension of what contains the means, for almost all weights of all layers", ""},
      {"dim(weights)", "how many directions of all weights but the read-out move Z at most", ""},
      {"free(before)", "the number of layers before whose weights are free, too", ""},
      {"paths(before)", "the number of ways through the layers before", ""},
      {"dim(moved)", "how many directions the means can move the outputs in at most, behind the same values",
       ""},
      {"dim(hidden)", "the dimension of what the hidden vectors span that examples combine", ""},
      {"dim(maps)",
       "the dimension of the linear maps that take the hidden vectors of each example to differences of "
       "these",
       ""},
      {"directions(examples)", "the number of different examples up to sign", ""},
      {"most(entering-queries)", "0 when a query enters as 0, 1 when two enter equal or opposite, else T",
       ""},
      {"most(entering-contexts)",
       "the least number of tokens of a context that enter different up to sign and not as 0, or the "
       "dimension "
       "of what contains all",
       ""},
      {"dim(entering)", "the dimension of what contains the vectors that enter", ""},
      {"dim(entering-affine)", "the dimension of what contains the differences of vectors that enter", ""},
      {"dim(entering-differences)",
       "the dimension of what contains the differences of vectors that enter from one sequence", ""},
      {"distinct(labelled-examples)", "the number of different examples with their labels", ""},
      {"nonzero(labels)", "the number of labels that are not 0", ""},
      {"varying(labels)", "the number of labels that are not those of example 0", ""},
      {"fractions(inputs)", "the number of inputs that are not integers", ""},
      {"equal(entries)", "the number of equal pairs of entries of E W' e", ""},
      {"size(subset)", "the size of the subset", ""},
      {"sums(sequences)", "the truth of it that tokens are sums of vectors of words and positions", ""},
      {"spread(sequences)", "the number of independent sums of a word and a position", ""},
      {"separator", "a W' of rank one that vanishes on the subset and separates every other example",
       "as a truth value"},
      {"vertex_limit", "a vertex near which the softmax stays for all large lambda", "as a truth value"},
      {"perturbation", "the bound of ||A - B||_2", "as a truth value"},
      {"weights", "weights with exactly these coefficients", "as a truth value"},
      {"one_hot", "weights with exactly these coefficients, and nearly one-hot ones elsewhere",
       "as a truth value"},
      {"network(*)", "a network of that size that fits the labels", "as a truth value"},
      {"*", "", "as a truth value"}};
  return table;
}

template <class Words>
const Words& named(const std::vector<Words>& table, const std::string& name) {
  for (const Words& each : table) {
    if (each.name == name) return each;
  }
  throw std::logic_error("there are no words for " + name);
}

}  // namespace

const QuantityWords& words_of(const std::string& quantity) {
  return *std::ranges::find_if(
      quantity_words(), [&](const QuantityWords& each) { return match(quantity, each.form).has_value(); });
}

std::string quantity_in_words(const std::string& quantity) {
  const std::string& says = words_of(quantity).says;
  return says.empty() ? quantity : says;
}

const StatementWords& words_of(const Statement& about) {
  return named(statement_words(), about.spec.name);
}

const TheoremWords& words_of(const Theorem& about) {
  return named(theorem_words(), about.name);
}

std::string sentence(const std::string& says, const std::function<bool(const std::string& key)>& has) {
  std::string text;
  for (std::size_t at = 0; at < says.size();) {
    const std::size_t open = std::min(says.find('{', at), says.size()), bar = says.find('|', open),
                      close = says.find('}', open);
    text += says.substr(at, open - at);
    if (open == says.size()) break;
    const bool part = bar < close;  // else braces of a formula
    if (!part)
      text += says.substr(open, close + 1 - open);
    else if (has(says.substr(open + 1, bar - open - 1)))
      text += says.substr(bar + 1, close - bar - 1);
    at = close + 1;
  }
  return text;
}

std::string claimed_in_words(const Claim& claim) {
  const Statement& about = statement(claim.statement);
  return asks_for_a_number(about)
             ? claimed_text(claim)
             : sentence(words_of(about).says, [&](const std::string& key) { return claim.has(key); });
}

}  // namespace attest
