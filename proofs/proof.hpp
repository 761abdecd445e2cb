// What every room of this folder is: a function that decides one statement of the paper for a case, with proof.
#pragma once

#include <string>
#include <vector>

#include "attention/affine_hull.hpp"
#include "certificate/certificate.hpp"
#include "exact/kruskal.hpp"
#include "input/case_file.hpp"

namespace attest {

/// How much work is put into a claim. Counts, not times, so that certificates are reproducible.
struct Effort {
  double subsets = kSubsetBudget;         ///< visited to decide a Kruskal rank that is the question itself
  double hypothesis_subsets = 2e7;        ///< visited to decide Assumption 1 as a hypothesis
  std::size_t readout_examples = 200;     ///< largest T for which the weights of the read-out are enclosed
  std::size_t solutions_from = 513;       ///< minors of at least this size carry solutions for cheap checking
};

using Prover = ClaimProof (*)(const Case&, const Claim&, const Effort&);

/// A statement as `attest statements` lists it.
struct Statement {
  const char* name;
  const char* says;
  const char* hypotheses;
  const char* executed;
  Prover prove;
};

/// All statements, in the paper's order.
const std::vector<Statement>& statements();
/// Decides a claim. Precondition: the statement is known (read_case has checked it).
ClaimProof prove(const Case& c, const Claim& claim, const Effort& effort);

/// lower <= quantity <= upper.
struct Interval {
  std::size_t lower = 0, upper = 0;
};
Json to_json(const Interval& interval);
/// The verdict on `value`, `at_least`, `at_most`, or (with none of them) on the question for the number.
Verdict judge(const Interval& interval, const Claim& claim);

/// `bounds` of a claim about Z: the paper's lower bound and min(T, Hd, hull_bound).
Json bounds(const Case& c, std::size_t hull_bound);
std::size_t affine_hull_bound(const Case& c, std::size_t hull_bound);
Json affine_hull_step(const AffineHull& hull, std::size_t heads);

}  // namespace attest
