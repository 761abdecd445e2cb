// Samples of Proposition 1 and Theorem 1.
#include "tests/checker/sample_groups.hpp"

namespace attest::test {
namespace {

/// Layer k of Proposition 1 executed by hand: head 0 takes examples 0 and 1, head 1 takes example 2 and
/// separates the others.
std::string construction(std::size_t k) {
  return "{'rule': 'let', 'fact': 'let Z(" + std::to_string(k) +
         ")', 'layer': {'heads': [{'key': [v(1 0), v(0 1)], 'query': [v(1 0), v(0 1)]}, {'key': [v(1 0)], "
         "'query': [v(1 0)], 'separator': {'u': v(1 0), 'v': v(1 -1), 'lambda': '3'}}]}}";
}

/// The same, and its rank.
std::string executed(std::size_t k, int g) {
  const std::string number = std::to_string(k), of = "rank(Z(" + number + "))";
  return construction(k) + ", {'rule': 'minor', 'of': '" + of + "', 'p': 1000919, 'g': " + std::to_string(g) +
         ", 'rows': [0, 1, 2], 'cols': [0, 1, 2], 'fact': '" + of + " >= 3'}, " +
         "{'rule': 'theorem', 'theorem': 'some-weights', 'uses': [" + std::to_string(k + 1) +
         "], 'layer': " + number + ", 'fact': 'capacity >= 3'}";
}

/// The read-out from layer 0 in base 2, where Z is rational and the inverse is exact.
std::string base_2_readout(const std::string& first, const std::string& second, const std::string& third) {
  const auto ball = [](const std::string& mid) { return "[{'mid': '" + mid + "', 'rad': '1e-20'}]"; };
  return "{'rule': 'inverse', 'of': 'readout', 'layer': 0, 'cols': [1, 0, 2], 'precision': 128, 'inverse': "
         "[['-153/43', '-24/43', '220/43'], ['357/43', '228/43', '-542/43'], ['-153/43', '-153/43', "
         "'306/43']], 'weights': [" +
         ball(first) + ", " + ball(second) + ", " + ball(third) + "], 'fact': 'readout >= 1'}";
}

}  // namespace

std::vector<Sample> theorem_samples() {
  return {
      {"theorem",
       sized_layer(2, 2, 2, 2, 3) + R"(base = "e"
[data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 0], [0, 1], [1, 1]]
labels = [[1], [2], [-1]]
)" + claim("theorem-1", "expect = 'verified-as-stated'") +
           claim("proposition-1") +
           claim("claim-1", "subset = [0, 1]\ncoefficients = [['1/4', '3/4'], ['1/2', '1/2']]") +
           claim("claim-2", "subset = [0]\ncoefficients = [['1/4', '3/4']]\nepsilon = '1/10'") +
           claim("finite-lambda", "lambda = '1/2'"),
       json_of(R"json([{"statement": "theorem-1", "steps": [
  {"rule": "subsets", "of": "kruskal(queries)", "k": 2, "p": 1000003, "method": "dual",
   "fact": "kruskal(queries) >= 2"},
  {"rule": "minor", "of": "rank(contexts)", "p": 1000003, "fact": "rank(contexts) >= 2"},
)json" + executed(2, 4) +
               R"json(,
  {"rule": "inverse", "of": "readout", "layer": 2, "cols": [0, 1, 2], "precision": 128,
   "inverse": [["5.108673170575603984036655894561", "2.944719756836951135266651884343",
   "-7.053392927412555119303307778904"],
   ["-1.729442271384167695576028028581", "0.434511142354485153193975981637",
   "2.294931129029682542382052046944"],
   ["-2.311190236987626206405673790888", "-2.311190236987626206405673790888",
   "4.622380473975252412811347581776"]], "weights": [[{"mid": "18.05150561166206137387326744215052344364",
   "rad": "1e-20"}], [{"mid": "-3.155351115704879931570128112249982101901", "rad": "1e-20"}],
   [{"mid": "-11.55595118493813103202836895443949154048", "rad": "1e-20"}]], "fact": "readout >= 1"},
  {"rule": "theorem", "theorem": "all-labels", "uses": [4], "fact": "memorized(any) >= 1"}]},
{"statement": "proposition-1", "steps": [
)json" + executed(0, 4) +
               R"json(]},
{"statement": "claim-1", "steps": [
  {"rule": "minor", "of": "rank(subset-queries)", "p": 7, "rows": [0, 1], "cols": [0, 1],
   "fact": "rank(subset-queries) >= 2"},
  {"rule": "minor", "of": "rank(subset-contexts)", "p": 7, "fact": "rank(subset-contexts) >= 2"},
  {"rule": "inverse", "of": "weights", "right_inverses": [[v(1 0), v(0 1)], [v(1 0), v(0 2 / 2)]],
   "left_inverse": [v(1 0), v(0 1)], "fact": "weights >= 1"}]},
{"statement": "claim-2", "steps": [
  {"rule": "ball", "of": "one_hot", "right_inverses": [[v(1 0), v(0 1)]], "left_inverse": [v(1 0)],
   "u": v(1 0), "v": v(0 1), "lambda": "9", "fact": "one_hot >= 1"}]},
{"statement": "finite-lambda", "steps": [)json" +
               construction(0) + R"json(,
  {"rule": "inverse", "of": "tail_rank", "layer": 0, "lambda": "6", "rows": [0, 1, 2], "cols": [0, 1, 2],
   "inverse": [["5.005301", "2.841347", "-6.846648"], ["-1.841347", "0.322606", "2.518741"],
   ["-2.163953", "-2.163953", "4.327907"]], "scale": ["2", "1", "1"], "fact": "tail_rank >= 3"},
  {"rule": "let", "fact": "let Z(2)", "layer": {"rescaled": {"of": 0, "lambda": "1/2"}}},
  {"rule": "minor", "of": "rank(Z(2))", "p": 1000919, "g": 4, "rows": [2, 0, 1], "cols": [0, 2, 1],
   "fact": "rank(Z(2)) >= 3"},
  {"rule": "theorem", "theorem": "some-weights", "uses": [3], "layer": 2, "fact": "capacity >= 3"},
  {"rule": "minor", "of": "lambda_rank", "layer": 2, "p": 1000919, "g": 4, "rows": [2, 0, 1],
   "cols": [0, 2, 1], "fact": "lambda_rank >= 3"}]}])json")},
      // The same in base 2.
      {"base-2",
       sized_layer(2, 2, 2, 2, 3) + R"(base = "2"
[data]
contexts = [[1, 0], [0, 1]]
queries = [[1, 0], [0, 1], [1, 1]]
labels = [[1], [2], [-1]]
)" + claim("theorem-1") +
           claim("skip-connection"),
       json_of(
           "[{'statement': 'theorem-1', 'steps': [" + executed(0, 2) + ", " +
           base_2_readout("-421/43", "1355/43", "-765/43") +
           ", {'rule': 'theorem', 'theorem': 'all-labels', 'uses': [2], 'fact': 'memorized(any) >= 1'}]}, "
           "{'statement': 'skip-connection', 'steps': [" +
           executed(0, 2) + ", " + base_2_readout("-488/43", "1540/43", "-918/43") +
           ", {'rule': 'theorem', 'theorem': 'all-labels-skip', 'uses': [2], 'fact': 'memorized(skip) >= "
           "1'}]}]")},
  };
}

}  // namespace attest::test
