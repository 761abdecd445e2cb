// What a rule sees of a step.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "kernel/arithmetic/spectrum.hpp"
#include "kernel/certificate.hpp"
#include "kernel/layers/layer.hpp"
#include "kernel/quantities/saturation.hpp"
#include "theory/part.hpp"
#include "theory/statements.hpp"

namespace attest::kernel {

/// What steps about one problem have in common: kept by the first that needs it.
struct Found {
  std::optional<Layer> given;
  /// By head, threshold and bits: halves the time of a question, which asks for all heads and for each.
  std::map<std::tuple<std::size_t, Rational, std::size_t>, Sides> saturated;
  struct LastZ {
    std::size_t bits;
    IntegerMatrix z;  ///< at most `radius` from 2^bits Z in every entry
    Integer radius;
  };
  std::optional<LastZ> enclosed;
  /// Of steps that are about the problem alone, by their numbers.
  std::map<std::size_t, Fact> facts;
};

class Proof;

/// A step that has the keys of its rule's shape and no others.
class Step {
public:
  const Json& keys;
  const std::string of;  ///< the quantity that it bounds; empty for rules that name none
  const Problem& problem;
  const Claim& claim;  ///< without arguments when the step is about the problem alone

  Step(Proof& proof, std::size_t number, const Json& value, std::string quantity);

  const Json& operator[](const char* key) const { return keys.at(key); }
  bool has(const char* key) const { return keys.contains(key); }

  // What earlier steps of the proof say. A Failure when there is no such step.
  const Fact& used(const Json& number) const;
  /// "given", or the number of a `let`.
  const Layer& layer(const std::string& name) const;
  const Part& part(const std::string& number) const;
  const Knowledge& computed;  ///< sizes, arguments and quantities that are computed

  /// Its own number, by which later steps call what it defines.
  const std::string number;
  void define(Layer layer) const;
  void define(Part part) const;

  Found& found;
  std::map<std::pair<std::string, std::size_t>, Sides>& sides;  ///< of a quantity, with so many bits

private:
  Proof& proof_;
};

}  // namespace attest::kernel
