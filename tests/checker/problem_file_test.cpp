// Canonical problems: what is read, and that nothing else is (tests/checker/problem_files.py has the shipped
// cases).
#include "kernel/problem_file.hpp"

#include <doctest/doctest.h>

#include "base/errors.hpp"
#include "problem/digest.hpp"
#include "tests/checker/samples.hpp"

using namespace attest;
using namespace attest::test;

namespace {

Json array(std::vector<std::size_t> shape, const std::string& entries, const std::string& kind = "f4") {
  return {{"shape", shape}, {"class", kind}, {"entries", json_of(entries)}};
}

/// Two examples of two tokens; claims of all kinds of arguments.
Json plain() {
  Json problem = json_of(R"({'format': 'attest-problem/1', 'digest': '',
    'layer': {'heads': 1, 'context': 2, 'embed_dim': 2, 'head_dim': 1, 'examples': 2, 'output_dim': 2, 'value_dim': 1,
              'base': 'e', 'logit_scale': '1/sqrt(2)'},
    'claims': [{'statement': 'rank', 'expect': 'refuted', 'arguments': {'value': 2}},
               {'statement': 'accuracy', 'expect': 'verified', 'arguments': {'epsilon': '1/3'}},
               {'statement': 'accuracy', 'expect': 'verified', 'arguments': {}},
               {'statement': 'claim-1', 'expect': 'inapplicable', 'arguments': {'subset': [1]}},
               {'statement': 'lemma-4', 'expect': 'undecided', 'arguments': {'example': 1, 'epsilon': 1}},
               {'statement': 'proposition-3', 'expect': 'verified-as-stated',
                'arguments': {'neurons': 1, 'output_bias': false, 'labels': 'integer'}}]})");
  problem["arrays"] = {{"contexts", array({2, 2, 2}, "[0, 1, 2, '1/2', -3, 1, 0, '9007199254740992']")},
                       {"queries", array({2, 2}, "['1/3', 1, 0, 1]", "q")},
                       {"labels", array({2, 2}, "[0, 1, 1, '9007199254740993/9007199254740992']", "f8")},
                       {"key", array({1, 2, 1}, "[1, 0]")},
                       {"query", array({1, 2, 1}, "[0, 1]")},
                       {"value", array({1, 2, 1}, "[1, 1]")},
                       {"readout", array({1, 2}, "[1, 2]")}};
  problem["arrays"]["labels"]["entries"][3] = "4503599627370497/4503599627370496";
  problem["claims"][2]["arguments"]["classes"] = array({2}, "[0, 1]");
  problem["claims"][3]["arguments"]["coefficients"] = array({1, 2}, "['1/4', '3/4']");
  for (const char* key : {"w_star", "w_prime"})
    problem["claims"][4]["arguments"][key] = array({2, 2}, "[1, 0, 0, 1]");
  return problem;
}

/// A sink, and what is asked of outputs and biases.
Json sinks() {
  Json problem = plain();
  problem["layer"]["sink"] = true;
  problem["layer"]["logit_scale"] = "1";
  problem["arrays"]["sink"] = array({1}, "[1]");
  problem["arrays"].erase("readout");
  problem["claims"] = json_of(R"([{'statement': 'rank', 'expect': 'verified', 'arguments': {'bias': true}},
                                  {'statement': 'output-rank', 'expect': 'verified', 'arguments': {'head': 0}}])");
  return problem;
}

/// A network that has to fit labels.
Json network() {
  Json problem = plain();
  problem["claims"] = {problem["claims"][5]};
  problem["claims"][0]["statement"] = "relu-memorizes";
  problem["claims"][0]["arguments"].erase("labels");
  return problem;
}

