// What is true of a case, found by brute force: high precision instead of characters and identities, all
// subsets instead of duality, random weights instead of proofs about all weights. Shares no algorithm with
// the checker or the prover; only the reader of cases and numerals.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "problem/case.hpp"

namespace attest::test {

using Json = nlohmann::json;

enum class Answer { yes, no, unknown };

struct Oracle;

class Truths {
public:
  /// `source` has one claim and outlives this.
  explicit Truths(const Case& source);
  ~Truths();

  /// Whether the fact that step k states is true. A fact that something exists (a separator, weights, a
  /// read-out, a tail) is judged by what the step gives: `no` when that is not one. Precondition: the steps
  /// have the shape that docs/certificate.md demands.
  Answer judge(const Json& steps, std::size_t k);

private:
  std::unique_ptr<Oracle> oracle_;
};

}  // namespace attest::test
