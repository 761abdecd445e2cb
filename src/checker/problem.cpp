#include "checker/problem.hpp"

#include <algorithm>
#include <numeric>

#include "checker/failure.hpp"
#include "input/digest.hpp"
#include "input/errors.hpp"
#include "input/meter.hpp"

namespace attest::checker {
namespace {

bool equal_entries(const ExactArray& array, std::size_t first, std::size_t second, std::size_t length) {
  meter().work(1 + length / 4);
  return std::visit(
      [&](const auto& values) {
        const auto from = values.begin() + static_cast<std::ptrdiff_t>(first);
        return std::equal(from, from + static_cast<std::ptrdiff_t>(length),
                          values.begin() + static_cast<std::ptrdiff_t>(second));
      },
      array.storage());
}

Vector padded(const Vector& v, std::size_t first, std::size_t size) {
  std::vector<Integer> entries(size);
  std::copy(v.num.begin(), v.num.end(), entries.begin() + static_cast<std::ptrdiff_t>(first));
  return Vector(std::move(entries), v.den);
}

std::vector<Vector> vectors_of(const Rows& rows) {
  std::vector<Vector> result;
  for (std::size_t i = 0; i < rows.size(); ++i) result.push_back(rows.exact(i));
  return result;
}

/// [a b; 0 c].
Rows block_matrix(const Rows& a, const Rows& b, const Rows& c) {
  const std::size_t width = a.width() + c.width();
  std::vector<Vector> result;
  for (std::size_t i = 0; i < a.size(); ++i)
    result.push_back(
        combination({1, 1}, {padded(a.exact(i), 0, width), padded(b.exact(i), a.width(), width)}));
  for (std::size_t i = 0; i < c.size(); ++i) result.push_back(padded(c.exact(i), a.width(), width));
  return Rows(std::move(result));
}

/// v_i + c sum_j v_j.
Rows shifted(const Rows& rows, const Rational& c) {
  std::vector<Vector> vectors = vectors_of(rows);
  const Vector shift = combination(std::vector<Rational>(vectors.size(), c), vectors);
  for (Vector& v : vectors) v = combination({1, 1}, {v, shift});
  return Rows(std::move(vectors));
}

/// E_{t,i} + mean_k E_{t,k}.
Rows mixed_context(const Problem& problem, std::size_t t) {
  Context tokens = problem.context(t);
  const Vector shift = mean(tokens);
  for (Vector& token : tokens) token = combination({1, 1}, {token, shift});
  return Rows(std::move(tokens));
}

/// e_t + mean_i E_{t,i}.
Rows mixed_queries(const Problem& problem) {
  std::vector<Vector> result;
  for (std::size_t t = 0; t < problem.T; ++t)
    result.push_back(combination({1, 1}, {problem.query(t), mean(problem.context(t))}));
  return Rows(std::move(result));
}

std::vector<std::size_t> range(std::size_t first, std::size_t length) {
  std::vector<std::size_t> result(length);
  std::iota(result.begin(), result.end(), first);
  return result;
}

}  // namespace

std::vector<std::size_t> all_below(std::size_t count) {
  return range(0, count);
}

Problem::Problem(const Case& the_case) : source(the_case) {
  if (!source.layer) return;
  const Dimensions& layer = *source.layer;
  T = layer.examples, H = layer.heads, n = layer.context, d = layer.embed_dim, d_h = layer.head_dim;
  d_out = layer.output_dim;
  // So that no product of two of them overflows.
  if (std::max({T, H, n, d, d_h, d_out}) >> 31 != 0) throw LimitError("a dimension of 2^31 or more");
}

const ExactArray& Problem::contexts() const {
  ENSURE(source.data.contexts.has_value(), "contexts in the case", "none");
  return *source.data.contexts;
}

const ExactArray& Problem::queries() const {
  ENSURE(source.data.queries.has_value(), "queries in the case", "none");
  return *source.data.queries;
}

bool Problem::shared() const {
  if (!shared_) {
    bool equal = true;  // kept when it is known: a case without contexts stays a Failure
    for (std::size_t k = 1; equal && k < stored_contexts(); ++k)
      equal = equal_entries(contexts(), 0, k * n * d, n * d);
    shared_ = equal;
  }
  return *shared_;
}

Context Problem::context(std::size_t t) const {
  Context tokens;
  for (std::size_t i = 0; i < n; ++i) tokens.emplace_back(contexts(), token_row(t, i) * d, d);
  return tokens;
}

Rational Problem::label(std::size_t t, std::size_t coordinate, bool skip_connection) const {
  ENSURE(source.data.labels.has_value(), "labels in the case", "none");
  Rational label = source.data.labels->at(t * d_out + coordinate);
  if (skip_connection) label -= query(t)[coordinate];
  return label;
}

const std::vector<std::size_t>& Problem::distinct_tokens() const {
  if (!distinct_tokens_) distinct_tokens_ = distinct(first_equal(contexts(), d));
  return *distinct_tokens_;
}

const std::string& Problem::digest() const {
  if (digest_.empty()) digest_ = problem_digest(source);
  return digest_;
}

std::vector<std::size_t> first_equal(const ExactArray& array, std::size_t length) {
  std::vector<std::size_t> order = all_below(array.size() / length);
  std::vector<std::size_t> result(order.size());
  const auto classify = [&](const auto& values) {
    // Negative, 0 or positive as vector a is before, equal to or after vector b.
    const auto compare = [&](std::size_t a, std::size_t b) {
      std::size_t j = 0;
      while (j < length && values[a * length + j] == values[b * length + j]) ++j;
      meter().work(2 + j);
      if (j == length) return 0;
      return values[a * length + j] < values[b * length + j] ? -1 : 1;
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const int comparison = compare(a, b);
      return comparison < 0 || (comparison == 0 && a < b);
    });
    for (std::size_t k = 0; k < order.size(); ++k) {
      const bool again = k > 0 && compare(order[k - 1], order[k]) == 0;
      result[order[k]] = again ? result[order[k - 1]] : order[k];
    }
  };
  std::visit(classify, array.storage());
  return result;
}

