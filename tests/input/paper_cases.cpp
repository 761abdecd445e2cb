// Cases of the lemmas, Propositions 3 and 4 and encodings: their arguments, and the keys that they may leave
// out.
#include <doctest/doctest.h>

#include "tests/input/support.hpp"
#include "tests/support/case_text.hpp"
#include "tests/support/text.hpp"
#include "theory/statements.hpp"

namespace attest {

using namespace test;

namespace {

// H = 1, n = 2, d = 3, T = 3
const std::string kHead = sized_layer(1, 2, 3, 2, 3) + R"([data]
contexts = [[1, 0, 0], [0, 3, "1/2"]]
queries = [[1, 2, 3], [4, 5, 6], [0, 0, 1]]
labels = [[7], [8], [9]]
)";

void refused(const std::string& text, const std::string& pattern, const std::string& kind = "input") {
  const std::string got = outcome([&] { case_of(text); });
  CAPTURE(pattern);
  CAPTURE(got);
  CHECK(got.starts_with(kind + ": "));
  CHECK(matches(got, (pattern.starts_with("line") ? "case.toml: " : "case.toml: line ... ") + pattern));
}

std::string without_layer(const std::string& statement, const std::string& keys) {
  return "format = 1\n" + claim(statement, keys);
}

std::string with_data(const std::string& statement, const std::string& keys = "") {
  return kHead + claim(statement, keys);
}

std::string network(const std::string& layer, const std::string& keys) {
  return "format = 1\n[layer]\n" + layer + claim("proposition-3", keys);
}

const char* const kIdentity = "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]";

}  // namespace

TEST_CASE("matrices of the lemmas, without a layer") {
  const Case c = case_of("format = 1\n" +
                         claim("lemma-1", "a = [[1, 2]]\nb = [[3, 4, 5]]\nc = [[\"1/2\", 0, 0], [0, 1, 0]]") +
                         claim("lemma-2", "vectors = [[1, 2], [3, 4]]\nc = \"-1/2\"") +
                         claim("lemma-5", "a = [[1], [2]]\nb = [[3], [4]]"));
  CHECK_FALSE(c.layer);
  CHECK(c.claims[0].arguments.size() == 3);
  CHECK(c.claims[0].array("c").at(0) == mpq_class(1, 2));
  CHECK(c.claims[0].array("b").shape() == std::vector<std::size_t>{1, 3});
  CHECK(c.claims[1].array("vectors").at(3) == 4);
  CHECK(c.claims[1].number("c") == mpq_class(-1, 2));
  CHECK(c.claims[2].array("b").at(1) == 4);
}

TEST_CASE("refused: matrices") {
  const auto lemma_1 = [](const char* a, const char* b, const char* c, const char* pattern) {
    refused(without_layer("lemma-1", "a = " + std::string(a) + "\nb = " + b + "\nc = " + c), pattern);
  };
  lemma_1("[[1, 2]]", "[[3], [4]]", "[[1]]",
          "line 5, column 5: b has shape (2, 1); it must have 1 rows, like a");
  lemma_1("[[1, 2]]", "[[3, 4]]", "[[1]]",
          "line 5, column 5: b has shape (1, 2); it must have 1 columns, like c");
  lemma_1("[1, 2]", "[[3]]", "[[1]]", "line 4, column 5: a has shape (2,); it must be a matrix");
  lemma_1("[[[1]]]", "[[3]]", "[[1]]", "line 4, column 5: a has shape (1, 1, 1); it must be a matrix");
  lemma_1("[[1], [2, 3]]", "[[3]]", "[[1]]", "line 4, ");
  lemma_1("[[]]", "[[3]]", "[[1]]", "line 4, ");
  lemma_1("1", "[[3]]", "[[1]]", "line 4, column 5: a is the integer 1; it must be an array");
  lemma_1("[[1.5]]", "[[3]]", "[[1]]", "line 4, column 7: a[0, 0]: the bare float 1.5");
  refused(without_layer("lemma-1", "a = [[1]]\nb = [[1]]"), "line 2, column 1: lemma-1 needs the key \"c\"");
  refused(without_layer("lemma-1", "a = [[1]]\nb = [[1]]\nc = [[1]]\nd = 1"),
          "line 7, column 1: unknown key \"d\"");
  refused(without_layer("lemma-2", "vectors = [[1]]\nc = [[1]]"), "line 5, column 5: c is ");
  refused(without_layer("lemma-2", "c = 1"), "line 2, column 1: lemma-2 needs the key \"vectors\"");
  refused(without_layer("lemma-5", "a = [[1, 2]]\nb = [[1, 2], [3, 4]]"),
          "b has shape (2, 2); it must have 1 rows, like a");
  refused(without_layer("lemma-5", "a = [[1, 2]]\nb = [[1]]"),
          "b has shape (1, 1); it must have 2 columns, like a");
  refused(without_layer("lemma-3", ""), "line 2, column 1: lemma-3 needs [layer]");
  refused(without_layer("lemma-4", "example = 0\nw_star = [[1]]\nw_prime = [[1]]\nepsilon = 1"),
          "lemma-4 needs [layer]");
  refused("format = 1\n[data]\nqueries = [[1]]\n" + claim("lemma-5", "a = [[1]]\nb = [[1]]"),
          "line 2, column 1: [data] needs [layer]");
  refused("format = 1\n[weights]\nlogit_scale = 2\n" + claim("lemma-5", "a = [[1]]\nb = [[1]]"),
          "line 2, column 1: [weights] needs [layer]");
}