/// Lists of tokens, and what the softmax sees.
Json listed() {
  Json problem = json_of(R"({'format': 'attest-problem/1', 'digest': '',
    'layer': {'heads': 2, 'context': 2, 'embed_dim': 1, 'head_dim': 1, 'examples': 2, 'output_dim': 1, 'value_dim': 1,
              'base': '2', 'logit_scale': '-3/2'},
    'members': [[0], [0, 1]],
    'claims': [{'statement': 'saturation', 'expect': 'verified', 'arguments': {'threshold': '1/2', 'head': 1}}]})");
  problem["arrays"] = {{"contexts", array({2, 1}, "[0, 1]")},
                       {"projected_queries", array({2, 2, 1}, "[1, 1, 2, 1]")},
                       {"projected_keys", array({3, 1, 1}, "[0, 1, 5]")}};
  return problem;
}

/// Two sequences of two vectors behind a layer of each kind.
Json stacked() {
  Json problem = json_of(R"({'format': 'attest-problem/1', 'digest': '',
    'layer': {'heads': 1, 'context': 2, 'embed_dim': 1, 'head_dim': 1, 'examples': 2, 'output_dim': 1, 'value_dim': 1,
              'base': 'e', 'logit_scale': '1'},
    'members': [[0, 1], [2]], 'positions': [1, 2],
    'before': [{'kind': 'attention', 'heads': 1, 'residual': true, 'members': [[0], [0, 1], [2], []], 'arrays': {}},
               {'kind': 'mlp', 'activation': 'relu', 'residual': false, 'arrays': {}},
               {'kind': 'rmsnorm', 'epsilon': '1/3', 'arrays': {}}],
    'claims': [{'statement': 'rank', 'expect': 'verified', 'arguments': {}}]})");
  problem["arrays"] = {{"hidden", array({2, 2, 1}, "[1, 2, 3, 4]")}, {"combined", array({1, 1, 1}, "[1]")}};
  problem["before"][0]["arrays"] = {{"combined", array({1, 1, 1}, "[2]")},
                                    {"value", array({1, 1, 1}, "[3]")}};
  problem["before"][1]["arrays"] = {{"weight_1", array({1, 2}, "[1, -1]")},
                                    {"bias_1", array({2}, "[0, 1]")},
                                    {"weight_2", array({2, 1}, "[1, 2]")},
                                    {"bias_2", array({1}, "[1]")}};
  problem["before"][2]["arrays"] = {{"gain", array({1}, "[5]")}};
  return problem;
}

/// The same as given, also where a capacity is asked.
Json behind() {
  Json problem = stacked();
  problem["layer"]["layers_before"] = "given";
  return problem;
}

/// The last of these first, where it may divide by the size of a vector itself.
Json normalized() {
  Json problem = stacked();
  problem["before"] = {problem["before"][2], problem["before"][0]};
  problem["before"][0]["epsilon"] = 0;
  return problem;
}

/// No layer.
Json lemma() {
  Json problem = json_of(R"({'format': 'attest-problem/1', 'digest': '', 'layer': 0, 'arrays': {},
    'claims': [{'statement': 'lemma-2', 'expect': 'verified', 'arguments': {'c': '-1/2'}}]})");
  problem["layer"] = nullptr;
  problem["claims"][0]["arguments"]["vectors"] = array({2, 2}, "[1, 0, 0, 1]");
  return problem;
}