std::vector<std::size_t> distinct(const std::vector<std::size_t>& first_equal) {
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < first_equal.size(); ++k) {
    if (first_equal[k] == k) result.push_back(k);
  }
  return result;
}

std::size_t Rows::width() const {
  return array_ != nullptr ? width_ + (one_ ? 1 : 0) : own_.empty() ? 0 : own_.front().size();
}

Vector Rows::exact(std::size_t i) const {
  if (array_ == nullptr) return own_[i];
  Vector row(*array_, index_[i] * width_, width_);
  if (one_) row.num.push_back(row.den);
  return row;
}

Matrix Rows::residues(Word p, const std::vector<std::size_t>& rows,
                      const std::vector<std::size_t>& cols) const {
  Matrix result(rows.size(), cols.size());
  if (array_ == nullptr) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < cols.size(); ++j) result[i][j] = residue(own_[rows[i]][cols[j]], p);
    }
    return result;
  }
  const ArrayResidues entries(*array_, p);
  const bool whole = cols == range(0, width_);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t first = index_[rows[i]] * width_;
    if (whole) entries.copy(first, width_, result[i]);
    for (std::size_t j = 0; !whole && j < cols.size(); ++j) {
      if (cols[j] == width_)
        result[i][j] = 1;  // the column of ones
      else
        entries.copy(first + cols[j], 1, result[i] + j);
    }
  }
  return result;
}

Matrix Rows::residues(Word p) const {
  return residues(p, all_below(size()), all_below(width()));
}

Family family(const Problem& problem, const Claim& claim, const std::string& name) {
  const auto single = [](Rows rows) {
    return Family{false, 1, [rows = std::move(rows)](std::size_t) { return rows; }};
  };
  const auto argument = [&](const char* key) {
    const ExactArray& array = claim.array(key);
    return Rows(array, all_below(array.shape()[0]), array.shape()[1]);
  };
  const auto context_rows = [&problem](std::size_t t) {
    return Rows(problem.contexts(), range(problem.token_row(t, 0), problem.n), problem.d);
  };
  const std::size_t members = name.ends_with("contexts") && problem.shared() ? 1 : problem.T;
  if (name == "queries") return single(Rows(problem.queries(), all_below(problem.T), problem.d));
  if (name == "mixed-queries") return single(mixed_queries(problem));
  if (name == "tokens") return single(Rows(problem.contexts(), problem.distinct_tokens(), problem.d));
  if (name == "affine-tokens")
    return single(Rows(problem.contexts(), problem.distinct_tokens(), problem.d, true));
  if (name == "contexts") return {true, members, context_rows};
  if (name == "mixed-contexts")
    return {true, members, [&problem](std::size_t t) { return mixed_context(problem, t); }};
  if (claim.has("subset")) {
    const std::vector<std::size_t>& subset = claim.subset();
    if (name == "subset-queries") return single(Rows(problem.queries(), subset, problem.d));
    if (name == "subset-contexts") {
      return {true, subset.size(), [&examples = claim.subset(), context_rows](std::size_t k) {
                return context_rows(examples[k]);
              }};
    }
  }
  if (name == "block" && claim.has("a") && claim.has("b") && claim.has("c"))
    return single(block_matrix(argument("a"), argument("b"), argument("c")));
  if (name == "shifted" && claim.has("vectors") && claim.has("c"))
    return single(shifted(argument("vectors"), claim.number("c")));
  const auto given = claim.arguments.find(name);
  ENSURE(given != claim.arguments.end() && std::holds_alternative<ExactArray>(given->second) &&
             (name == "a" || name == "b" || name == "c" || name == "vectors"),
         "a matrix over Q that this claim has", name);
  return single(argument(name.c_str()));
}

std::vector<Rational> coordinate(const Context& tokens, std::size_t j) {
  std::vector<Rational> result;
  for (const Vector& token : tokens) result.push_back(token[j]);
  return result;
}

std::vector<Rational> separated(const Problem& problem, const Vector& u, const Vector& v, std::size_t t) {
  const Rational factor = dot(v, problem.query(t));
  std::vector<Rational> result;
  for (const Vector& token : problem.context(t)) result.push_back(dot(token, u) * factor);
  return result;
}

std::vector<Rational> products(const Problem& problem, const ExactArray& w, std::size_t t) {
  const Vector query = problem.query(t);
  std::vector<Rational> direction, result;  // W e
  for (std::size_t i = 0; i < problem.d; ++i)
    direction.push_back(dot(Vector(w, i * problem.d, problem.d), query));
  const Vector image(direction);
  for (const Vector& token : problem.context(t)) result.push_back(dot(token, image));
  return result;
}

}  // namespace attest::checker
