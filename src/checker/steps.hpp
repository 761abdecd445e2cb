// The steps of one claim, checked in order, and the facts that they prove.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checker/certificate_text.hpp"
#include "checker/check.hpp"
#include "checker/layer.hpp"
#include "checker/readout.hpp"

namespace attest::checker {

/// The construction with another lambda.
struct Rescaled {
  std::string text;  ///< of lambda, as the certificate writes it
  Rational lambda;
  std::optional<std::size_t> minor;  ///< rows of its non-singular minor
};

/// What the steps of a claim have proved so far.
struct Facts {
  std::set<std::string> shown;            ///< arguments of the steps
  std::size_t rank_lower = 0;             ///< of the one layer that the claim examines
  std::optional<std::size_t> rank_upper;  ///< least bound of structure and kernels
  bool rank_examined = false;
  std::optional<std::size_t> hull_bound;  ///< least bound of the affine-hull steps, for all weights
  std::size_t kruskal_lower = 0, kruskal_upper = 0;
  std::map<std::string, std::size_t> ranks;  ///< of the matrices of a lemma
  std::optional<bool> small_perturbation;    ///< the hypothesis of Lemma 5
  std::size_t constructed_rank = 0;          ///< rows of the constructed layer's non-singular minor
  std::vector<Rescaled> sweep;
  std::optional<std::string> unknown_up_to;  ///< the lambda_star of all heads, as stated
};

class ClaimChecker {
public:
  ClaimChecker(const Problem& problem, const Claim& claim, const CheckPolicy& policy);

  /// Throws Failure when the step does not prove what it says. Returns a note on how it was checked.
  std::string check(const Json& step);
  const Facts& facts() const { return facts_; }
  /// The name of a step's argument, for messages.
  static std::string argument_of(const Json& step);

private:
  struct Hull {
    std::size_t dimension;
    bool linear;
  };
  struct Separator {
    Vector u, v;
    Rational lambda;
  };
  struct Constructed {
    std::vector<std::size_t> rows, cols;
    // One for each head:
    std::vector<Block> blocks;
    std::vector<std::vector<std::size_t>> fresh;
    std::vector<std::optional<Separator>> separators;
  };
  using Relation = std::vector<Integer>;

  const Layer& layer(const Json& name);
  void theorem(const char* expected) const;
  std::string solutions_text(const std::string& layer_name, const Character& character, const Json& rows,
                             const Json& cols) const;
  const Vector& kruskal_vector(std::size_t t) const;
  Relation relation(const Json& value, std::size_t size) const;
  std::size_t dependent_subset(Object& step, std::vector<std::size_t>& subset) const;
  std::size_t dependent_context(Object& step) const;
  const Vector& token(const Json& pair, std::shared_ptr<const Context>& keep) const;
  ClaimWeights claim_weights(Object& step) const;
  void readout_columns(const std::vector<std::size_t>& cols) const;
  void bound_rank(const Json& value, std::size_t expected);

  // One function for each argument.
  void character_minor(Object& step);
  void random(Object& step);
  void affine_hull(Object& step);
  void token_minor(Object& step);
  void structure(Object& step);
  void right_kernel(Object& step);
  void left_kernel(Object& step);
  void kruskal_lower(Object& step);
  void kruskal_upper(Object& step);
  void contexts_full_rank(Object& step);
  void context_dependent(Object& step);
  void contexts_differ(Object& step);
  void token_sums_differ(Object& step);
  void too_many_examples(Object& step);
  void subset_too_large(Object& step);
  void subset_dependent(Object& step);
  void subset_context_dependent(Object& step);
  void construction(Object& step);
  void readout_enclosure(Object& step);
  void readout_exact(Object& step);
  void claim_1_weights(Object& step);
  void claim_2_weights(Object& step);
  // In lemmas.cpp:
  void matrix_rank(Object& step);
  void spectral_gap(Object& step);
  void lemma_3_separator(Object& step);
  void lemma_4_lambda(Object& step);
  void equal_entries(Object& step);
  void outputs_full_rank(Object& step);
  // In network.cpp:
  void vandermonde_nodes(Object& step);
  void too_many_positions(Object& step);
  void zero_encoding(Object& step);
  void moment_curve(Object& step);
  void kronecker_labels(Object& step);
  void transcendental_labels(Object& step);
  void network_weights(Object& step);
  void pattern_search(Object& step);
  // In finite_lambda.cpp:
  void finite_lambda_bound(Object& step);
  void rescaled(Object& step);
  void rescaled_minor(Object& step, std::size_t size);

  struct Argument {
    const char* theorem;  ///< nullptr: the theorem of the layer's ring, checked by the function
    void (ClaimChecker::*check)(Object&);
  };
  static const std::map<std::string, Argument> kArguments;

  const Problem& problem_;
  const Claim& claim_;
  const CheckPolicy& policy_;
  Facts facts_;
  std::optional<Hull> hull_;  ///< of the last affine-hull step
  std::optional<Constructed> constructed_;
  std::map<std::string, Layer> layers_;
  std::string definition_;  ///< SHA-256 of the step that defines the layer "random" or "construction"
  std::set<std::string> seen_;
  const Json* step_ = nullptr;
  std::string examined_;  ///< the layer that this claim's steps are about
  std::string note_;
};

}  // namespace attest::checker
