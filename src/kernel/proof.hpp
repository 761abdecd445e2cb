// Proofs: the only maker of facts. Who searches for a proof builds one, who checks a certificate replays one.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernel/quantities/quantities.hpp"
#include "kernel/rules/step.hpp"

namespace attest::kernel {

/// Numbered steps about one problem, for one claim or none, and the fact that each proves.
class Proof {
public:
  using Number = std::size_t;  ///< of a step, from 0

  /// About the problem alone: there are no arguments. What they refer to outlives it.
  explicit Proof(const Problem& problem);
  /// With the arguments of a claim. `found` is of proofs about the same problem.
  Proof(const Problem& problem, const Claim& claim, Found& found);
  Proof(const Proof&) = delete;
  Proof& operator=(const Proof&) = delete;

  /// Adds steps after their rules have checked them. A Failure, which begins with the step's number, when one
  /// is not well-formed, or does not prove the fact that it states.
  void check_all(const NumberedSteps& steps);

  /// Adds a step that whoever searches has seen to prove the fact, with the keys of its rule: the rule will
  /// check it when the certificate is replayed. Throws std::logic_error when the keys are others.
  Number state(const std::string& rule, const Fact& fact, const Json& keys, const std::string& label = "");
  /// The same of a step of which the rule says what it proves: a `let` or `theorem`. A Failure when the rule
  /// refuses it.
  Number prove(const std::string& rule, const Json& keys, const std::string& label = "");

  const Fact& fact(Number step) const { return proved_.at(step); }
  const std::map<Number, Fact>& proved() const { return proved_; }
  /// All that is known.
  const FactBase& facts() const { return facts_; }
  /// The steps that were not checked but built, as they stand in a certificate.
  const Json& steps() const { return steps_; }

private:
  friend class Step;

  const Layer& layer(const std::string& name);
  const Part& part(const std::string& number) const;
  Fact checked(const NumberedStep& numbered);
  void add(Number number, Fact fact);
  Number add(Json step, const RuleShape& shape, Fact fact, const std::string& label);

  const Problem& problem_;
  const Claim& claim_;
  const std::shared_ptr<Found> own_found_;
  Found& found_;
  std::map<std::string, Layer> layers_;  ///< by the numbers of their steps
  std::map<std::string, Part> parts_;    ///< with all that they have
  std::map<std::pair<std::string, std::size_t>, Sides> sides_;
  std::map<Number, Fact> proved_;  ///< by the numbers of their steps
  Knowledge computed_;
  FactBase facts_;
  Json steps_ = Json::array();
};

/// A proof about a claim of a case, or about the case alone, with the problem that it is about: the claim's
/// own, if it has one (own_problem), which has no weights.
struct CaseProof {
  const std::optional<Case> own;
  const Problem problem;
  Found found;
  Proof proof;

  /// Both outlive it. Without a claim: of the case alone.
  explicit CaseProof(const Case& c, const Claim* claim = nullptr);
};

/// What is known of the quantities of a claim without any step. Refers to case and claim.
Knowledge known_without_steps(const Case& c, const Claim& claim);

/// Puts the place before the message of a Failure or LimitError.
template <class Check>
auto located(const std::string& place, Check check) {
  try {
    return check();
  } catch (const Failure& failure) {
    throw Failure(place + failure.what());
  } catch (const LimitError& limit) {
    throw LimitError(place + limit.what());
  }
}

}  // namespace attest::kernel
