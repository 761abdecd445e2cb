// The rules ball and inverse: what is rejected, and why.
#include "tests/checker/rejections.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("ball") {
  const std::string hot = "/3/steps/0";
  check_changes({
      {"separated", "/2/steps/0/vertex", "1", "the largest entry of E W' e at the vertex"},
      {"separated", "/2/steps/0/vertex", "2", "an index below 2"},
      {"separated", "/2/steps/0/lambda", "'0'", "a positive number"},
      {"separated", "/2/steps/0/lambda", "'6'", "a distance of at most 1/"},
      {"separated", "/2/steps/0/of", "'weights'", "a quantity of the rule ball"},
      {"theorem", hot + "/lambda", "'4'", "a distance of at most 1/10"},
      {"theorem", hot + "/lambda", "'-5'", "a distance of at most 1/10"},
      {"theorem", hot + "/v", "v(1 0)", "v . e_t = 0 at the member 0"},
      {"theorem", hot + "/u", "v(1 1)", "different entries of (E_t u)(v . e_t)"},
      {"theorem", hot + "/left_inverse/0", "v(2 0)", "L_k . e_t' = [t = t']"},
      {"theorem", hot + "/right_inverses/0/1", "v(0 2)", "E_t R = I at member 0"},
  });
  check_rejected(verdict_with_case("theorem", "epsilon = '1/10'", "epsilon = '1/100'"), "of at most 1/100");
}

