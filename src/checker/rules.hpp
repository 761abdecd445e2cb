// The steps of one claim, checked in order, and the facts that they prove.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checker/certificate.hpp"
#include "checker/layer.hpp"
#include "checker/quantities.hpp"
#include "checker/real.hpp"
#include "statements/statements.hpp"

namespace attest::checker {

/// The entries of a vector that are not 0, by their positions.
using RingVector = std::vector<std::pair<std::size_t, PowerSums::Scalar>>;

class ClaimChecker {
public:
  /// Both arguments outlive the checker.
  ClaimChecker(const Problem& problem, const Claim& claim);
  ClaimChecker(const ClaimChecker&) = delete;
  ClaimChecker& operator=(const ClaimChecker&) = delete;

  /// Throws Failure when the step does not prove its fact.
  const Fact& check(const Json& step);
  const FactBase& facts() const { return facts_; }

private:
  // The rules, and those that differ by the quantity that is bounded: each reads its keys and returns the
  // fact that they prove.
  Fact let(Object& step);
  Fact minor(Object& step);
  Fact zero(Object& step);
  Fact subsets(Object& step);
  Fact separator(Object& step);
  Fact network(Object& step);
  Fact perturbation(Object& step);
  Fact vertex_limit(Object& step);
  Fact one_hot(Object& step);
  Fact weights(Object& step);
  Fact readout(Object& step);
  Fact tail_rank(Object& step);
  Fact split(Object& step);
  Fact theorem(Object& step);

  Fact saturated(Object& step);
  Fact numerical_rank(Object& step);
  Fact accurate(Object& step);
  Fact counted(Object& step, std::size_t all, const std::string& what,
               const std::function<std::size_t(bool above, std::size_t precision)>& found);
  Fact minor_of_layer(Object& step, const std::string& of, const Layer& layer);
  Fact zero_of_layer(Object& step, const std::string& of, const Layer& layer, bool right);
  std::vector<RingVector> zero_of_rows(Object& step, const Rows& rows, bool right) const;
  void zero_of_all_weights(const std::vector<RingVector>& kernel) const;

  const Layer& layer(const std::string& name);
  const Layer& built_layer(const Json& number);
  /// The vectors V of kruskal(V).
  Rows kruskal_vectors(const std::string& name) const;
  /// The fact of an earlier step.
  const Fact& used(const Json& number) const;

  const Problem& problem_;
  const Claim& claim_;
  std::map<std::string, Layer> layers_;  ///< by name
  std::vector<Fact> proved_;
  std::optional<std::pair<Word, EnclosedZ>> enclosed_;  ///< the last one, and its bits
  Knowledge computed_;
  FactBase facts_;
};

}  // namespace attest::checker
