// What a part of the problem is.
#include <doctest/doctest.h>

#include "tests/checker/samples.hpp"
#include "theory/part.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("the data of a part") {
  const Case whole = case_of(sample("parts").toml);
  const Case part = part_of(whole, {5, std::vector<std::size_t>{1, 2}});
  CHECK(part.layer->heads == 5);
  CHECK(part.layer->examples == 2);
  CHECK(part.data.contexts->shape() == std::vector<std::size_t>{2, 1, 1});
  CHECK(part.data.contexts->at(0) == 2);
  CHECK(part.data.contexts->at(1) == 1);
  CHECK(part.data.queries->shape() == std::vector<std::size_t>{2, 1});
  CHECK(part_of(whole, {2, std::nullopt}).data.contexts->size() == 3);
}
