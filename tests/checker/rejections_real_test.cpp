// The rules ball and inverse: what is rejected, and why.
#include "tests/checker/rejections.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("ball") {
  check_rejected(verdict_with_case("theorem", "epsilon = '1/10'", "epsilon = '1/100'"), "of at most 1/100");
}

TEST_CASE("inverse") {
  check_rejected(verdict_with_case("theorem", "head_dim = 2", "head_dim = 1"), "weights of rank at most 1");
}

TEST_CASE("prescribed weights need a small subset") {
  Json claims = sample("theorem").claims;
  for (const std::size_t k : {0, 1, 4}) claims[k]["steps"] = Json::array();
  const std::string toml = replaced(sample("theorem").toml, "head_dim = 2", "head_dim = 1");
  check_rejected(verdict_of(toml, claims), "a subset of at most 1");
}

TEST_CASE("a read-out without labels") {
  check_rejected(verdict_with_case("theorem", "labels = [[1], [2], [-1]]\n", ""), "labels in the case");
}

TEST_CASE("a tail rank needs heads that separate all examples but r - 1, and freeze rows to one token") {
  const auto after = [](const std::string& contexts, const std::function<void(Json & steps)>& change) {
    Json claims = Json::array({sample("theorem").claims[4]});
    change(claims[0]["steps"]);
    return verdict_of(sized_layer(2, 2, 2, 2, 3) + "[data]\ncontexts = " + contexts +
                          "\nqueries = [[1, 0], [0, 1], [1, 1]]\n" + claim("finite-lambda", "lambda = '1/2'"),
                      claims);
  };
  const auto second = [](Json& steps) -> Json& { return steps[0]["layer"]["heads"][1]; };
  const std::string shared = "[[1, 0], [0, 1]]", leaves_all = "all examples but 1, found one that leaves 3";
  CHECK(after(shared, [](Json&) {}).starts_with("valid: verified"));
  check_rejected(after(shared, [&](Json& steps) { second(steps).erase("separator"); }), leaves_all);
  // Folded into fixed weights.
  check_rejected(after(shared,
                       [&](Json& steps) {
                         Json& head = second(steps);
                         head["key"].push_back(head["separator"]["u"]);
                         head["query"].push_back(head["separator"]["v"]);
                         head.erase("separator");
                       }),
                 leaves_all);
  check_rejected(after(shared, [&](Json& steps) { second(steps)["separator"]["u"] = json_of("v(1 1)"); }),
                 leaves_all);
  // r - 1 = 1 example may have equal entries, not two.
  check_rejected(after("[[[1, 0], [0, 1]], [[1, 0], [0, 1]], [[2, 0], [0, 1]]]",
                       [&](Json& steps) {
                         second(steps)["separator"]["u"] = json_of("v(1 1)");
                         second(steps)["separator"]["v"] = json_of("v(2 -1)");
                       }),
                 "all examples but 1, found one that leaves 2");
  // One example may have equal entries, but not as a row that is frozen.
  check_rejected(after("[[[1, 0], [0, 1]], [[2, 0], [0, 1]], [[3, 0], [0, 1]]]",
                       [&](Json& steps) {
                         second(steps)["separator"]["u"] = json_of("v(1 1)");
                         second(steps)["separator"]["v"] = json_of("v(2 -1)");
                       }),
                 "one largest entry of (E_t u)(v . e_t) in head 1");
  check_rejected(after(shared, [](Json& steps) { steps[2]["layer"]["rescaled"]["lambda"] = "1/3"; }),
                 "the claim's lambda in every head");
  check_rejected(after(shared, [](Json& steps) { steps[5]["layer"] = 0; }),
                 "the claim's lambda in every head");
}