std::string complaint(const std::string& text) {
  try {
    kernel::read_problem(text, "problem");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// The problem with the digest that it has.
Json sealed(Json problem) {
  const std::string what = complaint(problem.dump()), before = "the digest of these contents, ";
  CAPTURE(what);
  REQUIRE(what.find(before) != std::string::npos);
  problem["digest"] = what.substr(what.find(before) + before.size(), 64);
  return problem;
}

}  // namespace

TEST_CASE("a canonical problem is the case that it was made from") {
  const Json problem = sealed(plain());
  const Case read = kernel::read_problem(problem.dump(), "problem");
  const Case same =
      case_of(sized_layer(1, 2, 2, 1, 2) + R"toml(output_dim = 2
logit_scale = "1/sqrt(2)"
[data]
contexts = [[[0, 1], [2, "0.5"]], [[-3, 1], [0, 9007199254740992]]]
queries = [["1/3", 1], [0, 1]]
labels = [[0, 1], [1, "0x1.0000000000001p0"]]
[weights]
key = [[[1], [0]]]
query = [[[0], [1]]]
value = [[[1], [1]]]
readout = [[1, 2]]
)toml" + claim("rank", "value = 2") +
              claim("accuracy", "epsilon = '1/3'") + claim("accuracy", "classes = [0, 1]") +
              claim("claim-1", "subset = [1]\ncoefficients = [['1/4', '3/4']]") +
              claim("lemma-4",
                    "example = 1\nw_star = [[1, 0], [0, 1]]\nw_prime = [[1, 0], [0, 1]]\nepsilon = 1") +
              claim("proposition-3", "neurons = 1\nlabels = 'integer'"));
  CHECK(problem["digest"] == problem_digest(same));
  CHECK(read.claims[0].expect == Verdict::refuted);
  CHECK(read.claims[5].expect_as_stated);
  CHECK(read.data.contexts->at(7) == same.data.contexts->at(7));
  Json biased = sinks();
  biased["layer"]["query_bias"] = true;
  for (const Json& other : {listed(), stacked(), lemma(), sinks(), biased})
    CHECK(complaint(sealed(other).dump()) == "");
  CHECK(sealed(stacked())["digest"] == problem_digest(case_of(sized_layer(1, 2, 1, 1, 2) + R"([data]
hidden = [[[1], [2]], [[3], [4]]]
positions = "last"
causal = true
mask = [[1, 1], [1, 0]]
[[before]]
kind = "attention"
heads = 1
combined = [[[2]]]
value = [[[3]]]
[[before]]
kind = "mlp"
weight_1 = [[1, -1]]
bias_1 = [0, 1]
weight_2 = [[1], [2]]
bias_2 = [1]
activation = "relu"
residual = false
[[before]]
kind = "rmsnorm"
gain = [5]
epsilon = "1/3"
[weights]
combined = [[[1]]]
)" + claim("rank"))));
}

TEST_CASE("what is not the canonical form of a problem is refused") {
  struct Change {
    Json problem;
    const char *pointer, *value;  // no value: the key is erased
    const char* expected;
  };
  const Change changes[] = {
      {plain(), "/digest", "'00'", "the digest of these contents"},
      {plain(), "/digest", nullptr, "the key \"digest\""},
      {plain(), "/further", "1", "only known keys"},
      {plain(), "/format", "'attest-problem/2'", "the format attest-problem/1"},
      {plain(), "/claims", "[]", "a claim"},
      {plain(), "/layer", "null", "a layer for the data"},
      {listed(), "/claims/0",
       "{'statement': 'injective-almost-surely', 'expect': 'verified', 'arguments': {}}",
       "queries for injective-almost-surely"},
      {listed(), "/layer", "null", "a layer for the data"},
      {plain(), "/layer/heads", "0", "a size from 1 to 2^40"},
      {plain(), "/layer/base", "'3'", "e or 2"},
      {plain(), "/layer/logit_scale", "'1/sqrt(4)'", "the root of no square"},
      {plain(), "/layer/logit_scale", "'1/sqrt(02)'", "a scale in lowest terms"},
      {plain(), "/layer/logit_scale", "'1/sqrt(2'", "a rational number"},
      {plain(), "/layer/logit_scale", "'2/4'", "a scale in lowest terms"},
      {plain(), "/layer/logit_scale", "'0'", "a scale in lowest terms"},
      {plain(), "/arrays/unknown", "{}", "only known keys"},
      {plain(), "/arrays/contexts/entries/0", "9007199254740992", "an integer below 2^53"},
      {plain(), "/arrays/contexts/entries/0", "-9007199254740992", "an integer below 2^53"},
      {plain(), "/arrays/contexts/entries/0", "'1'", "p/q in lowest terms"},
      {plain(), "/arrays/contexts/entries/0", "'2/4'", "p/q in lowest terms"},
      {plain(), "/arrays/contexts/entries/0", "'+1/2'", "p/q in lowest terms"},
      {plain(), "/arrays/contexts/entries/0", "'0x1p-1'", "p/q in lowest terms"},
      {plain(), "/arrays/contexts/entries/0", "'1/0'", "a rational number"},
      {plain(), "/arrays/contexts/entries/0", "null", "a string"},
      {plain(), "/arrays/contexts/entries/0", "'1/3'", "a binary float"},
      {plain(), "/arrays/contexts/class", "'f8'", "the class f4"},
      {plain(), "/arrays/contexts/entries/8", "0", "8 entries"},
      {plain(), "/arrays/contexts/shape", "[2, 4]", "contexts of shape"},
      {plain(), "/arrays/contexts/shape", "[4, 2]", "contexts of shape"},
      {plain(), "/arrays/contexts/shape/0", "1099511627776", "an array of 4398046511104 entries"},
      {plain(), "/arrays/queries/shape", "[1, 4]", "queries of shape"},
      {plain(), "/arrays/labels/shape", "[4, 1]", "labels of shape"},
      {plain(), "/arrays/key", nullptr, "weights of one form"},
      {plain(), "/arrays/query", nullptr, "weights of one form"},
      {plain(), "/arrays/key/shape", "[2, 1, 1]", "weights of shape"},
      {plain(), "/arrays/value/shape", "[2, 1, 1]", "value of shape"},
      {plain(), "/arrays/readout", nullptr, "as many outputs as output_dim"},
      {plain(), "/arrays/labels", nullptr, "labels for epsilon"},
      {plain(), "/arrays/contexts", nullptr, "contexts for rank"},
      {listed(), "/arrays/contexts", nullptr, "contexts, of which there are lists"},
      {listed(), "/members", nullptr, "keys of tokens"},
      {listed(), "/members/0", "[]", "1 to 2 tokens"},
      {listed(), "/members/1", "[0, 0]", "distinct indices"},
      {listed(), "/members/0", "[1]", "rows in the order of their first use"},
      {listed(), "/members/1", "[0]", "2 rows that are used"},
      {listed(), "/members/0", "[0, 1]", "lists that the shape of the contexts does not say"},
      {listed(), "/arrays/projected_keys", nullptr, "weights of one form"},
      {listed(), "/arrays/projected_keys/shape", "[1, 3, 1]", "keys of tokens"},
      {listed(), "/arrays/queries", "{'shape': [2, 1], 'class': 'f4', 'entries': [0, 1]}",
       "contexts and no queries"},
      {listed(), "/claims/0/arguments/threshold", "-1", "a positive number"},
      {listed(), "/claims/0/arguments/head", "2", "the heads are counted from 0"},
      {listed(), "/claims/0", "{'statement': 'proposition-2', 'expect': 'verified', 'arguments': {}}",
       "contexts of one length"},
      {plain(), "/claims/0/statement", "'rang'", "a statement"},
      {plain(), "/claims/0/expect", "'proved'", "a verdict"},
      {plain(), "/claims/0/expect", nullptr, "the key \"expect\""},
      {plain(), "/claims/0/arguments/value", "'1/2'", "an integer"},
      {plain(), "/claims/0/arguments/at_least", "1", "one number"},
      {plain(), "/claims/0/arguments/further", "1", "only known keys"},
      {plain(), "/claims/1/arguments/epsilon", nullptr, "classes or epsilon"},
      {plain(), "/claims/2/arguments/epsilon", "1", "classes or epsilon"},
      {plain(), "/claims/2/arguments/classes/entries/0", "2", "a class"},
      {plain(), "/claims/3/arguments/subset", "[1, 1]", "distinct indices"},
      {plain(), "/claims/3/arguments/coefficients/entries/0", "'1/2'", "positive coefficients that sum to 1"},
      {plain(), "/claims/4/arguments/example", "2", "an index below 2"},
      {plain(), "/claims/4/arguments/w_prime/shape", "[1, 4]", "a matrix of shape"},
      {plain(), "/claims/5/arguments/output_bias", "0", "true or false"},
      {plain(), "/claims/5/arguments/labels", "'others'", "one of integer transcendental"},
      {plain(), "/claims/5/arguments/labels", nullptr, "the key \"labels\""},
      {sinks(), "/layer/sink", "false", "the sink true"},
      {sinks(), "/layer/coefficients", "'sigmoid'", "sigmoid coefficients"},
      {plain(), "/layer/coefficients", "'softmax'", "sigmoid coefficients"},
      {plain(), "/layer/coefficients", "'sigmoid'", "coefficients of the softmax for accuracy"},
      {sinks(), "/layer/query_bias", "false", "the query_bias true"},
      {plain(), "/layer/query_bias", "true", "weights without query biases for accuracy"},
      {stacked(), "/layer/query_bias", "true", "no query biases behind other layers"},
      {sinks(), "/arrays/sink", nullptr, "logits of sinks for a layer with sinks"},
      {plain(), "/arrays/sink", "{'shape': [1], 'class': 'f4', 'entries': [0]}", "logits of sinks"},
      {sinks(), "/arrays/sink/shape", "[1, 1]", "sink of shape"},
      {sinks(), "/arrays/key_bias", "{'shape': [1, 1], 'class': 'f4', 'entries': [0]}", "no key biases"},
      {sinks(), "/layer/logit_scale", "'1/sqrt(2)'", "sinks of logit 0"},
      {sinks(), "/arrays/value", nullptr, "values for output-rank"},
      {sinks(), "/claims/0/arguments/bias", "false", "true, or no key"},
      {sinks(), "/claims/1/arguments/head", "1", "the heads are counted from 0"},
      {sinks(), "/claims/0/arguments/head", "0", "head and bias exclude each other"},
      {sinks(), "/claims/0", "{'statement': 'proposition-2', 'expect': 'verified', 'arguments': {}}",
       "coefficients of the softmax for proposition-2"},
      {network(), "/arrays/labels", nullptr, "labels for relu-memorizes, found none"},
      {listed(), "/claims/0",
       "{'statement': 'proposition-3', 'expect': 'verified', 'arguments': {'neurons': 1, 'output_bias': "
       "false, 'labels': 'integer'}}",
       "contexts and queries for proposition-3"},
      {stacked(), "/before", "[]", "a layer before"},
      {stacked(), "/layer/coefficients", "'sigmoid'", "a plain softmax behind other layers"},
      {stacked(), "/before", nullptr, "layers before, and a layer"},
      {stacked(), "/positions", nullptr, "hidden vectors, their lists and positions"},
      {stacked(), "/members", nullptr, "hidden vectors, their lists and positions"},
      {stacked(), "/layer/base", "'2'", "hidden vectors, their lists and positions, and base e"},
      {stacked(), "/layer", "null", "a layer for the data"},
      {stacked(), "/arrays/hidden", nullptr, "hidden vectors, their lists"},
      {stacked(), "/arrays/hidden/shape", "[4, 1, 1]", "hidden of shape"},
      {stacked(), "/members/0", "[1, 0]", "increasing rows of the sequence of row 1"},
      {stacked(), "/members/0", "[1, 2]", "increasing rows of the sequence of row 1"},
      {stacked(), "/members/0", "[2]", "increasing rows of the sequence of row 1"},
      {stacked(), "/members/0", "[]", "tokens of every example"},
      {stacked(), "/members/1", "[2, 3]", "tokens of every row that is used"},
      {stacked(), "/positions", "[1, 1]", "distinct indices"},
      {stacked(), "/positions/0", "4", "an index below 4"},
      {stacked(), "/before/0", "1", "a layer before with a kind"},
      {stacked(), "/before/0/kind", "'other'", "attention, mlp or rmsnorm"},
      {stacked(), "/before/0/heads", "2", "combined of shape"},
      {stacked(), "/before/0/residual", "1", "true or false"},
      {stacked(), "/before/0/head_dim", "1", "only known keys"},
      {stacked(), "/claims/0/statement", "'capacity'", "attention for one about all weights"},
      {stacked(), "/claims/0/statement", "'theorem-1'", "layers before as given for theorem-1"},
      {behind(), "/claims/0/statement", "'functional-dimension'",
       "a statement about the layer behind given ones"},
      {behind(), "/claims/0/statement", "'proposition-1'", "contexts of one length for proposition-1"},
      {behind(), "/layer/layers_before", "'free'", "the layers before as given"},
      {plain(), "/layer/layers_before", "'given'", "layers before that are given"},
      {stacked(), "/before/0/members", "[[0]]", "4 entries"},
      {stacked(), "/before/0/members/1", "[]", "tokens of every row that is used"},
      {stacked(), "/before/0/members/1", "[2]", "increasing rows of the sequence of row 1"},
      {stacked(), "/before/0/arrays/combined", nullptr, "combined, or key and query"},
      {stacked(), "/before/0/arrays/value/shape", "[1, 1]", "value of shape"},
      {stacked(), "/before/0/further", "1", "only known keys"},
      {stacked(), "/before/2/epsilon", "-1", "epsilon that is not negative"},
      {stacked(), "/before/2/epsilon", "0", "a positive epsilon behind another layer"},
      {normalized(), "/arrays/hidden/entries/2", "0", "a positive epsilon, or vectors that are not 0"},
      {stacked(), "/before/1/activation", "'gelu'", "relu, silu or tanh"},
      {stacked(), "/before/1/arrays/weight_2/shape", "[1, 2]", "weight_2 of shape"},
      {stacked(), "/before/1/arrays/bias_1/shape", "[1, 2]", "bias_1 of shape"},
      {stacked(), "/before/1/arrays/bias_2/shape", "[1, 1]", "bias_2 of shape"},
      {stacked(), "/before/2/arrays/gain/shape", "[1, 1]", "gain of shape"},
      {stacked(), "/claims/0/statement", "'any-coefficients'", "a statement about a layer behind others"},
      {lemma(), "/claims/0",
       "{'statement': 'proposition-3', 'expect': 'verified', 'arguments': {'neurons': 1, 'output_bias': "
       "false, 'labels': "
       "'integer'}}",
       "layer for proposition-3"},
  };
  for (const auto& [problem, pointer, value, expected] : changes) {
    CAPTURE(pointer);
    CAPTURE(value);
    Json changed = problem;
    const Json::json_pointer place(pointer);
    if (value == nullptr)
      changed[place.parent_pointer()].erase(place.back());
    else
      changed[place] = json_of(value);
    const std::string what = complaint(changed.dump());
    CAPTURE(what);
    CHECK(what.starts_with("problem: "));
    CHECK(contains(what, expected));
  }
}

TEST_CASE("a problem is not read twice, nor with a number that JSON can write in two ways") {
  const std::string text = sealed(lemma()).dump();
  CHECK(complaint(text).empty());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    return complaint(changed);
  };
  CHECK(with("{", "{\"layer\":null,").find("duplicate key") != std::string::npos);
  CHECK(with("[1,0,0,1]", "[1,-0,0,1]").find("an integer below 2^53") != std::string::npos);
  CHECK(with("[1,0,0,1]", "[1.0,0,0,1]").find("is not an integer") != std::string::npos);
  CHECK(with("[1,0,0,1]", "[1,0,0,2]").find("the digest of these contents") != std::string::npos);
  CHECK(complaint(text + text).find("parse error") == std::string::npos);
  CHECK(complaint(text + text) != "");
}
