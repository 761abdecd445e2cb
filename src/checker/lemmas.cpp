// The steps of the lemmas and of Proposition 4, and what follows from them.
#include <algorithm>

#include "checker/spectrum.hpp"
#include "checker/statements.hpp"

namespace attest::checker {
namespace {

/// The zero vector apart from `v`, which starts at `first`.
Vector padded(const Vector& v, std::size_t first, std::size_t size) {
  std::vector<Integer> entries(size);
  std::copy(v.num.begin(), v.num.end(), entries.begin() + static_cast<std::ptrdiff_t>(first));
  return Vector(std::move(entries), v.den);
}

/// The rows of one of the matrices that a lemma is about.
std::vector<Vector> lemma_matrix(const Claim& claim, const std::string& name) {
  const auto given = [&](const char* key) { return rows_of(claim.matrices.at(key)); };
  if (claim.statement == "lemma-1" && name == "block") {  // [a b; 0 c]
    std::vector<Vector> result;
    const std::vector<Vector> a = given("a"), b = given("b"), c = given("c");
    const std::size_t width = a.front().size() + b.front().size();
    for (std::size_t i = 0; i < a.size(); ++i) {
      const Vector left = padded(a[i], 0, width), right = padded(b[i], a[i].size(), width);
      result.push_back(combination({1, 1}, {&left, &right}));
    }
    for (const Vector& row : c) result.push_back(padded(row, a.front().size(), width));
    return result;
  }
  if (claim.statement == "lemma-2" && name == "shifted") {
    const std::vector<Vector> vectors = given("vectors");
    std::vector<const Vector*> all;
    for (const Vector& v : vectors) all.push_back(&v);
    const Vector shift = combination(std::vector<Rational>(all.size(), to_rational(*claim.shift)), all);
    std::vector<Vector> result;
    for (const Vector& v : vectors) result.push_back(combination({1, 1}, {&v, &shift}));
    return result;
  }
  const bool known = claim.statement == "lemma-1"   ? name == "a" || name == "c"
                     : claim.statement == "lemma-2" ? name == "vectors"
                                                    : name == "a" || name == "b";
  ensure(known, "a matrix of " + claim.statement, name.substr(0, 40));
  return given(name.c_str());
}

bool all_different(std::vector<Rational> values) {
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) == values.end();
}

}  // namespace

void ClaimChecker::matrix_rank(Object& step) {
  const std::string& name = string(step["matrix"]);
  const std::vector<Vector> matrix = lemma_matrix(claim_, name);
  const std::size_t width = matrix.front().size();
  const Word p = prime(step["p"]);
  const std::vector<std::size_t> rows = distinct_indices(step["rows"], matrix.size());
  const std::vector<std::size_t> cols = distinct_indices(step["cols"], width);
  ensure(rows.size() == cols.size(), "as many columns as rows",
         std::to_string(rows.size()) + " and " + std::to_string(cols.size()));
  Matrix images, minor, kernel;
  for (const Vector& row : matrix) images.push_back(residues(row, p));
  for (std::size_t i : rows) {
    minor.emplace_back();
    for (std::size_t j : cols) minor.back().push_back(images[i][j]);
  }
  ensure(rows_independent(minor, p), "a minor that is not 0 mod p", "a singular one");
  for (const Json& entry : array(step["kernel"], width - rows.size())) {
    const Vector x(relation(entry, width), 1);
    for (const Vector& row : matrix) ensure(dot(row, x) == 0, "A x = 0", "another vector");
    kernel.push_back(residues(x, p));
  }
  ensure(rows_independent(kernel, p), "kernel vectors that are independent mod p", "dependent ones");
  ensure(facts_.ranks.emplace(name, rows.size()).second, "one rank of the matrix " + name, "a second one");
}

void ClaimChecker::spectral_gap(Object& step) {
  const Rational mu = rational(step["mu"]);
  const std::string& side = string(step["side"]);
  ensure(mu > 0, "a positive mu", text(mu));
  ensure(side == "holds" || side == "fails", "the side holds or fails", side.substr(0, 40));
  ensure(!facts_.small_perturbation, "one step spectral-gap", "a second one");
  const auto rank = facts_.ranks.find("a");
  ensure(rank != facts_.ranks.end(), "the rank of a before this step", "none");
  const std::vector<Vector> a = lemma_matrix(claim_, "a"), b = lemma_matrix(claim_, "b");
  if (std::min(a.size(), a.front().size()) > policy_.spectral_limit) {
    throw LimitError("eigenvalues of a matrix of more than " + std::to_string(policy_.spectral_limit) +
                     " rows; --spectral-limit raises it");
  }
  std::vector<Vector> difference;
  for (std::size_t i = 0; i < a.size(); ++i) difference.push_back(combination({1, -1}, {&a[i], &b[i]}));
  const EigenvalueCount moved = count_eigenvalues(gram(difference), mu);
  const std::size_t kept = count_eigenvalues(gram(a), mu).above;
  facts_.small_perturbation = side == "holds";
  if (*facts_.small_perturbation) {
    ensure(moved.above + moved.equal == 0, "eigenvalues of S below mu",
           std::to_string(moved.above + moved.equal) + " others");
    ensure(kept == rank->second, std::to_string(rank->second) + " eigenvalues of G above mu",
           std::to_string(kept));
  } else {
    ensure(moved.above + moved.equal > 0, "an eigenvalue of S that is at least mu", "none");
    ensure(kept < rank->second, "fewer than " + std::to_string(rank->second) + " eigenvalues of G above mu",
           std::to_string(kept));
  }
}

