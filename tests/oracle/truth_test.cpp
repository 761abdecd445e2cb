// The oracle says no to false facts of every kind, and yes to true ones.
#include "tests/oracle/truth.hpp"

#include <doctest/doctest.h>

#include "tests/checker/samples.hpp"
#include "tests/oracle/network.hpp"

using namespace attest;
using namespace attest::test;

namespace {

/// A claim of a sample and its steps.
struct Page {
  Case source;
  Json steps;
  Page(const std::string& name, std::size_t claim) : source(case_of(sample(name).toml)) {
    source.claims = {source.claims[claim]};
    steps = sample(name).claims[claim]["steps"];
  }
  /// Of a fact that the case decides.
  Answer of(const std::string& fact) const {
    Json with = steps;
    with.push_back({{"rule", "minor"}, {"fact", fact}});
    return Truths(source).judge(with, with.size() - 1);
  }
  /// Of step k with a change.
  Answer after(std::size_t k, const std::string& pointer, const Json& value) const {
    Json changed = steps;
    changed[k][Json::json_pointer(pointer)] = value;
    return Truths(source).judge(changed, k);
  }
  Answer unchanged(std::size_t k) const { return Truths(source).judge(steps, k); }
};

/// A quantity that is this number: bounds beyond it are false.
void check_number(const Page& page, const std::string& quantity, long number) {
  CAPTURE(quantity);
  const auto text = [](long x) { return std::to_string(x); };
  CHECK(page.of(quantity + " >= " + text(number)) == Answer::yes);
  CHECK(page.of(quantity + " <= " + text(number)) == Answer::yes);
  CHECK(page.of(quantity + " >= " + text(number + 1)) == Answer::no);
  if (number > 0) CHECK(page.of(quantity + " <= " + text(number - 1)) == Answer::no);
}

}  // namespace

TEST_CASE("which examples: greedy choices with their circuits are true, others are not") {
  const Page equal("which", 0), valued("which", 1);
  CHECK(equal.unchanged(6) == Answer::yes);
  CHECK(valued.unchanged(5) == Answer::yes);
  CHECK(equal.of("which(1,2;0:1;3:1,2;4:) >= 1") == Answer::no);
  CHECK(valued.of("which(0,2;1:0;3:0,2;4:) >= 1") == Answer::no);
  for (const char* const text :
       {"0,2;1:;3:0,2;4:", "0,2;1:0;3:0;4:", "0,2;1:0;3:0,2;4:2", "0,2", "0;1:0;2:;3:0;4:"})
    CHECK(equal.of(std::string("which(") + text + ") >= 1") == Answer::no);
  check_number(Page("which", 2), "capacity", 2);
}

TEST_CASE("numbers that are too large or too small are false") {
  const Page opposite("opposite", 0), dependent("dependent", 5), other("dependent", 6), moment("moment", 0);
  check_number(opposite, "rank(Z(given))", 3);
  check_number(opposite, "rank(Z(any))", 4);
  check_number(opposite, "capacity", 3);
  check_number(opposite, "rank(queries)", 2);
  check_number(opposite, "rank(tokens)", 2);
  check_number(opposite, "rank(affine-tokens)", 2);
  check_number(opposite, "rank(differences)", 1);
  check_number(Page("translates", 0), "rank(differences)", 1);
  for (const char* const quantity : {"rank(Z(given))", "rank(Z(any))", "capacity", "distinct(Z)"})
    check_number(Page("doubled", 0), quantity, 2);
  check_number(Page("kept", 0), "rank(Z(given))", 1);
  check_number(Page("kept", 1), "distinct(Z)", 3);
  check_number(Page("kept", 2), "saturated", 6);
  check_number(Page("kept", 3), "numerical_rank", 1);
  check_number(Page("translates", 0), "rank(Z(any))", 4);
  check_number(Page("opposite", 5), "rank(Z(2))", 3);
  check_number(Page("equal", 0), "rank(Z(given))", 2);
  check_number(Page("scalar", 0), "rank(Z(given))", 1);
  check_number(Page("irrational", 0), "rank(Z(given))", 1);
  check_number(Page("theorem", 0), "rank(Z(2))", 3);
  check_number(Page("theorem", 4), "rank(Z(2))", 3);
  check_number(Page("jacobian", 0), "rank(J(given))", 5);
  check_number(Page("jacobian", 0), "functional_dimension", 5);
  check_number(Page("jacobian", 0), "largest_rank", 3);
  check_number(Page("jacobian", 1), "rank(J(8))", 5);
  check_number(Page("jacobian", 2), "rank(exponents)", 2);
  CHECK(Page("jacobian", 2).unchanged(5) == Answer::yes);
  check_number(moment, "kruskal(queries)", 3);
  check_number(moment, "rank(contexts)", 2);
  check_number(dependent, "kruskal(queries)", 1);
  check_number(dependent, "rank(contexts)", 1);
  check_number(dependent, "rank(subset-queries)", 1);
  check_number(dependent, "rank(subset-contexts)", 1);
  check_number(other, "rank(subset-queries)", 2);
  check_number(Page("degenerate", 0), "kruskal(queries)", 0);
  check_number(Page("degenerate", 0), "kruskal(mixed-queries)", 1);
  check_number(Page("separated", 4), "rank(mixed-contexts)", 2);
  check_number(Page("lemmas", 0), "rank(a)", 1);
  check_number(Page("lemmas", 0), "rank(b)", 2);
  check_number(Page("lemmas", 0), "rank(c)", 1);
  check_number(Page("lemmas", 0), "rank(block)", 3);
  check_number(Page("lemmas", 1), "rank(vectors)", 2);
  check_number(Page("lemmas", 1), "rank(shifted)", 2);
  check_number(Page("lemmas", 2), "rank(shifted)", 1);
  check_number(Page("lemmas", 4), "perturbation", 1);
  check_number(Page("lemmas", 5), "perturbation", 0);  // equality is not less
  check_number(Page("encoding", 0), "rank(encoding)", 2);
  check_number(Page("network", 0), "network(integer)", 0);
  check_number(Page("network", 1), "network(transcendental)", 0);
}

