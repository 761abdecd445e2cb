// Propositions about quantities: comparisons such as `capacity >= min(T, H*(r-1)+1)`, evaluated with what is
// known of the quantities.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/integers.hpp"

namespace attest {

/// lower <= quantity <= upper.
struct Bounds {
  mpz_class lower, upper;

  bool decided() const { return lower == upper; }
};

/// What is known of a quantity, by its name (docs/certificate.md, Quantities). Throws std::logic_error for a
/// name that it does not know.
using Knowledge = std::function<Bounds(const std::string& quantity)>;

/// Of two propositions joined by `and`, the smaller one.
enum class Truth { no, open, yes };

/// Evaluates an expression: integers, names of quantities, + - * / (floor, by a positive number), min, max.
/// The result encloses every value that the bounds allow.
Bounds evaluate(const std::string& expression, const Knowledge& knowledge);

/// Decides `A >= B`, `A <= B`, `A = B` (or several joined by `and`) for expressions A and B: yes when it
/// holds, no when it fails, for all values that the bounds allow. `decided(A)` is yes when the bounds of A
/// meet, and never no.
Truth decide(const std::string& proposition, const Knowledge& knowledge);

/// The names of the quantities that occur, each once, in order.
std::vector<std::string> quantities_in(const std::string& text);

}  // namespace attest
