// Cases for the tests of the proofs: drafted in memory, written as TOML, read back by the program.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "problem/case.hpp"
#include "proofs/proof.hpp"
#include "search/arithmetic/balls.hpp"
#include "search/arithmetic/group_ring.hpp"
#include "tests/support.hpp"
#include "tests/support/case_text.hpp"

namespace attest::test {

using Numbers = std::vector<mpq_class>;

/// What a case file says. Arrays are row-major; empty ones are left out.
struct Draft {
  std::size_t heads = 1, context = 1, embed_dim = 1, head_dim = 1, examples = 1, output_dim = 1;
  std::size_t value_dim = 0;  ///< 0: left out
  Base base = Base::e;
  std::string logit_scale;
  bool shared = true;
  bool mixed = false;
  std::string layer_lines, weight_lines;  ///< further ones of [layer] and [weights]
  std::string generate;                   ///< instead of the arrays of [data]
  std::string generate_weights;           ///< instead of the arrays of [weights]
  Numbers contexts, queries, labels;
  Numbers key, query, combined, key_bias, query_bias;
  std::vector<std::string> claims;

  std::string toml() const;
  /// The same without key and query.
  Draft without_weights() const;
};

Numbers integers(Random& random, std::size_t count, long bound);
Numbers rationals(Random& random, std::size_t count, long bound, long denominator);

/// Nothing but sizes.
Draft sized_draft(std::size_t heads, std::size_t context, std::size_t embed_dim, std::size_t head_dim,
                  std::size_t examples);

/// Data and key/query weights of small integers.
Draft random_draft(Random& random, std::size_t heads, std::size_t context, std::size_t embed_dim,
                   std::size_t head_dim, std::size_t examples, bool shared, long bound);

/// Writes the case into a temporary folder and reads it.
Case read(const std::string& toml);
inline Case read(const Draft& draft) {
  return read(draft.toml());
}

/// `name = [[...], ...]`: an array of this shape, row-major.
std::string lines(const std::string& name, const Numbers& numbers, const std::vector<std::size_t>& shape);
/// The same of a matrix.
std::string lines(const std::string& name, const RationalMatrix& matrix);
/// `name = [...]`.
std::string lines(const std::string& name, const std::vector<std::size_t>& list);

/// The proof of a claim as tests look at it: steps that they may tamper with, and what the prover's facts
/// amount to.
struct Proof {
  Json steps;
  std::string reason;
  bool limited = false;
  Finding finding;
  std::map<std::string, Bounds> facts;  ///< of every quantity that a step is about, and some more

  Verdict verdict() const { return finding.verdict; }
  Truth conclusion() const { return finding.conclusion; }
  /// A doctest failure when the statement has no such hypothesis.
  Truth hypothesis(const std::string& name) const;
  /// What the facts say of a quantity; a doctest failure when none is about it.
  Bounds of(const std::string& quantity) const;
  /// Whether the quantity is bounded by facts to this number.
  bool is(const std::string& quantity, std::size_t number) const;
};

/// Proves all claims and has the checker validate the certificate and come to the same finding (a doctest
/// failure if it does not).
std::vector<Proof> certified(const Case& c, const Effort& effort = {});
/// A case and the proof of its first claim.
struct Proved {
  Case c;
  Proof proof;
};
Proved proved(const Draft& draft);
/// The proof of the only claim, which is inapplicable because this hypothesis fails (else a doctest failure).
Proof inapplicable(const Draft& draft, const std::string& hypothesis);
/// Why the checker rejects a certificate with these proofs, which a test has tampered with; or nothing.
std::string rejection(const Case& c, const std::vector<Proof>& proofs);
inline bool accepted(const Case& c, const std::vector<Proof>& proofs) {
  return rejection(c, proofs).empty();
}

/// The first step of this rule about this quantity ("" for any; of a theorem: its name); a doctest failure
/// when there is none.
Json& step(Proof& proof, const std::string& rule, const std::string& of = "");
const Json& step(const Proof& proof, const std::string& rule, const std::string& of = "");
bool has_step(const Proof& proof, const std::string& rule, const std::string& of = "");
/// Whether a certificate with the only proof of a case is accepted after a change of this step.
template <class Change>
bool accepted_after(const Case& c, Proof proof, const std::string& rule, const std::string& of,
                    Change change) {
  change(step(proof, rule, of));
  return accepted(c, {proof});
}
/// The vector that a certificate writes as {den, num}.
Numbers vector_of(const Json& json);

/// E W e for a single query e.
Numbers image(const RationalMatrix& tokens, const RationalMatrix& w, const RationalMatrix& query);
/// The tokens of an example (n x d) and all queries (T x d).
RationalMatrix tokens_of(const Case& c, std::size_t t);
RationalMatrix queries_of(const Case& c);

/// Logits by the definition, [t][h][i], for dense matrices W_h (d x d), without any factor.
using Logits = std::vector<std::vector<Numbers>>;
Logits textbook_logits(const Case& c, const std::vector<RationalMatrix>& w);

}  // namespace attest::test