TEST_CASE("labels beside Z, different rows, saturated heads") {
  // Every part of the layer counts.
  const std::vector<std::pair<std::string, std::string>> parts = {
      {"value = [[[2]], [[-4]]]", "value = [[[2]], [[4]]]"},
      {"value_bias = [[1], [-2]]", "value_bias = [[1], [0]]"},
      {"output = [[1], [-1]]", "output = [[1], [-2]]"},
      {"output_bias = [-5]", "output_bias = [-3]"},
      {"skip = true", "skip = [[1], [3], [1]]"},
      {"readout = [[1, -1]]", "readout = [[1, 1]]"},
      {"readout_bias = [-1, 3]", "readout_bias = [0, 3]"},
      {"classes = [0, 0, 0]", "classes = [0, 0, 1]"},
      {"base = \"2\"", "base = \"2\"\nlogit_scale = \"-9\""}};
  for (const auto& part : parts) {
    CAPTURE(part.second);
    check_rejected(verdict_with_case("whole", part.first, part.second), "examples, found ");
  }
  check_rejected(verdict_with_case("whole", "epsilon = '6'", "epsilon = '5'"), "examples, found ");
  // Labels that differ where the rows do not.
  check_rejected(verdict_with_case("labelled", "labels = [5, 7, 5]", "labels = [5, 7, 6]"), "y Y = 0");
  check_rejected(verdict_with_case("labelled", "[[2, 0]], [[0, 1]]", "[[1, 0]], [[0, 1]]"), "expected ");
}

TEST_CASE("the largest coefficient against a threshold") {
  struct Layer {
    const char *logits, *base, *scale, *threshold;
    bool above;
  };
  for (const Layer& each : {
           Layer{"5, 1, 1, 1, 1, 1", "2", "1", "15/21", true},  // the coefficient is 16/21
           Layer{"1, 1, 1, 5, 1, 1", "2", "1", "16/21", false},
           Layer{"1, 1, 1, 1, 1, 5", "2", "1", "17/21", false},
           Layer{"-5, -1, -1, -1, -1, -1", "2", "-1", "15/21", true},
           Layer{"-1, -1, -1, -1, -5, -1", "2", "-1", "16/21", false},
           Layer{"0, 0", "e", "1", "1/2", false},
           Layer{"0, 0", "e", "1", "499999/1000000", true},
           Layer{"0, -3, 1", "e", "-1", "0.93", true},  // 0.936...
           Layer{"0, 1, -3", "e", "-1", "0.94", false},
           Layer{"0, 1, 2, 3, 4, 9", "e", "1/sqrt(9)", "0.64", true},  // 0.649...
           Layer{"9, 0, 1, 2, 3, 4", "e", "1/sqrt(9)", "0.65", false},
           Layer{"7", "e", "1", "0.999", true},
           Layer{"7", "e", "1", "1", false},
           Layer{"7, 7", "e", "1", "1e30", false},
           Layer{"7, 7, 7", "e", "1", "1e-30", true},
       }) {
    CAPTURE(std::string(each.logits) + " above " + each.threshold);
    const std::string logits = each.logits;
    const auto tokens = static_cast<std::size_t>(std::ranges::count(logits, ',') + 1);
    std::string contexts;
    for (std::size_t i = 0; i < tokens; ++i) contexts += i == 0 ? "[1]" : ", [1]";
    const std::string toml = sized_layer(1, tokens, 1, 1, 1) + "base = \"" + each.base +
                             "\"\nlogit_scale = \"" + each.scale + "\"\n[data]\ncontexts = [" + contexts +
                             "]\n[weights]\nlogits = [[[" + logits + "]]]\n" +
                             claim("saturation", std::string("threshold = '") + each.threshold + "'");
    const auto found = [&](bool above) {
      const Json ball = json_of(
          step("ball", above ? "saturated >= 1" : "saturated <= 0",
               std::string("'count': 1, 'precision': 96, 'side': '") + (above ? "above'" : "below'")));
      return verdict_of(toml, {{{"statement", "saturation"}, {"steps", {ball}}}});
    };
    // 16/21 is no multiple of 2^-96, and the coefficient is neither of its neighbours.
    const bool tie = each.threshold == std::string("16/21");
    if (!tie) CHECK(found(each.above).rfind("valid", 0) == 0);
    if (tie) check_rejected(found(each.above), "expected 1 pairs of head and example, found 0");
    check_rejected(found(!each.above), "expected 1 pairs of head and example, found 0");
  }
}

