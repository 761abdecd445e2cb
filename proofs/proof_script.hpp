// How provers build proofs: steps, and what their numbers are in a certificate.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "kernel/proof.hpp"
#include "problem/numbers.hpp"
#include "search/arithmetic/ball_text.hpp"
#include "search/arithmetic/rational.hpp"
#include "theory/part.hpp"
#include "theory/statements.hpp"

namespace nlohmann {

/// Exact numbers are strings.
template <>
struct adl_serializer<mpq_class> {
  template <class Json>
  static void to_json(Json& json, const mpq_class& number) {
    json = attest::number_text(number);
  }
};
template <>
struct adl_serializer<mpz_class> {
  template <class Json>
  static void to_json(Json& json, const mpz_class& number) {
    json = number.get_str();
  }
};

}  // namespace nlohmann

namespace attest::kernel {

void to_json(nlohmann::ordered_json& json, const Vector& vector);

}  // namespace attest::kernel

namespace attest {

using Json = nlohmann::ordered_json;

void to_json(Json& json, const BallText& ball);

/// One head of a layer that a proof defines: W_h = sum_k key_k query_k^T + lambda u v^T.
struct LetHead {
  std::vector<RationalVector> key, query;
  struct Separator {
    RationalVector u, v;
    mpq_class lambda;
  };
  std::optional<Separator> separator;
  std::optional<mpq_class> sink = {};  ///< exactly when the layer has sinks
};
void to_json(Json& json, const LetHead& head);

/// A non-singular minor modulo p; g is 0 for matrices over Q.
struct MinorWitness {
  std::uint64_t p = 0, g = 0;
  std::vector<std::size_t> rows, cols;
};

/// A group-ring element: (coefficient, exponent) terms. A rational is one term of exponent 0.
using RingTerms = std::vector<std::pair<mpq_class, mpq_class>>;
/// (index, value), indices increasing.
using SparseRational = std::vector<std::pair<std::size_t, mpq_class>>;
using SparseRing = std::vector<std::pair<std::size_t, RingTerms>>;

/// A proof whose steps are not checked but built, as they stand in a certificate.
class BuiltProof : public kernel::Proof {
public:
  using Proof::Proof;

  /// Adds a step that whoever searches has seen to prove the fact, with the keys of its rule. Throws
  /// std::logic_error when the keys are others.
  Number state(const std::string& rule, const Fact& fact, const Json& keys, const std::string& label);
  /// The same of a step of which the rule says what it proves: a `let` or `theorem`. A Failure when the rule
  /// refuses it.
  Number prove(const std::string& rule, const Json& keys, const std::string& label);
  const Json& steps() const { return steps_; }

private:
  Number write(Json keys, const RuleShape& shape, Fact fact, const std::string& label);

  Json steps_ = Json::array();
};

class ProofScript {
public:
  using Number = BuiltProof::Number;
  /// About a claim of the case; both outlive it.
  ProofScript(const Case& c, const Claim& claim);
  /// About the case alone.
  explicit ProofScript(const Case& c);

  /// `told` gets every step as soon as it is added: what is proved outlives a process that is ended.
  void tell(std::function<void(const Json& step)> told) { told_ = std::move(told); }

  /// As in Effort.
  void guess(bool may) { guesses_ = may; }
  bool guesses() const { return guesses_; }

  /// The next step gets this label.
  ProofScript& label(std::string text);

  /// A step by this rule that proves the fact, as BuiltProof::state.
  Number add(const std::string& rule, const Fact& fact, const Json& keys);

  /// A layer Z(k), k the number of the step: {"heads": std::vector<LetHead>}, ...
  Number let(const Json& layer);

  /// rank(M) >= minor.rows.size().
  Number minor(const std::string& of, const MinorWitness& minor);
  /// Every member of a family has `rows` rows, independent mod p: rank(family) >= rows.
  Number independent_rows(const std::string& of, std::size_t rows, std::uint64_t p);

  enum class Side { left, right };
  /// `vectors`: of SparseRational or SparseRing. of = rank(M): <= size - vectors, `size` the columns (right)
  /// or rows (left) of M. capacity: <= T - vectors. kruskal(V): one vector. p: 0 for none. `more`: more keys.
  Number zero(const std::string& of, Side side, const Json& vectors, std::size_t size, std::uint64_t p,
              const Json& more = Json::object());

  /// `number` of `all` objects are shown to be above or right, or else below or wrong.
  Number counted(const std::string& of, bool above, std::size_t number, std::size_t all,
                 std::size_t precision);

  /// A part of the problem: its capacity is bounded, from above or below, by what `inner` knows of it.
  Number part(const Part& part, const ProofScript& inner, bool above);

  /// Applies a schema, or throws Failure when it does not apply. `parts`: the numbers of their steps.
  Number theorem(const std::string& name, const std::vector<Number>& uses, const std::string& layer = "",
                 const std::vector<Number>& parts = {});

  /// Every fact so far; verdicts are `conclude(claim, script.facts())`.
  const FactBase& facts() const { return about_->proof.facts(); }
  Bounds of(const std::string& quantity) const { return facts().of(quantity); }
  /// The quantity of a layer: "rank(Z(3))".
  static std::string rank_of(Number layer) { return "rank(Z(" + std::to_string(layer) + "))"; }
  const Fact& fact(Number step) const { return about_->proof.fact(step); }
  const Json& steps() const { return about_->proof.steps(); }
  const kernel::Problem& problem() const { return about_->problem; }
  /// Whether the claim bounds a number from one side and that is shown, so that the other side is of no
  /// use.
  bool settled() const;

private:
  Number added(Number step) const;

  const Claim* claim_ = nullptr;
  std::function<void(const Json& step)> told_;
  std::unique_ptr<kernel::ProofAbout<BuiltProof>> about_;
  std::string label_;
  bool guesses_ = false;
};

}  // namespace attest