TEST_CASE("what a step gives is tried") {
  const Page theorem("theorem", 0), base_2("base-2", 0), skip("base-2", 1);
  CHECK(theorem.unchanged(5) == Answer::yes);
  CHECK(theorem.after(5, "/weights/0/0/mid", "18.0515") == Answer::no);
  CHECK(theorem.after(5, "/cols", {0, 1, 3}) == Answer::no);
  CHECK(base_2.unchanged(3) == Answer::yes);
  CHECK(base_2.after(3, "/weights/0/0/mid", "-420/43") == Answer::no);
  CHECK(skip.unchanged(3) == Answer::yes);
  CHECK(skip.after(3, "/weights", base_2.steps[3]["weights"]) == Answer::no);

  const Page claim_1("theorem", 2), claim_2("theorem", 3), tail("theorem", 4);
  CHECK(claim_1.unchanged(2) == Answer::yes);
  CHECK(claim_1.after(2, "/left_inverse/0/num/1", "1") == Answer::no);
  CHECK(claim_1.after(2, "/right_inverses/1/0/num/0", "2") == Answer::no);
  CHECK(claim_2.unchanged(0) == Answer::yes);
  CHECK(claim_2.after(0, "/lambda", "1") == Answer::no);
  CHECK(claim_2.after(0, "/v/num/0", "1") == Answer::no);
  CHECK(tail.unchanged(1) == Answer::yes);
  CHECK(tail.after(1, "/cols", {0, 1, 1}) == Answer::no);

  const Page lemma_3("separated", 0), lemma_4("separated", 2);
  CHECK(lemma_3.unchanged(0) == Answer::yes);
  CHECK(lemma_3.after(0, "/v/num/1", "1") == Answer::no);
  CHECK(lemma_3.after(0, "/u/num/1", "1") == Answer::no);
  CHECK(lemma_4.unchanged(0) == Answer::yes);
  CHECK(lemma_4.after(0, "/lambda", "6") == Answer::no);
  CHECK(lemma_4.after(0, "/vertex", 1) == Answer::no);
}

TEST_CASE("largest coefficients are counted") {
  check_number(Page("labelled", 2), "saturated", 2);
}

TEST_CASE("singular values are counted") {
  check_number(Page("labelled", 4), "numerical_rank", 1);
  check_number(Page("labelled", 5), "numerical_rank", 2);
  check_number(Page("projected", 2), "numerical_rank", 1);
}

TEST_CASE("examples that a whole layer gets right are counted") {
  check_number(Page("whole", 0), "accurate", 2);
  check_number(Page("whole", 1), "accurate", 1);
  check_number(Page("whole", 2), "accurate", 1);
  check_number(Page("whole", 3), "accurate", 3);
}

TEST_CASE("networks are found by their patterns") {
  const Page one("given", 0), two("given", 1), biased("given", 2);
  CHECK(one.unchanged(0) == Answer::yes);
  CHECK(two.unchanged(0) == Answer::yes);
  CHECK(two.after(0, "/neurons/0/b", "1") == Answer::no);
  CHECK(two.of("network(given) <= 0") == Answer::no);
  CHECK(biased.of("network(given) <= 0") == Answer::no);
  CHECK(biased.after(0, "/output_bias", "2") == Answer::no);

  // The values 0, 1, 0, -1 at 0, 1, 2, 3: up, then down, twice bent.
  const std::vector<std::vector<mpq_class>> x = {{0}, {1}, {2}, {3}};
  CHECK(network_fits(x, {0, 1, 0, -1}, 2, false) == true);
  CHECK(network_fits(x, {0, 1, 0, 1}, 2, false) == false);
  CHECK(network_fits(x, {0, 1, 0, 1}, 3, false) == true);
  CHECK(network_fits(x, {5, 5, 5, 5}, 1, false) == true);
  CHECK(network_fits(x, {5, 4, 5, 5}, 1, true) == false);
  CHECK(network_fits(x, {5, 5, 5, 7}, 1, true) == true);
}
