// The statements, the theorem schemas, the quantities and the shapes of rules. A new statement is an entry
// here, its words in src/words, its prover in proofs/, its cases and its tests.
#include "theory/statements.hpp"

namespace attest {
namespace {

using Type = ArgumentSpec::Type;

const Clause kAssumption1 = {"kruskal(queries) >= min(n, T)", "assumption-1"};
const Clause kAssumption2 = {"rank(contexts) >= n", "assumption-2"};
const Clause kAssumption3 = {"kruskal(mixed-queries) >= min(n, T)", "assumption-3"};
const Clause kExamples = {"T <= H*(r-1)+1", "examples"};
const Clause kValues = {"d_out <= d_v", "value-dimension"};

const Shown kRank = {"rank", "rank(Z(given))", "rank(Z)"};
const Shown kRankBias = {"rank_with_bias", "rank(Z|1)", "rank [Z 1]", "bias"};
const Shown kKruskal = {"kruskal_rank", "kruskal(queries)", "Kruskal rank"};
const Shown kCapacity = {"capacity", "capacity", "capacity"};
const Shown kJacobian = {"jacobian_rank", "rank(J(given))", "rank(J)", "", "T*d_out"};
const Shown kFunctional = {"functional_dimension", "functional_dimension", "functional dimension", "",
                           "T*d_out"};
const Shown kOutputs = {"parameters.memorized", "T*d_out", "outputs"};
const Shown kPaperLower = {"bounds.paper_lower", "min(T, H*(r-1)+1)",
                           "Proposition 1's bound under its assumptions"};
const Shown kAnyCoefficients = {"bounds.any_coefficients", "rank(Z(any))", "rank(Z) for any coefficients"};

/// The arguments of a question for a number, of which a claim has at most one.
const std::vector<ArgumentSpec> kNumber = {{"value", Type::integer, false, "number"},
                                           {"at_least", Type::integer, false, "number"},
                                           {"at_most", Type::integer, false, "number"}};

std::vector<ArgumentSpec> with_number(std::vector<ArgumentSpec> more) {
  more.insert(more.end(), kNumber.begin(), kNumber.end());
  return more;
}

/// The conclusion of such a question; of claims with the argument `variant`, whose clauses come before the
/// others.
std::vector<Clause> number(const std::string& quantity, const std::string& variant = "",
                           const std::vector<Clause>& others = {}) {
  const std::string also = variant.empty() ? "" : " " + variant;
  std::vector<Clause> clauses = {{quantity + " = value", "", "value" + also},
                                 {quantity + " >= at_least", "", "at_least" + also},
                                 {quantity + " <= at_most", "", "at_most" + also},
                                 {"decided(" + quantity + ")", "", variant}};
  clauses.insert(clauses.end(), others.begin(), others.end());
  return clauses;
}

std::vector<Clause> capacity_or_which() {
  std::vector<Clause> clauses = number("capacity");
  clauses.insert(clauses.end() - 1, {"decided(capacity) and which(*) >= 1", "", "which"});
  return clauses;
}
const Clause kHead = {"head >= 0 and head <= H-1", "the heads are counted from 0", "head"};
const ArgumentSpec kHeadArgument = {"head", Type::integer, false};
const char* const kAllLayers =
    "with layers before the layer, the capacity is that of the heads of [layer], of all examples";
const char* const kLastLayer =
    "with layers before the layer, the rank of a head alone or with a bias is not known";

/// Holds where the case has weights, and labels in the condition beside it; nothing is known without them.
const std::string kGiven = "in_shape(given) >= 0";

/// The same where the claim is about a head, and where the case has values.
const std::string kOfHead = "head >= 0", kValued = "nonzero(value-bias) >= 0";
/// The coefficients of every head and example sum to 1: no sink, no sigmoid.
const std::string kConvex = "convex = 1";
/// The tokens are those of the data: no stack.
const std::string kFirst = "before = 0";

const std::string kPatterns = "neurons*(varying(inputs)+1)+output_bias";
const Shown kNetwork = {"parameters.network", "neurons*((n+1)*d+2)+output_bias", "parameters of the network"};

const std::string kParameters = "H*d*(2*d_h+d_v)+H*d_v*d_out+d_out*d_out";
const std::vector<Shown> kOfTheorem1 = {
    kCapacity,
    kPaperLower,
    kAnyCoefficients,
    {"parameters.layer", kParameters, "parameters"},
    {"parameters.memorized", "T*d_out", "numbers to memorize"},
    {"parameters.most_examples", "(" + kParameters + ")/d_out", "trivial upper bound of examples"}};

/// Of the numbers that a head's coefficients are made of, how many directions of its keys and queries move
/// them.
const std::string kTangents =
    "min(rank(exponents), min(d_h, rank(differences))*rank(queries)"
    "+min(d_h, rank(queries))*max(rank(differences)-d_h, 0))";
/// Every output names a theorem without formal proof that a verdict rests on.
const std::string kIndependentLabels =
    "labels that are independent by the theorem of Lindemann and Weierstrass (no formal proof here)";
const std::string kTranscendence = "H*rank(exponents)+d_out*((H-1)*rank(differences)+rank(tokens))";

}  // namespace

const std::vector<Statement>& statements() {
  static const std::vector<Statement> table = {
      {.spec = {"rank", "layer contexts queries weights ragged sinks stack",
                with_number({kHeadArgument, {"bias", Type::option, false}})},
       .conclusion = number("rank(head)", "head", number("rank(Z|1)", "bias", number("rank(Z(given))"))),
       .shown = {{"rank", "rank(Z(given))", "rank(Z)", "!head !bias"},
                 {"rank", "rank(head)", "rank(Z_h)", "head"},
                 {"rank", "rank(Z|1)", "rank [Z 1]", "!head bias"},
                 {kPaperLower.name, kPaperLower.quantity, kPaperLower.text, "!head"},
                 {kAnyCoefficients.name, kAnyCoefficients.quantity, kAnyCoefficients.text, "!head"}},
       .requirements = {kHead,
                        {"bias <= 0", "head and bias exclude each other", "head bias"},
                        {"before <= 0", kLastLayer, "head"},
                        {"before <= 0", kLastLayer, "bias"}}},
      {.spec = {"output-rank", "layer contexts queries weights values ragged sinks",
                with_number({kHeadArgument})},
       .conclusion = number("rank(head-outputs)", "head", number("rank(outputs)")),
       .shown = {{"output_rank", "rank(outputs)", "rank of the outputs", "!head"},
                 {"output_rank", "rank(head-outputs)", "rank of the head's outputs", "head"}},
       .requirements = {kHead}},
      {.spec = {"capacity", "layer contexts queries ragged sinks stack layers_before",
                with_number({{"heads", Type::natural, false},
                             {"which", Type::option, false},
                             {"values", Type::values, false}})},
       .conclusion = capacity_or_which(),
       .shown = {kCapacity, kPaperLower, kAnyCoefficients},
       .requirements = {{"which = 1", "values say which set is the heaviest: they need which = true",
                         "values"},
                        {"before <= 0", kAllLayers, "heads"},
                        {"before <= 0", kAllLayers, "which"}}},
      {.spec = {"memorizable", "layer contexts queries ragged"},
       .conclusion = {{"largest_rank >= T"}},
       .shown = {{"largest_rank", "largest_rank", "largest rank for any number of heads"}}},
      {.spec = {"any-coefficients", "layer contexts queries ragged sinks", kNumber},
       .conclusion = number("rank(Z(any))"),
       .shown = {{"any_coefficients", "rank(Z(any))", "rank(Z) for any coefficients"}, kCapacity}},
      {.spec = {"words-and-positions", "layer contexts queries", with_number({{"sequences", Type::matrix}})},
       .conclusion = number("embedded_capacity"),
       .shown = {{"embedded_capacity", "embedded_capacity", "capacity for any embeddings"}, kCapacity},
       .requirements = {{"rows(sequences) = T", "sequences has a row for each example"},
                        {"cols(sequences) = n", "sequences has a word for each token of a context"}}},
      {.spec = {"memorizes",
                "layer contexts queries weights labels ragged sinks",
                {{"bias", Type::option, false}}},
       .hypotheses = {kValues},
       .conclusion = {{"memorized(bias) >= 1", "", "bias"}, {"memorized(given) >= 1"}},
       .shown = {kRank,
                 {"rank_with_labels", "rank(Z|Y)", "rank [Z Y]", "!bias"},
                 kRankBias,
                 {"rank_with_labels", "rank(Z|1Y)", "rank [Z 1 Y]", "bias"}}},
      {.spec = {"output-memorizes",
                "layer contexts queries weights values labels ragged sinks",
                {{"bias", Type::option, false}}},
       .conclusion = {{"rank(outputs|1Y) <= rank(outputs|1)", "", "bias"},
                      {"rank(outputs|Y) <= rank(outputs)"}},
       .shown = {{"output_rank", "rank(outputs)", "rank of the outputs"},
                 {"rank_with_labels", "rank(outputs|Y)", "rank [O Y]", "!bias"},
                 {"rank_with_bias", "rank(outputs|1)", "rank [O 1]", "bias"},
                 {"rank_with_labels", "rank(outputs|1Y)", "rank [O 1 Y]", "bias"}}},
      {.spec = {"injective", "layer contexts queries weights ragged sinks stack"},
       .conclusion = {{"distinct(Z) >= T"}},
       .shown = {{"different_outputs", "distinct(Z)", "different outputs"}}},
      {.spec = {"injective-almost-surely", "layer contexts queries weights matrices ragged stack"},
       .conclusion = {{"generic_outputs >= T"}},
       .shown = {{"generic_outputs", "generic_outputs", "different outputs for almost all weights"},
                 {"different_outputs", "distinct(Z)", "different outputs for these"}}},
      {.spec = {"saturation", "layer contexts queries weights ragged stack",
                with_number({{"threshold", Type::positive}, kHeadArgument})},
       .conclusion = number("saturated"),
       .shown = {{"saturated", "saturated", "saturated pairs", "!head"},
                 {"saturated", "saturated", "saturated pairs", "head", "T"}},
       .requirements = {kHead}},
      {.spec = {"numerical-rank", "layer contexts queries weights ragged stack",
                with_number({{"tolerance", Type::positive}})},
       .conclusion = number("numerical_rank"),
       .shown = {{"numerical_rank", "numerical_rank", "numerical rank"}}},
      {.spec = {"accuracy", "layer contexts queries weights whole ragged stack",
                with_number(
                    {{"classes", Type::classes, false, "epsilon"}, {"epsilon", Type::positive, false}})},
       .conclusion = number("accurate"),
       .shown = {{"accurate", "accurate", "accurate examples"}}},
      {.spec = {"jacobian-rank", "layer contexts queries weights matrices whole ragged", kNumber},
       .conclusion = number("rank(J(given))"),
       .shown = {kJacobian, kOutputs, {"parameters.layer", "H*d*(2*d_h+d_out)", "parameters"}, kFunctional}},
      {.spec = {"functional-dimension", "layer contexts queries ragged stack", kNumber},
       .conclusion = number("functional_dimension"),
       .shown = {kFunctional,
                 kOutputs,
                 {"parameters.layer", "H*d*(2*d_h+d_out)+parameters(before)", "parameters"}}},
      {.spec = {"unfittable-labels",
                "layer contexts queries ragged",
                {{"labels", Type::word, false, "transcendental integer"}}},
       .hypotheses = {{"T*d_out >= " + kTranscendence + "+1", "examples"}},
       .conclusion = {{"layer(integer) <= 0", "", "labels=integer"}, {"layer(transcendental) <= 0"}},
       .shown = {kOutputs,
                 {"parameters.transcendence", kTranscendence, "bound of their transcendence degree"},
                 {"parameters.independent_labels", "T*d_out", kIndependentLabels, "!labels=integer"}}},
      {.spec = {"kruskal-rank", "layer queries ragged sinks stack given", kNumber},
       .conclusion = number("kruskal(queries)"),
       .shown = {kKruskal}},
      {.spec = {"general-position", "layer queries ragged sinks stack given"},
       .conclusion = {{"kruskal(queries) >= min(d, T)"}},
       .shown = {kKruskal}},
      {.spec = {"assumption-1", "layer queries sinks stack given"},
       .conclusion = {{kAssumption1.proposition}},
       .shown = {kKruskal}},
      {.spec = {"assumption-2", "layer contexts sinks stack given"},
       .conclusion = {{kAssumption2.proposition}},
       .shown = {{"least_context_rank", "rank(contexts)", "least rank of a context"}}},
      {.spec = {"assumption-3", "layer contexts queries sinks stack given"},
       .conclusion = {{kAssumption3.proposition}},
       .shown = {{"kruskal_rank", "kruskal(mixed-queries)", "Kruskal rank of these vectors"}}},
      {.spec = {"affine-hull-bound", "layer contexts ragged"},
       .conclusion = {{"rank(Z(any)) <= min(T, H*d, H*(rank(affine-tokens)-1)+1, H*rank(tokens))"}},
       .shown = {kPaperLower, kAnyCoefficients}},
      {.spec = {"matrix-rank", "", with_number({{"matrix", Type::matrix}})},
       .conclusion = number("rank(matrix)"),
       .shown = {{"matrix_rank", "rank(matrix)", "rank(M)"}}},
      {.spec = {"lemma-1", "", {{"a", Type::matrix}, {"c", Type::matrix}, {"b", Type::matrix, true, "a c"}}},
       .conclusion = {{"rank(block) >= rank(a)+rank(c)"}},
       .shown = {{"ranks.a", "rank(a)", "rank(a)"},
                 {"ranks.c", "rank(c)", "rank(c)"},
                 {"ranks.block", "rank(block)", "rank of the block matrix"}}},
      {.spec = {"lemma-2", "", {{"vectors", Type::matrix}, {"c", Type::number}}},
       .hypotheses = {{"rank(vectors) >= rows(vectors)", "independent"}},
       .conclusion = {{"rank(shifted) >= rows(vectors)"}},
       .shown = {{"ranks.vectors", "rank(vectors)", "rank of the vectors"},
                 {"ranks.shifted", "rank(shifted)", "rank of the shifted ones"}}},
      {.spec = {"lemma-3", "layer contexts queries", {{"subset", Type::subset, false}}},
       .hypotheses = {kAssumption1, kAssumption2},
       .conclusion = {{"separator >= 1"}},
       .requirements = {{"size(subset) = n-1", "lemma-3 is about a subset of n - 1 examples"}}},
      {.spec = {"lemma-4",
                "layer contexts queries",
                {{"example", Type::example},
                 {"w_star", Type::matrix, true, "d d"},
                 {"w_prime", Type::matrix, true, "d d"},
                 {"epsilon", Type::positive}}},
       .hypotheses = {{"equal(entries) = 0", "distinct-entries"}},
       .conclusion = {{"vertex_limit >= 1"}}},
      {.spec = {"lemma-5", "", {{"a", Type::matrix}, {"b", Type::matrix, true, "a a"}}},
       .hypotheses = {{"perturbation >= 1", "perturbation"}},
       .conclusion = {{"rank(b) >= rank(a)"}},
       .shown = {{"ranks.a", "rank(a)", "rank(A)"}, {"ranks.b", "rank(b)", "rank(B)"}}},
      {.spec = {"claim-1",
                "layer contexts queries",
                {{"subset", Type::subset}, {"coefficients", Type::coefficients}}},
       .hypotheses = {{"size(subset) <= r", "subset-size"},
                      {"rank(subset-queries) >= size(subset)", "subset-queries"},
                      {"rank(subset-contexts) >= n", "subset-contexts"}},
       .conclusion = {{"weights >= 1"}}},
      {.spec = {"claim-2",
                "layer contexts queries",
                {{"subset", Type::subset},
                 {"coefficients", Type::coefficients},
                 {"epsilon", Type::positive}}},
       .hypotheses = {{"size(subset) <= r-1", "subset-size"}, kAssumption1, kAssumption2},
       .conclusion = {{"one_hot >= 1"}}},
      {.spec = {"proposition-1", "layer contexts queries stack given layers_before"},
       .hypotheses = {kAssumption1, kAssumption2},
       .conclusion = {{"capacity >= min(T, H*(r-1)+1)"}},
       .shown = {kCapacity, kPaperLower, kAnyCoefficients}},
      {.spec = {"proposition-2", "layer contexts"},
       .hypotheses = {{"distinct(contexts) <= 1", "shared-context"}},
       .conclusion = {{"rank(Z(any)) <= H*(n-1)+1"}},
       .shown = {kCapacity, kPaperLower, kAnyCoefficients}},
      {.spec = {"proposition-3",
                "layer",
                {{"neurons", Type::natural},
                 {"output_bias", Type::flag, false},
                 {"labels", Type::word, false, "integer transcendental"}},
                "without data"},
       .hypotheses = {{"fractions(inputs) = 0", "integer-inputs", "labels=integer"},
                      {"T >= " + kPatterns + "+1", "examples"},
                      kAssumption1,
                      kAssumption2},
       .conclusion = {{"network(transcendental) <= 0", "", "labels=transcendental"},
                      {"network(integer) <= 0"}},
       .shown = {kNetwork,
                 {"parameters.examples_needed", kPatterns + "+1", "examples that defeat it"},
                 {"parameters.independent_labels", "T", kIndependentLabels, "labels=transcendental"}}},
      {.spec = {"relu-memorizes",
                "layer contexts queries labels",
                {{"neurons", Type::natural}, {"output_bias", Type::flag, false}}},
       .conclusion = {{"network(given) >= 1"}},
       .shown = {kNetwork},
       .requirements = {{"d_out = 1", "a network has one output: output_dim must be 1"}}},
      {.spec = {"proposition-4", "layer contexts queries stack given"},
       .hypotheses = {kAssumption2, kAssumption3},
       .conclusion = {{"kruskal(mixed-queries) >= min(n, T) and rank(mixed-contexts) >= n"}}},
      {.spec = {"proposition-5", "layer contexts"},
       .hypotheses = {{"distinct(token-sums) <= 1", "constant-sum"}},
       .conclusion = {{"rank(Z(any)) <= H*(d-1)+1"}},
       .shown = {kCapacity, kPaperLower, kAnyCoefficients}},
      {.spec = {"finite-lambda", "layer contexts queries", {{"lambda", Type::number, false}}},
       .hypotheses = {kAssumption1, kAssumption2},
       .conclusion = {{"lambda_rank >= min(T, H*(r-1)+1)", "", "lambda"}, {"tail_rank >= min(T, H*(r-1)+1)"}},
       .shown = {{"lambda_rank", "lambda_rank", "rank at this lambda", "lambda"},
                 {"tail_rank", "tail_rank", "rank for all large lambda", "!lambda"},
                 kCapacity,
                 kPaperLower,
                 kAnyCoefficients}},
      {.spec = {"theorem-1", "layer contexts queries stack given layers_before"},
       .hypotheses = {kAssumption1, kAssumption2, kExamples, kValues},
       .conclusion = {{"memorized(any) >= 1"}},
       .shown = kOfTheorem1},
      {.spec = {"remark-1", "layer contexts queries"},
       .hypotheses = {kAssumption2},
       .conclusion = {{"capacity >= min(T, H*(min(r, kruskal(queries))-1)+1)"}},
       .shown = {kKruskal,
                 kCapacity,
                 {"bounds.paper_lower", "max(0, min(T, H*(min(r, kruskal(queries))-1)+1))",
                  "the remark's bound under its assumptions"},
                 kAnyCoefficients}},
      {.spec = {"skip-connection", "layer contexts queries labels"},
       .hypotheses = {kAssumption1, kAssumption2, kExamples, {"d_out <= min(d_v, d)", kValues.name}},
       .conclusion = {{"memorized(skip) >= 1"}},
       .shown = kOfTheorem1,
       .requirements = {{"d_out <= d",
                         "the skip connection adds the first output_dim entries of a query: output_dim must "
                         "be at most embed_dim"}}},
      {.spec = {"positional-encoding", "layer", {}, "always"},
       .conclusion = {{"rank(encoding) >= n"}},
       .shown = {{"encoding_rank", "rank(encoding)", "rank of the encoding"}}},
  };
  return table;
}

const std::vector<Theorem>& theorems() {
  static const std::vector<Theorem> table = {
      {"affine-hull", {kConvex}, "rank(Z(any)) <= H*(rank(affine-tokens)-1)+1"},
      {"linear-hull", {}, "rank(Z(any)) <= H*rank(tokens)"},
      {"context-hulls", {kConvex}, "rank(Z(any)) <= (H-1)*rank(differences)+rank(tokens)"},
      {"any-coefficients", {}, "rank(Z(W)) <= rank(Z(any))"},
      {"some-coefficients", {}, "rank(Z(any)) >= rank(Z(W))"},
      {"any-weights", {"free(before) = 0"}, "capacity <= rank(Z(any))"},
      {"coefficients-of-weights", {kFirst}, "rank(Z(any)) >= capacity"},
      {"some-weights", {"in_shape(W) = 1"}, "capacity >= rank(Z(W))"},
      {"equal-examples", {}, "capacity <= distinct(examples)"},
      {"words-and-positions", {kConvex}, "embedded_capacity <= H*(spread(sequences)-1)+1"},
      {"some-embeddings", {"sums(sequences) = 1"}, "embedded_capacity >= capacity"},
      {"almost-all-outputs", {"in_shape(given) = 1"}, "generic_outputs >= distinct(Z)"},
      {"independent-outputs", {kFirst}, "generic_outputs >= capacity"},
      {"equal-inputs", {}, "generic_outputs <= distinct(examples)"},
      {"any-heads", {kFirst}, "largest_rank >= capacity"},
      {"many-heads", {"H(P) >= 1"}, "largest_rank >= capacity(P)"},
      {"part-and-others", {"H <= H(P)"}, "capacity <= capacity(P)+distinct(outside(P))"},
      {"concave-from-constants",
       {"T(P) = T", "H(P) <= H", kConvex},
       "capacity <= (H*capacity(P)-(H-H(P))*max(0, rank(tokens)-rank(differences)))/max(1, H(P))"},
      {"concave-from-0", {"T(P) = T", "H(P) <= H"}, "capacity <= H*capacity(P)/max(1, H(P))"},
      {"equal-rows", {}, "rank(Z(W)) <= distinct(examples)"},
      {"equal-labelled-rows", {kGiven}, "rank(Z|Y) <= distinct(labelled-examples)"},
      {"labels-beside", {kGiven, "distinct(labelled-examples) >= 1"}, "rank(Z|Y) >= rank(Z(given))"},
      {"some-jacobian", {"in_shape(W) = 1"}, "functional_dimension >= rank(J(W))"},
      {"all-jacobians", {"in_shape(W) = 1"}, "rank(J(W)) <= functional_dimension"},
      {"tangents", {"in_shape(W) = 1", kConvex}, "rank(J(W)) <= H*" + kTangents + "+d_out*rank(Z(W))"},
      {"biased-tangents", {kConvex}, "rank(J(W)) <= H*rank(differences)*(rank(queries)+1)+d_out*rank(Z(W))"},
      {"equal-jacobian-rows", {}, "rank(J(W)) <= d_out*distinct(examples)"},
      {"exponent-count", {kConvex, kFirst}, "functional_dimension <= H*" + kTangents + "+d_out*capacity"},
      {"moving-directions",
       {kConvex, kFirst},
       "functional_dimension <= (d_out-min(d_out, H*rank(differences)))*capacity"
       "+largest_rank*min(d_out, H*rank(differences))"},
      {"related-outputs", {}, "functional_dimension <= d_out*largest_rank"},
      {"different-examples", {kFirst}, "largest_rank <= distinct(examples)"},
      {"exponent-products", {}, "rank(exponents) <= rank(differences)*rank(queries)"},
      {"transcendental-outputs",
       {kConvex, "T*d_out >= " + kTranscendence + "+1"},
       "layer(transcendental) <= 0"},
      {"integer-outputs", {kConvex, "T*d_out >= " + kTranscendence + "+1"}, "layer(integer) <= 0"},
      {"fitted-labels",
       {kGiven, "rank(Z|Y) <= rank(Z(given))", kValues.proposition},
       "memorized(given) >= 1"},
      {"missed-labels", {kGiven, "rank(Z|Y) >= rank(Z(given))+1"}, "memorized(given) <= 0"},
      {"zero-labels", {kGiven, "nonzero(labels) = 0", kValues.proposition}, "memorized(given) >= 1"},
      {"ones-beside", {kGiven}, "rank(Z|1) >= rank(Z(given))"},
      {"one-column", {kGiven}, "rank(Z|1) <= rank(Z(given))+1"},
      {"affine-hull-ones", {kGiven, kConvex}, "rank(Z|1) <= H*(rank(affine-tokens)-1)+1"},
      {"ones-within",
       {kGiven, kConvex, "rank(tokens) >= rank(affine-tokens)"},
       "rank(Z|1) <= rank(Z(given))"},
      {"equal-rows-ones", {kGiven}, "rank(Z|1) <= distinct(examples)"},
      {"equal-labelled-rows-ones", {kGiven}, "rank(Z|1Y) <= distinct(labelled-examples)"},
      {"labels-beside-ones", {kGiven, "distinct(labelled-examples) >= 1"}, "rank(Z|1Y) >= rank(Z|1)"},
      {"fitted-labels-bias",
       {kGiven, "rank(Z|1Y) <= rank(Z|1)", kValues.proposition},
       "memorized(bias) >= 1"},
      {"missed-labels-bias", {kGiven, "rank(Z|1Y) >= rank(Z|1)+1"}, "memorized(bias) <= 0"},
      {"equal-labels-bias", {kGiven, "varying(labels) = 0", kValues.proposition}, "memorized(bias) >= 1"},
      {"outputs-of-means", {kGiven, "nonzero(value-bias) = 0"}, "rank(outputs) <= rank(Z(given))"},
      {"outputs-with-biases", {kGiven, kValued, kConvex}, "rank(outputs) <= rank(Z|1)"},
      {"equal-output-rows", {kGiven, kValued}, "rank(outputs) <= distinct(examples)"},
      {"outputs-and-labels", {kGiven, "nonzero(value-bias) = 0"}, "rank(outputs|Y) <= rank(Z|Y)"},
      {"outputs-and-ones", {kGiven, kValued, kConvex}, "rank(outputs|1) <= rank(Z|1)"},
      {"outputs-ones-labels", {kGiven, kValued, kConvex}, "rank(outputs|1Y) <= rank(Z|1Y)"},
      {"outputs-one-column", {kGiven, kValued}, "rank(outputs|1) <= rank(outputs)+1"},
      {"outputs-zero-labels", {kGiven, "nonzero(labels) = 0"}, "rank(outputs|Y) <= rank(outputs)"},
      {"outputs-equal-labels", {kGiven, "varying(labels) = 0"}, "rank(outputs|1Y) <= rank(outputs|1)"},
      {"head-hull", {kGiven, kOfHead}, "rank(head) <= rank(tokens)"},
      {"head-rows", {kGiven, kOfHead}, "rank(head) <= distinct(examples)"},
      {"head-outputs-of-means",
       {kGiven, kOfHead, "nonzero(value-bias) = 0"},
       "rank(head-outputs) <= rank(head)"},
      {"head-output-rows", {kGiven, kOfHead, kValued}, "rank(head-outputs) <= distinct(examples)"},
      {"singular-values", {kGiven, kFirst}, "numerical_rank <= rank(Z(given))"},
      {"all-labels", {"capacity >= T", kValues.proposition}, "memorized(any) >= 1"},
      {"all-labels-skip", {"capacity >= T", "d_out <= min(d_v, d)"}, "memorized(skip) >= 1"},
      {"equal-outputs", {kGiven}, "distinct(Z) <= distinct(examples)"},
      {"equal-heads",
       {kConvex},
       "rank(Z(W)) <= min(heads(W)*(rank(affine-tokens)-1)+1, heads(W)*rank(tokens))"},
      {"equal-heads-cones", {}, "rank(Z(W)) <= heads(W)*rank(tokens)"},
      {"constant-heads",
       {"distinct(contexts) = 1", kConvex},
       "rank(Z(W)) <= min(moving(W)*(rank(affine-tokens)-1)+1, moving(W)*rank(tokens)+1)"},
      {"entering-affine-hull", {}, "rank(Z(any)) <= H*dim(entering-affine)+1"},
      {"entering-linear-hull", {}, "rank(Z(any)) <= H*dim(entering)"},
      {"entering-differences", {}, "rank(Z(any)) <= (H-1)*dim(entering-differences)+dim(entering)"},
      {"entering-queries", {}, "kruskal(queries) <= most(entering-queries)"},
      {"entering-contexts", {}, "rank(contexts) <= most(entering-contexts)"},
      {"entering-equal-heads",
       {kGiven},
       "rank(Z(given)) <= min(heads(given)*dim(entering-affine)+1, heads(given)*dim(entering))"},
      {"opposite-examples", {kGiven}, "rank(Z(given)) <= directions(examples)"},
      {"opposite-outputs", {}, "capacity <= directions(examples)"},
      {"opposite-jacobian-rows", {}, "functional_dimension <= d_out*directions(examples)"},
      {"stack-means", {"free(before) >= 1"}, "capacity <= dim(means)"},
      {"stack-symmetries", {}, "functional_dimension <= dim(weights)+d_out*capacity"},
      {"composed-means", {"paths(before) = 1"}, "functional_dimension <= dim(moved)+d_out*capacity"},
      {"composed-means-maps",
       {"paths(before) = 1", "H = 1", "d_out >= dim(hidden)"},
       "functional_dimension <= dim(moved)+d_out*dim(hidden)-dim(maps)"},
      {"constant-heads-cones", {"distinct(contexts) = 1"}, "rank(Z(W)) <= moving(W)*rank(tokens)+1"},
      {"moment-curve", {"off_moment_curve = 0"}, "kruskal(queries) >= min(T, d)"},
      {"integer-labels",
       {"T >= neurons*(varying(inputs)+1)+output_bias+1", "fractions(inputs) = 0"},
       "network(integer) <= 0"},
      {"transcendental-labels",
       {"T >= neurons*(varying(inputs)+1)+output_bias+1"},
       "network(transcendental) <= 0"},
      {"vandermonde-encoding", {"n <= d", "d >= 2"}, "rank(encoding) >= n"},
      {"zero-encoding", {"n = 1", "d = 1"}, "rank(encoding) <= 0"},
  };
  return table;
}

const std::vector<Quantity>& quantities() {
  static const std::vector<Quantity> table = {
      {{"rank(Z(*))", "capacity"}, "min(T, H*d)"},
      {{"tail_rank"}, "min(T, H*d)", "", "capacity"},
      {{"capacity(*)", "largest_rank"}, "T"},
      {{"embedded_capacity"}, "min(T, H*d)", "sequences"},
      {{"which(*)"}, "1", "which"},
      {{"lambda_rank"}, "min(T, H*d)", "lambda", "capacity"},
      {{"numerical_rank"}, "min(T, H*d)", "tolerance"},
      {{"rank(Z|Y)"}, "min(T, H*d+d_out)", "labels"},
      {{"rank(J(*))", "functional_dimension"}, "min(T*d_out, H*d*(2*max(d, d_h)+d_out)+parameters(before))"},
      {{"rank(exponents)"}, "d*d"},
      {{"rank(Z|1)"}, "min(T, H*d+1)"},
      {{"rank(Z|1Y)"}, "min(T, H*d+1+d_out)", "labels"},
      {{"rank(head)"}, "min(T, d)", "head"},
      {{"rank(outputs)"}, "min(T, H*d_v)", "values"},
      {{"rank(outputs|Y)"}, "min(T, H*d_v+d_out)", "values labels"},
      {{"rank(outputs|1)"}, "min(T, H*d_v+1)", "values"},
      {{"rank(outputs|1Y)"}, "min(T, H*d_v+1+d_out)", "values labels"},
      {{"rank(head-outputs)"}, "min(T, d_v)", "values head"},
      {{"distinct(Z)", "generic_outputs"}, "T"},
      {{"accurate"}, "T", "whole"},
      {{"saturated"}, "T*H", "threshold"},
      {{"kruskal(*)", "rank(queries)"}, "min(T, d)"},
      {{"rank(contexts)", "rank(mixed-contexts)", "rank(encoding)"}, "min(n, d)"},
      {{"rank(subset-contexts)"}, "min(n, d)", "subset"},
      {{"rank(subset-queries)"}, "min(size(subset), d)", "subset"},
      {{"rank(tokens)"}, "min(distinct(tokens), d)"},
      {{"rank(affine-tokens)"}, "min(distinct(tokens), d+1)"},
      {{"rank(differences)"}, "d"},
      {{"rank(matrix)"}, "min(rows(matrix), cols(matrix))", "matrix"},
      {{"rank(a)"}, "min(rows(a), cols(a))", "a"},
      {{"rank(b)"}, "min(rows(b), cols(b))", "b"},
      {{"rank(c)"}, "min(rows(c), cols(c))", "c"},
      {{"rank(block)"}, "min(rows(a)+rows(c), cols(a)+cols(c))", "a b c"},
      {{"rank(vectors)"}, "min(rows(vectors), cols(vectors))", "vectors"},
      {{"rank(shifted)"}, "min(rows(vectors), cols(vectors))", "vectors c"},
      {{"separator"}, "1", "subset"},
      {{"vertex_limit"}, "1", "w_prime w_star example epsilon"},
      {{"perturbation"}, "1", "a b"},
      {{"weights"}, "1", "subset coefficients"},
      {{"one_hot"}, "1", "subset coefficients epsilon"},
      {{"network(given)"}, "1", "neurons !labels"},
      {{"memorized(given)", "memorized(bias)"}, "1", "labels"},
      {{"network(*)", "layer(*)", "memorized(*)", "readout"}, "1"}};
  return table;
}

const std::vector<RuleShape>& rule_shapes() {
  static const std::string zero = "side:left|right vectors:[sparse] p:prime",
                           counted = "side:above|below count:count precision:bits",
                           prescribed = "right_inverses:[[vector]] left_inverse:[vector]";
  static const std::vector<std::string> of_z = {"rank(Z(*))",         "rank(Z|1)",       "rank(Z|Y)",
                                                "rank(Z|1Y)",         "rank(head)",      "rank(outputs)",
                                                "rank(outputs|1)",    "rank(outputs|Y)", "rank(outputs|1Y)",
                                                "rank(head-outputs)", "distinct(Z)"},
                                        kruskal = {"kruskal(queries)", "kruskal(mixed-queries)"};
  static const std::vector<RuleShape> table = {
      {"let", {}, "layer:layer"},
      {"part", {}, "heads?:count examples?:[index] steps:proof side:above|below"},
      {"minor", of_z, "p:prime g:prime rows:[index] cols:[index]"},
      {"minor", {"lambda_rank"}, "layer:step p:prime g:prime rows:[index] cols:[index]"},
      {"minor", {"rank(J(*))"}, "p:prime g:prime rows:[index] cols:[index]"},
      {"minor", {"rank(*contexts)"}, "p:prime"},
      {"minor", {"rank(*)"}, "p:prime rows:[index] cols:[index]"},
      {"zero", of_z, zero + " g?:prime"},
      {"zero", {"rank(J(*))"}, zero},
      {"zero", {"rank(*contexts)"}, zero + " member?:index"},
      {"zero", {"rank(*)"}, zero},
      {"zero", {"capacity", "largest_rank"}, "side:left|right vectors:[sparse] p?:prime"},
      {"zero", kruskal, zero},
      {"hadamard", {"rank(*)"}, "rows:[index] primes:[count]"},
      {"coefficients", {"capacity"}, "p:prime rows:[index] cols:[index] tokens:[[index]]"},
      {"hulls", {"capacity"}, "vectors:[vector]"},
      {"nested",
       {"capacity", "functional_dimension"},
       "primes:[count] bound:count seed:count rows:[index] cols:[index]"},
      {"circuits", {"which(*)"}, "layer:step p:prime g:prime cols:[index] uses:[step]"},
      {"subsets", kruskal, "k:count p:prime method:subsets|dual"},
      {"compare", {"separator"}, "u:vector v:vector"},
      {"compare", {"network(given)"}, "neurons:[neuron]+ output_bias?:rational"},
      {"compare", {"perturbation"}, "mu:rational side:holds|fails"},
      {"ball", {"distinct(Z)"}, "rows:[index] precision:bits"},
      {"ball", {"rank(contexts)", "rank(mixed-contexts)"}, "precision:bits"},
      {"ball", kruskal, "k:count precision:bits"},
      {"ball", {"saturated"}, counted},
      {"ball", {"accurate"}, counted},
      {"ball", {"numerical_rank"}, "side:above|below bits:bits vectors:[[integer]]+"},
      {"ball", {"vertex_limit"}, "vertex:index lambda:rational"},
      {"ball", {"one_hot"}, prescribed + " u:vector v:vector lambda:rational"},
      {"inverse", {"rank(Z(*))"}, "rows:[index] cols:[index] precision:bits inverse:[[rational]]"},
      {"inverse", {"weights"}, prescribed},
      {"inverse",
       {"readout"},
       "layer:step cols:[index] precision:bits inverse:[[rational]] weights:[[ball]]"},
      {"inverse",
       {"tail_rank"},
       "layer:step lambda:rational rows:[index] cols:[index] inverse:[[rational]] scale:[rational]"},
      {"split", {"network(given)"}, "trees:[[node]]+"},
      {"theorem", {}, "theorem:theorem uses:[step] layer?:given|step parts?:[step]"}};
  return table;
}

}  // namespace attest