void ClaimChecker::lemma_3_separator(Object& step) {
  const Vector u = vector(step["u"], problem_.d), v = vector(step["v"], problem_.d);
  ensure(!is_zero(u) && !is_zero(v), "u and v other than 0", "0");
  const std::set<std::size_t> subset(claim_.subset->begin(), claim_.subset->end());
  for (std::size_t t = 0; t < problem_.T; ++t) {
    const Rational factor = dot(v, problem_.query(t));
    if (subset.count(t) != 0) {
      ensure(factor == 0, "v . e_t = 0 at the member " + std::to_string(t), text(factor));
      continue;
    }
    std::vector<Rational> entries;
    for (const Vector& token : *problem_.context(t)) entries.push_back(dot(token, u) * factor);
    ensure(all_different(entries), "different entries of E_t u v . e_t",
           "equal ones at example " + std::to_string(t));
  }
}

void ClaimChecker::lemma_4_lambda(Object& step) {
  const std::vector<Rational> x = products(problem_, claim_.matrices.at("w_prime"), *claim_.example);
  const std::vector<Rational> y = products(problem_, claim_.matrices.at("w_star"), *claim_.example);
  const std::size_t vertex = index(step["vertex"], problem_.n);
  const Rational lambda = rational(step["lambda"]);
  ensure(lambda > 0, "a positive lambda", text(lambda));
  std::vector<Rational> exponents;
  for (std::size_t i = 0; i < problem_.n; ++i) {
    if (i == vertex) continue;
    ensure(x[vertex] > x[i], "the largest entry of E W' e at the vertex",
           "none smaller at " + std::to_string(i));
    exponents.push_back(y[i] - y[vertex] - lambda * (x[vertex] - x[i]));
  }
  check_exponential_sum(exponents, problem_.source.layer->base == Base::two, to_rational(*claim_.epsilon),
                        policy_);
}

void ClaimChecker::equal_entries(Object& step) {
  const std::vector<Rational> x = products(problem_, claim_.matrices.at("w_prime"), *claim_.example);
  const std::vector<std::size_t> entries = distinct_indices(step["entries"], problem_.n);
  ensure(entries.size() == 2, "two entries", std::to_string(entries.size()));
  ensure(x[entries[0]] == x[entries[1]], "equal entries of E W' e", "different ones");
}

void ClaimChecker::outputs_full_rank(Object& step) {
  const Word p = prime(step["p"]);
  for (std::size_t t = 0; t < (problem_.shared() ? 1 : problem_.T); ++t) {
    const auto tokens = problem_.context(t);
    const Vector shift = mean(*tokens);
    Matrix rows;
    for (const Vector& token : *tokens) rows.push_back(residues(combination({1, 1}, {&token, &shift}), p));
    ensure(rows_independent(rows, p), "outputs of rank n mod p",
           "a smaller rank at example " + std::to_string(t));
  }
}

void conclude_lemma(const Problem& problem, const Claim& claim, const Facts& facts, Findings& findings) {
  const auto shown = [&](const char* argument) { return facts.shown.count(argument) != 0; };
  const auto rank = [&](const char* name) -> std::optional<std::size_t> {
    const auto found = facts.ranks.find(name);
    if (found == facts.ranks.end()) return std::nullopt;
    return found->second;
  };
  if (claim.statement == "lemma-2") {
    const std::size_t full = claim.matrices.at("vectors").shape()[0];
    const auto vectors = rank("vectors"), shifted = rank("shifted");
    findings.hypotheses["independent"] = !vectors ? "undecided" : *vectors == full ? "holds" : "fails";
    findings.proved = shifted == full;
    findings.refuted = vectors == full && shifted && *shifted < full;
  } else if (claim.statement == "lemma-3") {
    findings.proved = shown("lemma-3-separator");
  } else if (claim.statement == "lemma-4") {
    const bool different = all_different(products(problem, claim.matrices.at("w_prime"), *claim.example));
    findings.hypotheses["distinct-entries"] = decided(facts, different, "equal-entries");
    findings.proved = shown("lemma-4-lambda");
  } else if (claim.statement == "lemma-5") {
    const auto a = rank("a"), b = rank("b");
    const bool holds = facts.small_perturbation.value_or(false) || a == std::size_t{0};
    findings.hypotheses["perturbation"] = holds ? "holds" : facts.small_perturbation ? "fails" : "undecided";
    findings.proved = a && b && *b >= *a;
  } else if (claim.statement == "proposition-4") {
    findings.proved = facts.kruskal_lower >= std::min(problem.n, problem.T) && shown("outputs-full-rank");
  }
}

}  // namespace attest::checker