TEST_CASE("lemma-3 and lemma-4") {
  const Case c = case_of(kHead + claim("lemma-3") + claim("lemma-3", "subset = [1]") +
                         claim("lemma-4", "example = 2\nw_star = " + std::string(kIdentity) +
                                              "\nw_prime = " + kIdentity + "\nepsilon = \"1/3\""));
  CHECK(c.claims[0].subset() == std::vector<std::size_t>{2});
  CHECK(c.claims[1].subset() == std::vector<std::size_t>{1});
  CHECK(c.claims[2].size("example") == 2);
  CHECK(c.claims[2].array("w_star").shape() == std::vector<std::size_t>{3, 3});
  CHECK(c.claims[2].number("epsilon") == mpq_class(1, 3));

  refused(with_data("lemma-3", "subset = [0, 1]"),
          "line 12, column 1: lemma-3 is about a subset of n - 1 examples; here size(subset) = 2, n = 2");
  refused(with_data("lemma-3", "subset = [3]"), "there is no example 3");
  refused(replaced(replaced(with_data("lemma-3"), "context = 2", "context = 5"),
                   "contexts = [[1, 0, 0], [0, 3, \"1/2\"]]",
                   "contexts = [[1, 0, 0], [0, 3, 0], [0, 0, 1], [1, 1, 1], [1, 2, 1]]"),
          "line 12, column 1: lemma-3 is about a subset of n - 1 examples; here size(subset) = 3, n = 5");
  const auto lemma_4 = [](const std::string& example, const std::string& w, const std::string& pattern) {
    refused(with_data("lemma-4", "example = " + example + "\nw_star = " + w + "\nw_prime = " + kIdentity +
                                     "\nepsilon = 1"),
            pattern);
  };
  lemma_4("3", kIdentity, "line 14, column 11: there is no example 3; the examples are 0 to 2");
  lemma_4("-1", kIdentity, "line 14, column 11: there is no example -1");
  lemma_4("\"0\"", kIdentity, "line 14, column 11: example is the string \"0\"; it must be an integer");
  lemma_4("0", "[[1, 0], [0, 1]]",
          "line 15, column 10: w_star has shape (2, 2); it must have 3 rows, like embed_dim");
  lemma_4("0", "[[1], [0], [1]]",
          "line 15, column 10: w_star has shape (3, 1); it must have 3 columns, like embed_dim");
  refused(with_data("lemma-4", "example = 0\nw_star = " + std::string(kIdentity) +
                                   "\nw_prime = " + kIdentity + "\nepsilon = 0"),
          "epsilon is 0; it must be positive");
}

