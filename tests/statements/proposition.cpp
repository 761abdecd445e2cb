#include "theory/proposition.hpp"

#include <doctest/doctest.h>

#include <map>
#include <stdexcept>

using namespace attest;

namespace {

Bounds exactly(long x) {
  return {x, mpz_class(x)};
}

const Knowledge kKnown = [](const std::string& name) -> Bounds {
  static const std::map<std::string, Bounds> known = {{"T", exactly(10)},
                                                      {"H", exactly(3)},
                                                      {"r", exactly(2)},
                                                      {"capacity", {4, mpz_class(6)}},
                                                      {"rank(Z(any))", {0, mpz_class(5)}}};
  const auto found = known.find(name);
  if (found == known.end()) throw std::logic_error("unknown " + name);
  return found->second;
};

void check_bounds(const std::string& expression, long lower, long upper) {
  const Bounds found = evaluate(expression, kKnown);
  CAPTURE(expression);
  CHECK(found.lower == lower);
  CHECK(found.upper == upper);
}

}  // namespace

TEST_CASE("expressions: precedence, floor division, enclosures of intervals") {
  check_bounds("H*(r-1)+1", 4, 4);
  check_bounds("min(T, H*(r-1)+1)", 4, 4);
  check_bounds("1+2*3-4", 3, 3);
  check_bounds("T/H", 3, 3);
  check_bounds("(1-T)/H", -3, -3);
  check_bounds("capacity*H", 12, 18);
  check_bounds("T-capacity", 4, 6);
  check_bounds("max(0, min(capacity, rank(Z(any))))", 0, 5);
  check_bounds("H*(rank(Z(any))-1)+1", -2, 13);
  check_bounds("min(capacity, 5)", 4, 5);
  check_bounds("max(capacity, 5)", 5, 6);
  check_bounds("(capacity-5)*(rank(Z(any))-2)", -3, 3);
  check_bounds("T/(capacity-2)", 2, 5);
}

TEST_CASE("propositions are decided for all values that the bounds allow") {
  CHECK(decide("capacity >= 4", kKnown) == Truth::yes);
  CHECK(decide("capacity >= 5", kKnown) == Truth::open);
  CHECK(decide("capacity >= 7", kKnown) == Truth::no);
  CHECK(decide("capacity <= 6", kKnown) == Truth::yes);
  CHECK(decide("capacity <= 3", kKnown) == Truth::no);
  CHECK(decide("capacity <= 5", kKnown) == Truth::open);
  CHECK(decide("capacity = 5", kKnown) == Truth::open);
  CHECK(decide("capacity = 7", kKnown) == Truth::no);
  CHECK(decide("T = 10", kKnown) == Truth::yes);
  CHECK(decide("decided(T)", kKnown) == Truth::yes);
  CHECK(decide("decided(capacity)", kKnown) == Truth::open);
}

TEST_CASE("conjunctions: one that fails decides, one that is open leaves open") {
  CHECK(decide("T = 10 and H = 3", kKnown) == Truth::yes);
  CHECK(decide("T = 10 and capacity >= 5", kKnown) == Truth::open);
  CHECK(decide("capacity >= 5 and T = 11", kKnown) == Truth::no);
}

TEST_CASE("what is not a proposition is a fault of the table") {
  for (const char* const text :
       {"", "T", "T >", "T >= ", "T >= (H", "T >= min(H", "T >= 1 or H >= 1", "T >= 1)", "T >= rank(Z(any)",
        "T ! 1", "T >= 1/0", "T >= H/(capacity-4)", "T >= unknown"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(decide(text, kKnown), std::logic_error);
  }
  CHECK_THROWS_AS(evaluate("T H", kKnown), std::logic_error);
}

TEST_CASE("the quantities of a text") {
  CHECK(quantities_in("rank(Z(any)) <= min(T, H*(r-1)+1, H*rank(tokens))") ==
        std::vector<std::string>{"rank(Z(any))", "T", "H", "r", "rank(tokens)"});
}
