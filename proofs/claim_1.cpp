// Claim 1 (fit r examples in one head). For r examples with linearly independent queries and contexts of rank n, and any positive convex
// combinations phi_t, some W of rank at most r has softmax(E_t W e_t) = phi_t exactly on all of them.
//
// Proof, as in Appendix B.1: a_t = R_t log(phi_t) with a right inverse R_t of E_t solves E_t a_t = log(phi_t); W = sum_t a_t L_t with a left
// inverse L of the queries has W e_t = a_t. The inverses are rational, the logarithms stay symbols, so everything is exact.
#include "proofs/claim_1.hpp"

#include "proofs/propositions.hpp"

namespace attest {

const std::optional<std::vector<RationalVector>>& ContextInverses::of(std::size_t t) {
  const std::size_t key = case_->data.shared_context ? 0 : t;
  auto it = inverses_.find(key);
  if (it == inverses_.end()) it = inverses_.emplace(key, right_inverse(context_matrix(*case_, t))).first;
  return it->second;
}

std::optional<RationalVector> ContextInverses::preimage(std::size_t t, std::size_t i, const mpz_class& value) {
  if (!case_->data.shared_context) {  // one right-hand side is much cheaper than an inverse
    std::vector<mpq_class> unit(case_->layer->context);
    unit[i] = value;
    return solve_full_row_rank(context_matrix(*case_, t), unit);
  }
  const auto& inverse = of(t);
  if (!inverse) return std::nullopt;
  RationalVector a = (*inverse)[i];
  for (mpz_class& x : a.num) x *= value;
  return a;
}

std::optional<std::vector<RationalVector>> left_inverse_of_queries(const Case& c, const std::vector<std::size_t>& examples) {
  if (examples.empty()) return std::vector<RationalVector>();
  return right_inverse(query_rows(c, examples));
}

Json to_json(const Claim1Weights& weights, const char* argument) {
  Json step = {{"argument", std::string(argument) + "-weights"}, {"theorem", argument}};
  step["right_inverses"] = Json::array();
  for (const auto& r : weights.right) {
    Json columns = Json::array();
    for (const RationalVector& column : r) columns.push_back(to_json(column));
    step["right_inverses"].push_back(std::move(columns));
  }
  step["left_inverse"] = Json::array();
  for (const RationalVector& row : weights.left) step["left_inverse"].push_back(to_json(row));
  return step;
}

ClaimProof prove_claim_1(const Case& c, const Claim& claim, const Effort&) {
  ClaimProof proof;
  const std::vector<std::size_t>& subset = *claim.subset;
  const bool size_fits = subset.size() <= head_rank(*c.layer);
  if (!size_fits) proof.steps.push_back({{"argument", "subset-too-large"}, {"theorem", "arithmetic"}});

  const auto dependency = row_relation(query_rows(c, subset));
  if (dependency) {
    std::vector<std::size_t> examples;
    for (std::size_t k : dependency->rows) examples.push_back(subset[k]);
    proof.steps.push_back({{"argument", "subset-dependent"},
                           {"theorem", "dependent-subset"},
                           {"subset", to_json(examples)},
                           {"relation", to_json(dependency->relation)}});
  }
  Claim1Weights weights;
  ContextInverses inverses(c);
  bool contexts_fit = true;
  for (std::size_t t : subset) {
    const auto& inverse = inverses.of(t);
    if (inverse) {
      weights.right.push_back(*inverse);
      continue;
    }
    contexts_fit = false;
    std::vector<mpz_class> relation(c.layer->context);
    const auto circuit = row_relation(context_matrix(c, t));
    for (std::size_t i = 0; i < circuit->rows.size(); ++i) relation[circuit->rows[i]] = circuit->relation[i];
    proof.steps.push_back(
        {{"argument", "subset-context-dependent"}, {"theorem", "dependent-rows"}, {"example", t}, {"relation", to_json(relation)}});
    break;
  }
  const bool proved = size_fits && !dependency && contexts_fit;
  if (proved) {
    weights.left = *left_inverse_of_queries(c, subset);
    proof.steps.push_back(to_json(weights, "claim-1"));
  }
  auto status = [&](bool fails) { return fails ? "fails" : proved ? "holds" : "undecided"; };
  proof.result["hypotheses"] = {{"subset-size", size_fits ? "holds" : "fails"},
                                {"subset-queries", status(dependency.has_value())},
                                {"subset-contexts", status(!contexts_fit)}};
  proof.result["conclusion"] = proved ? "proved" : "open";
  proof.verdict = proved ? Verdict::verified : Verdict::inapplicable;
  return proof;
}

}  // namespace attest