TEST_CASE("mixed data") {
  const Case c = case_of(replaced(with_data("proposition-4"), "labels", "mixed = true\nlabels"));
  // The mean of the tokens is (1/2, 3/2, 1/4).
  const ExactArray &contexts = *c.data.contexts, &queries = *c.data.queries;
  CHECK(contexts.shape() == std::vector<std::size_t>{2, 3});
  CHECK(contexts.at(0) == mpq_class(3, 2));
  CHECK(contexts.at(1) == mpq_class(3, 2));
  CHECK(contexts.at(4) == mpq_class(9, 2));
  CHECK(contexts.at(5) == mpq_class(3, 4));
  CHECK(queries.at(0) == mpq_class(3, 2));
  CHECK(queries.at(5) == mpq_class(25, 4));
  CHECK(queries.at(8) == mpq_class(5, 4));
  CHECK(c.data.labels->at(0) == 7);
  const Case same = case_of(replaced(with_data("proposition-4"), "labels", "mixed = false\nlabels"));
  CHECK(same.data.contexts->at(4) == 3);

  // Each example has its own mean.
  const Case own = case_of(
      replaced(replaced(with_data("proposition-4"), "labels", "mixed = true\nlabels"),
               "contexts = [[1, 0, 0], [0, 3, \"1/2\"]]",
               "contexts = [[[1, 0, 0], [0, 3, 0]], [[2, 0, 0], [4, 0, 0]], [[0, 0, 0], [0, 0, 2]]]"));
  CHECK_FALSE(own.data.shared_context);
  CHECK(own.data.contexts->at(6) == 5);
  CHECK(own.data.contexts->at(17) == 3);
  CHECK(own.data.queries->at(3) == 7);
  CHECK(own.data.queries->at(8) == 2);

  const Case drawn =
      case_of(replaced(with_data("proposition-4"),
                       "contexts = [[1, 0, 0], [0, 3, \"1/2\"]]\nqueries = [[1, 2, 3], [4, 5, "
                       "6], [0, 0, 1]]\nlabels = [[7], [8], [9]]",
                       "generate = { kind = \"integers\", bound = 9, seed = 7 }\nmixed = true"));
  const Case plain = case_of(replaced(with_data("proposition-4"),
                                      "contexts = [[1, 0, 0], [0, 3, \"1/2\"]]\nqueries = [[1, 2, 3], [4, 5, "
                                      "6], [0, 0, 1]]\nlabels = [[7], [8], [9]]",
                                      "generate = { kind = \"integers\", bound = 9, seed = 7 }"));
  CHECK(drawn.data.contexts->at(0) ==
        plain.data.contexts->at(0) + (plain.data.contexts->at(0) + plain.data.contexts->at(3)) / 2);

  refused(replaced(with_data("proposition-4"), "labels", "mixed = 1\nlabels"),
          "line 11, column 9: mixed is the integer 1");
  refused(replaced(with_data("assumption-2"), "queries = [[1, 2, 3], [4, 5, 6], [0, 0, 1]]", "mixed = true"),
          "line 10, column 9: mixed data needs contexts and queries; give both, or generate");
}

TEST_CASE("the skip connection and the value dimension") {
  CHECK(case_of(with_data("skip-connection")).layer->value_dim == 1);
  CHECK(case_of(replaced(with_data("skip-connection"), "heads", "value_dim = 5\nheads")).layer->value_dim ==
        5);
  const Case c = case_of(replaced(replaced(with_data("skip-connection"), "heads", "output_dim = 2\nheads"),
                                  "[[7], [8], [9]]", "[[7, 1], [8, 1], [9, 1]]"));
  CHECK(c.layer->value_dim == 2);
  refused(replaced(with_data("skip-connection"), "labels = [[7], [8], [9]]\n", ""),
          "line 11, column 1: skip-connection needs the labels of [data]");
  refused(replaced(replaced(with_data("skip-connection"), "heads", "output_dim = 4\nheads"),
                   "[[7], [8], [9]]", "[[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4]]"),
          "line 13, column 1: the skip connection adds the first output_dim entries");
  refused(replaced(with_data("skip-connection"), "heads", "value_dim = 0\nheads"), "value_dim is 0");
}

