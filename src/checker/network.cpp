// The steps of Proposition 3 (a ReLU network of m neurons) and of positional encodings.
#include <algorithm>

#include "checker/statements.hpp"

namespace attest::checker {
namespace {

/// k of Proposition 3: the parameters on which the outputs of the network depend linearly, given the pattern.
/// Where all contexts are equal their part of the input only shifts the biases.
Integer pattern_dimension(const Problem& problem, const Claim& claim) {
  const Integer inputs = problem.shared() ? Integer(problem.d) : Integer(problem.n + 1) * problem.d;
  return claim.neurons * (inputs + 1) + (claim.output_bias ? 1 : 0);
}

/// Calls `visit` with every vector of the inputs, equal contexts once.
template <class Visit>
bool all_inputs(const Problem& problem, Visit visit) {
  for (std::size_t t = 0; t < problem.T; ++t) {
    if (!visit(problem.query(t))) return false;
    if (t > 0 && problem.shared()) continue;
    for (const Vector& token : *problem.context(t)) {
      if (!visit(token)) return false;
    }
  }
  return true;
}

bool integer_inputs(const Problem& problem) {
  return all_inputs(problem, [](const Vector& v) { return v.den == 1; });
}

/// k of a step, which is that of the case and smaller than the number of examples.
std::size_t checked_dimension(Object& step, const Problem& problem, const Claim& claim) {
  const Integer k = pattern_dimension(problem, claim);
  ensure(word(step["k"]) == k, "k = " + k.str(), step["k"].dump());
  ensure(problem.T > k, "more than " + k.str() + " examples", std::to_string(problem.T));
  return static_cast<std::size_t>(k);
}

void ensure_labels(const Claim& claim, Claim::Labels labels) {
  ensure(claim.labels == labels, "the labels that the claim names", "others");
}

}  // namespace

void ClaimChecker::vandermonde_nodes(Object&) {
  ensure(problem_.n <= problem_.d && problem_.d >= 2, "n <= d and d >= 2", "other sizes");
}

void ClaimChecker::too_many_positions(Object&) {
  ensure(problem_.n > problem_.d, "n > d", "no more positions than dimensions");
}

void ClaimChecker::zero_encoding(Object&) {
  ensure(problem_.n == 1 && problem_.d == 1, "n = d = 1", "other sizes");
}

void ClaimChecker::moment_curve(Object& step) {
  std::set<Integer> points;
  const Json& list = array(step["points"], problem_.T);
  for (std::size_t t = 0; t < problem_.T; ++t) {
    const Integer x = integer(list[t]);
    ensure(points.insert(x).second, "points that differ", "the same again at example " + std::to_string(t));
    const Vector& query = problem_.query(t);
    Integer power = 1;
    for (std::size_t j = 0; j < problem_.d; ++j, power *= x) {
      ensure(query[j] == power, "queries (1, x, x^2, ...)", "another one at example " + std::to_string(t));
    }
  }
  facts_.kruskal_lower = std::max(facts_.kruskal_lower, std::min(problem_.T, problem_.d));
}

void ClaimChecker::kronecker_labels(Object& step) {
  ensure_labels(claim_, Claim::Labels::integer);
  const std::size_t k = checked_dimension(step, problem_, claim_);
  const Integer entry = integer(step["entry_bound"]), minor = integer(step["minor_bound"]);
  ensure(entry >= 1, "entry_bound >= 1", text(entry));
  ensure(minor >= 1, "minor_bound >= 1", text(minor));
  ensure(all_inputs(problem_,
                    [&](const Vector& v) {
                      return v.den == 1 && std::all_of(v.num.begin(), v.num.end(),
                                                       [&](const Integer& x) { return abs(x) <= entry; });
                    }),
         "inputs that are integers of absolute value at most entry_bound", "another one");
  if ((msb(entry) + 1 + 64) * k > policy_.max_minor_bits)
    throw LimitError("the minors of " + std::to_string(k) + " columns are too large");
  const auto exponent = static_cast<unsigned>(k);
  ensure(minor * minor >= pow(Integer(k), exponent) * pow(entry, 2 * exponent),
         "minor_bound^2 >= k^k entry_bound^(2k)", "a smaller minor_bound");
  ensure(integer(step["base"]) >= 2 * minor + 2, "base >= 2 minor_bound + 2", "a smaller base");
}

void ClaimChecker::transcendental_labels(Object& step) {
  ensure_labels(claim_, Claim::Labels::transcendental);
  checked_dimension(step, problem_, claim_);
  std::set<Word> primes;
  for (const Json& entry : array(step["primes"], problem_.T)) {
    const Word p = word(entry);
    ensure(is_prime(p), "a prime", std::to_string(p));
    ensure(primes.insert(p).second, "primes that differ", std::to_string(p) + " again");
  }
}

Json number(const Integer& value) {
  if (value >> 63 != 0) throw LimitError("a count of 2^63 or more: " + text(Rational(value)));
  return static_cast<Word>(value);
}

void conclude_network(const Problem& problem, const Claim& claim, const Facts& facts, Findings& findings) {
  const Integer k = pattern_dimension(problem, claim);
  const bool integers = claim.labels == Claim::Labels::integer;
  findings.hypotheses["examples"] = problem.T > k ? "holds" : "fails";
  findings.hypotheses["integer-inputs"] = !integers || integer_inputs(problem) ? "holds" : "fails";
  // Each of these steps belongs to one kind of labels, which it checks.
  findings.proved =
      facts.shown.count("kronecker-labels") != 0 || facts.shown.count("transcendental-labels") != 0;
  const Integer network =
      claim.neurons * (Integer(problem.n + 1) * problem.d + 2) + (claim.output_bias ? 1 : 0);
  findings.result["parameters"] = {{"network", number(network)}, {"examples_needed", number(k + 1)}};
}

}  // namespace attest::checker