TEST_CASE("inverse") {
  const std::string weights = "/2/steps/2", readout = "/0/steps/5", tail = "/4/steps/1";
  check_changes({
      {"theorem", weights + "/of", "'capacity'", "a quantity of the rule inverse"},
      {"theorem", weights + "/left_inverse/0", "v(1 1)", "L_k . e_t' = [t = t']"},
      {"theorem", weights + "/right_inverses/1/0", "v(1 1)", "E_t R = I at member 1"},
      {"theorem", readout + "/cols", "[0, 1]", "3 columns"},
      {"theorem", readout + "/cols", "[0, 1, 3]", "||I - R A|| < 1"},
      {"theorem", readout + "/layer", "1", "a layer that is given or of an earlier let"},
      {"theorem", readout + "/precision", "65537", "at most 65536 bits"},
      {"theorem", readout + "/inverse/0/0", "'0'", "||I - R A|| < 1"},
      {"theorem", readout + "/weights/1/0/mid", "'-3.1553511157'",
       "|R (Y - A mid)| <= (1 - g) rad in column 0"},
      {"theorem", readout + "/weights/1/0/rad", "'1e-60'", "|R (Y - A mid)| <= (1 - g) rad in column 0"},
      {"theorem", readout + "/weights/1/0/rad", "'-1'", "|R (Y - A mid)| <= (1 - g) rad in column 0"},
      {"theorem", readout + "/weights/1/0/more", "1", "only known keys"},
      {"base-2", "/0/steps/3/weights/0/0/mid", "'-421/42'", "|R (Y - A mid)| <= (1 - g) rad in column 0"},
      {"base-2", "/1/steps/3/weights/0/0/mid", "'-421/43'", "|R (Y - A mid)| <= (1 - g) rad in column 0"},
      {"base-2", "/0/steps/3/weights/0/0", "'-421/43'", "an object"},
      {"base-2", "/0/steps/3/precision", "64", "|R (Y - A mid)| <= (1 - g) rad in column 0"},
      {"base-2", "/0/steps/0/layer/heads/0/key/0", "v(1 0 / 2)",
       "|R (Y - A mid)| <= (1 - g) rad in column 0"},
      {"theorem", tail + "/lambda", "'0'", "a positive number"},
      {"theorem", tail + "/lambda", "'1/2'", "|I - R M| w < w for all lambdas >= L"},
      {"theorem", tail + "/scale/0", "'0'", "a positive number"},
      {"theorem", tail + "/rows", "[0, 1]", "2 columns, as many as rows"},
      {"theorem", tail + "/inverse/0/0", "'1'", "|I - R M| w < w for all lambdas >= L"},
      {"theorem", "/4/steps/0/layer/heads/1/separator/u", "v(1 1)",
       "a separator of head 1 that separates all examples but 1"},
  });
  // Every key has its effect, so none can be left out.
  for (const char* key : {"precision", "inverse", "weights"}) {
    CAPTURE(key);
    check_rejected("base-2", key, [&](Json& claims) { claims[0]["steps"][3].erase(key); });
  }
  check_rejected(verdict_with_case("theorem", "head_dim = 2", "head_dim = 1"), "weights of rank at most 1");
  check_added({
      {"theorem", 1, step("inverse", "weights >= 1", "'right_inverses': [], 'left_inverse': []"),
       "a claim with subset"},
      {"opposite", 5,
       step("inverse", "tail_rank >= 0",
            "'layer': 2, 'lambda': '1', 'rows': [], 'cols': [], 'inverse': [], 'scale': []"),
       "a layer that is defined by its heads"},
  });
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
  check_changes({
      // Row 0 twice, and a column of labels that is a multiple of another.
      {"labelled", "/3/steps/0/rows", "[0, 2]", "a minor that is not 0 mod p"},
      {"labelled", "/3/steps/0/cols", "[3, 0]", "expected "},
      {"labelled", "/3/steps/0/cols", "[0, 0]", "expected "},
      // y Z = 0, but the labels differ; and a vector that does not annihilate Z.
      {"labelled", "/0/steps/1/side", "'right'", "expected the side left"},
      {"labelled", "/0/steps/1/vectors", "[[[0, '1'], [1, '-1']]]", "y Z = 0"},
      {"labelled", "/0/steps/1/vectors", "[]", "expected "},
      {"labelled", "/1/steps/0/rows", "[0, 2]", "expected rows that are different mod p"},
      {"labelled", "/1/steps/0/rows", "[0, 3]", "expected "},
      {"labelled", "/1/steps/0/rows", "[0, 0]", "expected "},
      {"labelled", "/1/steps/0/cols", "[2]", "expected "},
      {"labelled", "/1/steps/0/cols", "[]", "expected "},
      {"labelled", "/1/steps/1/side", "'right'", "expected the side left"},
      {"labelled", "/1/steps/1/vectors", "[[[0, '2'], [2, '-1']]]", "a multiple of e_s - e_t"},
      {"labelled", "/1/steps/1/vectors", "[[[0, '1'], [1, '-1']]]", "y Z = 0"},
      {"labelled", "/2/steps/0/count", "3", "expected 3 pairs of head and example"},
      {"labelled", "/2/steps/1/count", "2", "expected 2 pairs of head and example"},
      {"labelled", "/2/steps/0/side", "'left'", "above or below"},
      {"labelled", "/2/steps/0/precision", "65537", "at most 65536 bits"},
  });
  check_changes({
      {"whole", "/0/steps/0/count", "3", "expected 3 examples, found 2"},
      {"whole", "/0/steps/1/count", "2", "expected 2 examples, found 1"},
      {"whole", "/0/steps/0/side", "'right'", "above or below"},
      {"whole", "/0/steps/0/precision", "65537", "at most 65536 bits"},
      {"whole", "/1/steps/0/count", "3", "expected 3 examples, found 2"},
      {"whole", "/1/steps/0/side", "'above'", "expected 2 examples, found 1"},
      {"whole", "/2/steps/0/count", "3", "expected 3 examples, found 2"},
      {"whole", "/2/steps/0/side", "'above'", "expected 2 examples, found 1"},
      {"whole", "/3/steps/0/side", "'below'", "expected 3 examples, found 0"},
  });
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
  check_added({
      {"labelled", 1, step("ball", "saturated >= 0", "'side': 'above', 'count': 0, 'precision': 64"),
       "a claim with threshold"},
      {"whole", 4, step("ball", "accurate >= 0", "'side': 'above', 'count': 0, 'precision': 64"),
       "a claim with whole"},
      {"listed", 1, step("minor", "rank(Z|Y) >= 1", "'p': 1000919, 'g': 4, 'rows': [0], 'cols': [0]"),
       "a claim with labels"},
  });
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
  check_changes({
      {"labelled", "/4/steps/0/side", "'left'", "above or below"},
      {"labelled", "/4/steps/0/bits", "65537", "at most 65536 bits"},
      {"labelled", "/4/steps/0/vectors", "[]", "expected a vector"},
      {"labelled", "/4/steps/0/vectors", "[['3']]", "expected "},
      {"labelled", "/4/steps/0/vectors", "[['3', '1/2']]", "expected "},
      // The square of a theta below 0 would do for everything.
      {"labelled", "/4/steps/1/bits", "0", "bits enough"},
      {"labelled", "/4/steps/1/bits", "2", "bits enough"},
      // A vector that is not stretched, or not shrunk, enough; 0; two where there is one; the same one twice.
      {"labelled", "/4/steps/0/vectors", "[['0', '1']]", "a diagonally dominant matrix"},
      {"labelled", "/4/steps/0/vectors", "[['0', '0']]", "a diagonally dominant matrix"},
      {"labelled", "/4/steps/0/vectors", "[['3', '1'], ['1', '-3']]", "a diagonally dominant matrix"},
      {"labelled", "/4/steps/0/vectors", "[['3', '1'], ['3', '1']]", "a diagonally dominant matrix"},
      {"labelled", "/4/steps/1/vectors", "[['1', '0']]", "a diagonally dominant matrix"},
      {"labelled", "/4/steps/0/side", "'below'", "a diagonally dominant matrix"},
      {"labelled", "/4/steps/0/bits", "0", "a diagonally dominant matrix"},
      {"labelled", "/4/steps/0/fact", "'numerical_rank >= 2'", "the fact numerical_rank >= 1"},
      {"labelled", "/5/steps/0/vectors", "[['1', '0'], ['0', '1']]", "a diagonally dominant matrix"},
      {"projected", "/2/steps/0/vectors", "[['7', '8', '0', '0']]", "expected "},
      {"projected", "/2/steps/0/vectors", "[['8', '-7']]", "a diagonally dominant matrix"},
      {"projected", "/2/steps/1/vectors", "[['7', '8']]", "a diagonally dominant matrix"},
  });
  check_added({{"labelled", 1,
                "{'rule': 'ball', 'of': 'numerical_rank', 'side': 'above', 'bits': 20, 'vectors': [['3', "
                "'1']], 'fact': 'numerical_rank >= 1'}",
                "a claim with tolerance"}});
  // Other weights: the largest singular value is 1 now, or the tolerance is just not exceeded.
  check_rejected(
      verdict_with_case("labelled", "[[2, 0]], [[0, 1]], [[2, 0]]", "[[0, 0]], [[0, 0]], [[0, 0]]"),
      "expected ");
  check_rejected(verdict_with_case("labelled", "tolerance = 1\n", "tolerance = \"1.3274\"\n"),
                 "a diagonally dominant matrix");
  check_rejected(verdict_with_case("labelled", "tolerance = 1\n", "tolerance = \"0.6519\"\n"),
                 "a diagonally dominant matrix");
}