TEST_CASE("proposition-3 has a data set of its own") {
  const Case c = case_of(network("context = 2\nembed_dim = 3\n",
                                 "neurons = 5\noutput_bias = true\nlabels = \"transcendental\"") +
                         claim("proposition-3", "neurons = 9"));
  CHECK(c.layer->heads == 1);
  CHECK(c.layer->head_dim == 3);
  CHECK(c.layer->examples == 5 * (3 + 1) + 2);  // of the first claim
  CHECK(c.claims[0].size("neurons") == 5);
  CHECK(c.claims[0].flag("output_bias"));
  CHECK(c.claims[0].word("labels") == "transcendental");
  CHECK(c.claims[1].word("labels") == "integer");
  CHECK_FALSE(c.claims[1].flag("output_bias"));
  CHECK(c.data.contexts->shape() == std::vector<std::size_t>{2, 3});
  CHECK(c.data.queries->at(2) == 121);  // (1, x, x^2), x = 0 - floor(22 / 2)
  CHECK(case_of(network("context = 1\nembed_dim = 1\nexamples = 2\nheads = 7\n", "neurons = 1"))
            .layer->examples == 2);
  CHECK(case_of(with_data("relu-memorizes", "neurons = 1")).claims[0].size("neurons") == 1);

  const std::string sizes = "context = 2\nembed_dim = 3\n";
  refused(network(sizes, "neurons = 0"), "line 7, column 11: neurons is 0; it must be at least 1");
  refused(network(sizes, "neurons = -1"), "line 7, column 11: neurons is -1");
  refused(network(sizes, "neurons = \"1\""),
          "line 7, column 11: neurons is the string \"1\"; it must be an integer");
  refused(network(sizes, ""), "line 5, column 1: proposition-3 needs the key \"neurons\"");
  refused(network(sizes, "neurons = 1\noutput_bias = 1"), "line 8, column 15: output_bias is the integer 1");
  refused(network(sizes, "neurons = 1\nlabels = \"real\""),
          "line 8, column 10: labels is \"real\"; it must be integer or transcendental");
  refused(network(sizes, "neurons = 1\nlabels = [1]"), "line 8, column 10: labels is ");
  refused(network(sizes, "neurons = 1\nlabels = \"given\""),
          "it must be integer or transcendental; whether a network fits the labels of [data] is the "
          "statement relu-memorizes");
  refused(with_data("relu-memorizes", "neurons = 1\nlabels = \"given\""), "labels");
  refused(replaced(with_data("relu-memorizes", "neurons = 1"), "labels = [[7], [8], [9]]\n", ""),
          "relu-memorizes needs the labels of [data]");
  refused(network("context = 4\nembed_dim = 3\n", "neurons = 1"), "context exceeds embed_dim");
  refused(network(sizes, "neurons = 9000000000000000000"),
          "neurons is 9000000000000000000; the limit is 2^40", "limit");
  refused(network(sizes, "neurons = 1000000000000"),
          "the claim needs 4000000000001 examples; the limit is 2^40", "limit");
  refused(network(sizes, "neurons = 1000000000"), "limit", "limit");
  refused(network("embed_dim = 3\n", "neurons = 1"), "[layer] has no key \"context\"");
  // Beside another statement, or with data, nothing can be left out.
  refused(network(sizes, "neurons = 1") + claim("positional-encoding"), "[layer] has no key \"heads\"");
  refused(replaced(with_data("proposition-3", "neurons = 1"), "examples = 3\n", ""),
          "[layer] has no key \"examples\"");
}

TEST_CASE("positional encodings need only two sizes") {
  const std::string head = "format = 1\n[layer]\ncontext = 4\nembed_dim = 6\n",
                    encoding = claim("positional-encoding");
  const Case c = case_of(head + encoding + encoding);
  CHECK(c.layer->heads == 1);
  CHECK(c.layer->head_dim == 6);
  CHECK(c.layer->examples == 1);
  CHECK(case_of(replaced(head, "context", "examples = 5\ncontext") + encoding).layer->examples == 5);
  refused(head + claim("kruskal-rank"), "[layer] has no key \"heads\"");
  refused(head + encoding + claim("lemma-5", "a = [[1]]\nb = [[1]]"), "[layer] has no key \"heads\"");
  refused(replaced(head, "embed_dim = 6\n", "") + encoding, "[layer] has no key \"embed_dim\"");
  refused("format = 1\n" + encoding, "positional-encoding needs [layer]");
  refused("format = 1\n[layer]\ncontext = 1\nembed_dim = 1\n[[claim]]\nstatement = 1\n",
          "[layer] has no key \"heads\"");
}

}  // namespace attest
