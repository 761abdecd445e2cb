// Proofs: the only maker of facts. Who checks a certificate replays one; who searches for a proof builds one
// (proofs/proof_script.hpp).
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

/// Of no statement, and without arguments: for proofs about the problem alone.
const Claim& no_claim();

/// Numbered steps about one problem, for one claim or none, and the fact that each proves.
class Proof {
public:
  using Number = std::size_t;  ///< of a step, from 0

  /// With the arguments of a claim; what they refer to outlives it. `found` is of proofs about the same
  /// problem.
  explicit Proof(const Problem& problem, const Claim& claim = no_claim(),
                 std::shared_ptr<Found> found = std::make_shared<Found>());
  Proof(const Proof&) = delete;
  Proof& operator=(const Proof&) = delete;

  /// Adds steps after their rules have checked them. A Failure, which begins with the step's number, when one
  /// is not well-formed, or does not prove the fact that it states.
  void check_all(const NumberedSteps& steps);

  const Fact& fact(Number step) const { return proved_.at(step); }
  const std::map<Number, Fact>& proved() const { return proved_; }
  /// All that is known.
  const FactBase& facts() const { return facts_; }

protected:
  /// What a step proves by the rule of this shape, whose keys it has.
  static Fact by_rule(const RuleShape& shape, const Step& step);
  /// For whoever searches: a fact that was not checked, but will be, when the certificate is replayed.
  void add(Number number, Fact fact);
  void define(Number number, Part part) { parts_.emplace(count(number), std::move(part)); }

  const Problem& problem_;

private:
  friend class Step;

  const Layer& layer(const std::string& name);
  const Part& part(const std::string& number) const;
  Fact checked(const NumberedStep& numbered);

  const Claim& claim_;
  const std::shared_ptr<Found> found_;
  std::map<std::string, Layer> layers_;  ///< by the numbers of their steps
  std::map<std::string, Part> parts_;    ///< with all that they have
  std::map<std::pair<std::string, std::size_t>, Sides> sides_;
  std::map<Number, Fact> proved_;  ///< by the numbers of their steps
  Knowledge computed_;
  FactBase facts_;
};

/// A proof about a claim of a case, or about the case alone, with the problem that it is about: the claim's
/// own, if it has one (own_problem), which has no weights.
template <class AnyProof>
struct ProofAbout {
  const std::optional<Case> own;
  const Problem problem;
  AnyProof proof;

  /// Both outlive it. Without a claim: of the case alone.
  explicit ProofAbout(const Case& c, const Claim* claim = nullptr)
      : own(claim != nullptr ? own_problem(c, *claim) : std::nullopt),
        problem(own ? *own : c),
        proof(problem, claim != nullptr ? *claim : no_claim()) {}
};
using CaseProof = ProofAbout<Proof>;

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