TEST_CASE("a coefficient that few bits do not tell from the threshold is on neither side") {
  // 1 / (1 + e^-1.2713) = 0.78096..; 256 times its inverse is 327.79.., and 65536 / 200 = 327.68.
  const std::string toml = sized_layer(1, 2, 1, 1, 1) +
                           "[data]\ncontexts = [[1], [1]]\n[weights]\nlogits = [[[0, '1.2713']]]\n" +
                           claim("saturation", "threshold = '0.7811'");
  for (const auto& [side, fact] :
       {std::pair("above", "saturated >= 1"), std::pair("below", "saturated <= 0")}) {
    const auto with_bits = [&](const std::string& bits) {
      const Json ball =
          json_of(step("ball", fact, "'count': 1, 'precision': " + bits + ", 'side': '" + side + "'"));
      return verdict_of(toml, {{{"statement", "saturation"}, {"steps", {ball}}}});
    };
    check_rejected(with_bits("8"), "expected 1 pairs of head and example, found 0");
    if (side == std::string("below")) CHECK(with_bits("64").starts_with("valid"));
  }
}

TEST_CASE("what claims of saturation have in common is of one head, threshold and precision") {
  struct Counted {
    int head;  ///< -1: all
    const char* threshold;
    int precision, above, below;
  };
  // The largest coefficients are 0.999.., 0.5 and 0.731.., and in the second example 0.999.. and twice
  // 0.731..
  const auto found = [](const std::vector<Counted>& list) {
    std::string toml = sized_layer(3, 2, 1, 1, 2) +
                       "[data]\ncontexts = [[1], [2]]\n[weights]\nlogits = [[[0, 9], [0, 0], [0, 1]], [[9, "
                       "0], [0, 1], [1, 0]]]\n";
    Json claims = Json::array();
    for (const Counted& each : list) {
      toml += claim("saturation", std::string("threshold = '") + each.threshold + "'" +
                                      (each.head < 0 ? "" : "\nhead = " + std::to_string(each.head)));
      const int pairs = each.head < 0 ? 6 : 2;
      const auto step = [&](bool above) {
        return Json{{"rule", "ball"},
                    {"of", "saturated"},
                    {"side", above ? "above" : "below"},
                    {"count", above ? each.above : each.below},
                    {"precision", each.precision},
                    {"fact", above ? "saturated >= " + std::to_string(each.above)
                                   : "saturated <= " + std::to_string(pairs - each.below)}};
      };
      claims.push_back({{"statement", "saturation"}, {"steps", {step(true), step(false)}}});
    }
    return verdict_of(toml, claims);
  };
  // 1 / (1 + e^-1) begins with these digits: 64 bits do not decide, 128 do.
  const char* const near = "0.73105857863000487925115924";
  const std::vector<Counted> all = {{-1, "0.7", 96, 5, 1}, {0, "0.7", 96, 2, 0},  {1, "0.7", 96, 1, 1},
                                    {2, "0.7", 96, 2, 0},  {-1, "0.8", 96, 2, 4}, {0, "0.8", 96, 2, 0},
                                    {-1, near, 64, 2, 1},  {2, near, 64, 0, 0},   {2, near, 128, 2, 0},
                                    {-1, near, 128, 5, 1}, {1, near, 64, 0, 1}};
  CHECK(found(all).rfind("valid", 0) == 0);
  CHECK(found({all.rbegin(), all.rend()}).rfind("valid", 0) == 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    for (const bool above : {true, false}) {
      std::vector<Counted> more = all;
      ++(above ? more[i].above : more[i].below);
      check_rejected(found(more),
                     "claim " + std::to_string(i) + " (saturation): step " + (above ? "0" : "1"));
      check_rejected(found({more.rbegin(), more.rend()}), "pairs of head and example, found");
    }
  }
}

TEST_CASE("singular values above and below a tolerance") {
  // Other weights: the largest singular value is 1 now, or the tolerance is just not exceeded.
  check_rejected(
      verdict_with_case("labelled", "[[2, 0]], [[0, 1]], [[2, 0]]", "[[0, 0]], [[0, 0]], [[0, 0]]"),
      "expected ");
  check_rejected(verdict_with_case("labelled", "tolerance = 1\n", "tolerance = \"1.3274\"\n"),
                 "a diagonally dominant matrix");
  check_rejected(verdict_with_case("labelled", "tolerance = 1\n", "tolerance = \"0.6519\"\n"),
                 "a diagonally dominant matrix");
}
