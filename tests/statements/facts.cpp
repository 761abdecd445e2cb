#include "theory/facts.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace attest;

namespace {

const Knowledge kSizes = [](const std::string& name) -> Bounds {
  if (name == "T") return {10, mpz_class(10)};
  if (name == "H") return {2, mpz_class(2)};
  if (name == "d") return {4, mpz_class(4)};
  if (name == "distinct(tokens)") return {3, mpz_class(3)};
  throw std::logic_error("unknown " + name);
};

}  // namespace

TEST_CASE("facts have texts") {
  CHECK(Fact::at_least("rank(Z(given))", 3).text() == "rank(Z(given)) >= 3");
  CHECK(Fact::at_most("capacity", 65).text() == "capacity <= 65");
  CHECK(Fact{Fact::Kind::layer, "Z(2)", 0}.text() == "let Z(2)");
}

TEST_CASE("a form of quantities: a star stands for anything") {
  CHECK(match("rank(Z(3))", "rank(Z(*))") == "3");
  CHECK(match("rank(Z(any))", "rank(*)") == "Z(any)");
  CHECK(match("capacity", "capacity") == "");
  CHECK(match("rank(contexts)", "rank(*contexts)") == "");
  CHECK_FALSE(match("ab", "ab*b"));
  for (const char* other : {"rank(Z(3)", "rank(Z(", "rank(Z)", "rank(Z(3))x", "kruskal(Z(3))", ""})
    CHECK_FALSE(match(other, "rank(Z(*))"));
  CHECK_FALSE(match("capacity2", "capacity"));
}

TEST_CASE("a fact base starts from bounds that need no proof, and only narrows") {
  FactBase facts(kSizes);
  CHECK(facts.of("capacity").lower == 0);
  CHECK(facts.of("capacity").upper == 8);
  CHECK(facts.of("kruskal(queries)").upper == 4);
  CHECK(facts.of("rank(affine-tokens)").upper == 3);
  CHECK(facts.of("network(given)").upper == 1);
  facts.add(Fact::at_least("capacity", 3));
  facts.add(Fact::at_least("capacity", 2));
  CHECK(facts.of("capacity").lower == 3);
  facts.add(Fact::at_most("capacity", 9));
  CHECK(facts.of("capacity").upper == 8);
  facts.add(Fact::at_most("capacity", 3));
  CHECK(facts.of("capacity").decided());
  facts.add(Fact{Fact::Kind::layer, "Z(0)", 0});
  CHECK(facts.proved().size() == 1);
  CHECK(facts.proved().count("capacity") == 1);
}

TEST_CASE("contradictions and quantities that no fact bounds are refused") {
  FactBase facts(kSizes);
  facts.add(Fact::at_least("capacity", 3));
  CHECK_THROWS_WITH_AS(facts.add(Fact::at_most("capacity", 2)),
                       "the facts capacity >= 3 and capacity <= 2 contradict each other", Contradiction);
  CHECK_THROWS_AS(FactBase(kSizes).add(Fact::at_least("kruskal(queries)", 5)), Contradiction);
  CHECK_THROWS_AS(FactBase(kSizes).add(Fact::at_least("T", 3)), std::logic_error);
  CHECK_THROWS_AS(FactBase(kSizes).add(Fact::at_most("distinct(tokens)", 1)), std::logic_error);
  CHECK_THROWS_AS(FactBase(kSizes).add(Fact::at_most("rank(q)", 1)), std::logic_error);
}
