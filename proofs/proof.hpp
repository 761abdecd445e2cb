// What every room of this folder is: a function that proves what it can of one statement, for a case. What
// the facts amount to (verdict and results) is the business of src/theory.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proofs/proof_script.hpp"
#include "search/arithmetic/binomial.hpp"
#include "search/arithmetic/kruskal.hpp"
#include "search/arithmetic/singular_values.hpp"

namespace attest {

// Quantities that several rooms are about.
inline const std::string kRank = "rank(Z(given))", kDifferent = "distinct(Z)";

/// Searches for dependent vectors, which several claims of a case ask for (proofs/kruskal_rank.hpp).
class VectorSearches;

/// How much work is put into a claim. Counts, not times, so that certificates are reproducible.
struct Effort {
  double subsets = kSubsetBudget;      ///< visited to decide a Kruskal rank that is the question itself
  double hypothesis_subsets = 2e7;     ///< visited to decide Assumption 1 as a hypothesis
  std::size_t samples = 0;             ///< subsets that are drawn where such a search does not decide
  std::uint64_t seed = 0;              ///< of the draws
  std::size_t readout_examples = 200;  ///< largest T for which the weights of the read-out are enclosed
  std::size_t patterns = 20000;        ///< linear programs of a search through activation patterns
  double pattern_entries = 1e8;        ///< tableau entries that they update
  /// Of this case only, with this effort; null: every claim searches by itself.
  std::shared_ptr<VectorSearches> searches = nullptr;
  /// Whether steps that mostly hold may be stated without a search: whoever asks lets the checker see to
  /// them, and asks again without guesses when they do not hold.
  bool guess = false;
  /// Gets every step as soon as it is proved; may be empty.
  std::function<void(const Json& step)> told = nullptr;
};

/// What random subsets of the vectors say about the share of those that are dependent: an estimate, which
/// proves nothing about the others.
struct SampledSubsets {
  std::size_t size = 0, samples = 0;  ///< vectors of a subset, and subsets
  std::uint64_t seed = 0;
  std::size_t independent = 0, dependent = 0, open = 0;  ///< of the samples; the first two are proved
  Share dependent_share;                                 ///< at a confidence of 95 %
};

/// The proof of one claim: conclude(claim, script.facts()) says what it proves.
struct ClaimProof {
  ProofScript script;
  std::string reason;    ///< why steps are missing; empty when the claim is decided
  bool limited = false;  ///< steps are missing because a limit was hit
  bool cut_off = false;  ///< a limit of memory or work, which need not have left the claim undecided
  /// Of Z, around the tolerance of numerical-rank: enclosed, but not by steps.
  std::vector<SingularValue> singular_values = {};
  /// Where a search for dependent subsets of vectors reached its budget.
  std::optional<SampledSubsets> sampled = std::nullopt;
};

using Room = void(const Case&, const Claim&, const Effort&, ClaimProof&);
using Prover = Room*;

/// Proves what it can of a claim, by the prover of its statement (proofs/provers.cpp). The proof refers to
/// case and claim, which must outlive it. Precondition: the statement is known (read_case has checked it).
ClaimProof prove(const Case& c, const Claim& claim, const Effort& effort);
/// The same by this prover. Facts that contradict each other, a defect of the prover, are a Contradiction
/// that names the case, the claim and both facts.
ClaimProof prove_by(Prover prover, const Case& c, const Claim& claim, const Effort& effort);

/// Applies a schema to the best facts that the script has about its quantities, when that tightens what is
/// known of the quantity that it bounds. `layer` is "given" or the number of a `let`. Throws
/// std::invalid_argument when a condition of the schema does not hold.
void derive(ProofScript& script, const std::string& theorem, const std::string& layer = "");
/// What is proved of the capacity of a part of a case, which outlives it.
class ProvedPart {
public:
  ProvedPart(const Case& c, const Part& part, const std::function<void(const Case&, ProofScript&)>& prove);

  std::size_t most() const { return inner_.of("capacity").upper.get_ui(); }
  std::size_t least() const { return inner_.of("capacity").lower.get_ui(); }
  /// Of the other examples those that equal none of the part, equal ones once.
  std::size_t others() const { return others_; }
  /// Adds the step that bounds it from above or below: its number.
  ProofScript::Number add(ProofScript& script, bool above) const { return script.part(part_, inner_, above); }

private:
  Part part_;
  std::unique_ptr<Case> case_;
  std::size_t others_;
  ProofScript inner_;
};
/// "the bounds L <= what <= U do not meet" of a quantity.
std::string unmet_bounds(const ProofScript& script, const std::string& quantity, const std::string& what);
/// The upper bound of a quantity that has one, such as a rank.
std::size_t upper_bound_of(const ProofScript& script, const std::string& quantity);

}  // namespace attest
