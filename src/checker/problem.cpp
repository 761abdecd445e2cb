#include "checker/problem.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "input/digest.hpp"
#include "input/errors.hpp"
#include "input/meter.hpp"
#include "statements/failure.hpp"

namespace attest::checker {
namespace {

Rows rows_of(const std::vector<Vector>& vectors) {
  std::vector<Rational> entries;
  for (const Vector& v : vectors) {
    for (std::size_t j = 0; j < v.size(); ++j) entries.push_back(v[j]);
  }
  return Rows(std::move(entries), vectors.size(), vectors.front().size());
}

/// [a b; 0 c].
Rows block_matrix(const ExactArray& a, const ExactArray& b, const ExactArray& c) {
  const std::size_t split = a.shape()[1], height = a.shape()[0], width = split + c.shape()[1];
  std::vector<Rational> entries((height + c.shape()[0]) * width);
  const auto place = [&](const ExactArray& part, std::size_t row, std::size_t col) {
    for (std::size_t k = 0; k < part.size(); ++k)
      entries[(row + k / part.shape()[1]) * width + col + k % part.shape()[1]] = part.at(k);
  };
  place(a, 0, 0), place(b, 0, split), place(c, height, split);
  return Rows(std::move(entries), height + c.shape()[0], width);
}

/// v_i + c sum_j v_j.
Rows shifted(std::vector<Vector> vectors, const Rational& c) {
  const Vector shift = combination(std::vector<Rational>(vectors.size(), c), vectors);
  for (Vector& v : vectors) v = combination({1, 1}, {v, shift});
  return rows_of(vectors);
}

/// e_t + mean_i E_{t,i}.
Rows mixed_queries(const Problem& problem) {
  std::vector<Vector> result;
  for (std::size_t t = 0; t < problem.queries().shape()[0]; ++t)  // a Failure when there are none
    result.push_back(combination({1, 1}, {problem.query(t), mean(problem.context(t))}));
  return rows_of(result);
}

std::vector<std::size_t> range(std::size_t first, std::size_t length) {
  std::vector<std::size_t> result(length);
  std::iota(result.begin(), result.end(), first);
  return result;
}

/// E_{t,i} - E_{t,0} for all tokens i of the different contexts t.
Rows differences(const Problem& problem) {
  std::vector<Vector> result;
  for (const std::size_t t : distinct(problem.equal_contexts())) {
    const Context tokens = problem.context(t);
    for (const Vector& token : tokens) result.push_back(combination({1, -1}, {token, tokens.front()}));
  }
  return rows_of(result);
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

const std::vector<std::size_t>& Problem::equal_contexts() const {
  if (!equal_contexts_.empty()) return equal_contexts_;
  if (!listed()) return equal_contexts_ = first_equal(contexts(), n * d);
  const std::vector<std::size_t> token = first_equal(contexts(), d);
  std::map<std::vector<std::size_t>, std::size_t> first;
  for (std::size_t t = 0; t < T; ++t) {
    std::vector<std::size_t> tokens;
    for (std::size_t i = 0; i < source.tokens(t); ++i) tokens.push_back(token[source.token_row(t, i)]);
    meter().work(2 + tokens.size() * 20);
    equal_contexts_.push_back(first.emplace(std::move(tokens), t).first->second);
  }
  return equal_contexts_;
}

bool Problem::shared() const {
  return distinct(equal_contexts()).size() == 1;
}

const Context& Problem::context(std::size_t t) const {
  contexts();  // a Failure without them
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < source.tokens(t); ++i) rows.push_back(source.token_row(t, i));
  if (rows == last_rows_) return last_context_;
  Context tokens;
  for (const std::size_t row : rows) tokens.emplace_back(contexts(), row * d, d);
  last_rows_ = std::move(rows);
  return last_context_ = std::move(tokens);
}

Rational Problem::label(std::size_t t, std::size_t coordinate, bool skip_connection) const {
  ENSURE(source.data.labels.has_value(), "labels in the case", "none");
  Rational label = source.data.labels->at(t * d_out + coordinate);
  if (skip_connection) label -= query(t)[coordinate];
  return label;
}

const std::vector<std::size_t>& Problem::distinct_tokens() const {
  if (distinct_tokens_.empty()) distinct_tokens_ = distinct(first_equal(contexts(), d));
  return distinct_tokens_;
}

const std::string& Problem::digest() const {
  if (digest_.empty()) digest_ = problem_digest(source);
  return digest_;
}

std::vector<std::size_t> first_equal(const ExactArray& array, std::size_t length) {
  std::vector<std::size_t> result(array.size() / length);
  const auto classify = [&](const auto& values) {
    const auto less = [&](std::size_t a, std::size_t b) {
      std::size_t j = 0;
      while (j < length && values[a * length + j] == values[b * length + j]) ++j;
      meter().work(2 + j);
      return j < length && values[a * length + j] < values[b * length + j];
    };
    std::set<std::size_t, decltype(less)> firsts(less);
    for (std::size_t k = 0; k < result.size(); ++k) result[k] = *firsts.insert(k).first;
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

Rows::Rows(std::vector<Rational> entries, std::size_t rows, std::size_t width)
    : array_(std::make_shared<ExactArray>(std::vector{rows, width}, std::move(entries))),
      index_(all_below(rows)),
      width_(width) {}

Vector Rows::exact(std::size_t i) const {
  Vector row(*array_, index_[i] * width_, width_);
  if (one_) row.num.push_back(row.den);
  return row;
}

std::vector<Vector> Rows::exact() const {
  std::vector<Vector> result;
  for (std::size_t i = 0; i < size(); ++i) result.push_back(exact(i));
  return result;
}

Matrix Rows::residues(Word p, const std::vector<std::size_t>& rows,
                      const std::vector<std::size_t>& cols) const {
  const ArrayResidues entries(*array_, p);
  Matrix result(rows.size(), cols.size());
  std::vector<Word> row(width(), 1);  // the column of ones stays
  for (std::size_t i = 0; i < rows.size(); ++i) {
    entries.copy(index_[rows[i]] * width_, width_, row.data());
    for (std::size_t j = 0; j < cols.size(); ++j) result[i][j] = row[cols[j]];
  }
  return result;
}

Family family(const Problem& problem, const Claim& claim, const std::string& name) {
  const auto single = [](Rows rows) {
    return Family{false, 1, [rows = std::move(rows)](std::size_t) { return rows; }};
  };
  const auto contexts = [&](std::vector<std::size_t> examples, bool mixed) {
    return Family{true, examples.size(), [&problem, mixed, examples = std::move(examples)](std::size_t k) {
                    ENSURE(!problem.listed(), "contexts of one length", "contexts of listed tokens");
                    const std::size_t n = problem.n, first = problem.source.token_row(examples[k], 0);
                    return mixed ? shifted(problem.context(examples[k]), Rational(1, n))
                                 : Rows(problem.contexts(), range(first, n), problem.d);
                  }};
  };
  const auto has = [&](std::initializer_list<const char*> keys) {
    return std::all_of(keys.begin(), keys.end(), [&](const char* key) { return claim.has(key); });
  };
  const auto argument = [&](const std::string& key) {
    const ExactArray& array = claim.array(key);
    return Rows(array, all_below(array.shape()[0]), array.shape()[1]);
  };
  if (name == "queries") return single(Rows(problem.queries(), all_below(problem.T), problem.d));
  if (name == "mixed-queries") return single(mixed_queries(problem));
  if (name == "tokens" || name == "affine-tokens")
    return single(Rows(problem.contexts(), problem.distinct_tokens(), problem.d, name != "tokens"));
  if (name == "differences") return single(differences(problem));
  if (name == "contexts" || name == "mixed-contexts")
    return contexts(all_below(problem.shared() ? 1 : problem.T), name != "contexts");
  if (name == "subset-queries" && has({"subset"}))
    return single(Rows(problem.queries(), claim.subset(), problem.d));
  if (name == "subset-contexts" && has({"subset"})) return contexts(claim.subset(), false);
  if (name == "block" && has({"a", "b", "c"}))
    return single(block_matrix(claim.array("a"), claim.array("b"), claim.array("c")));
  if (name == "shifted" && has({"vectors", "c"}))
    return single(shifted(argument("vectors").exact(), claim.number("c")));
  const auto given = claim.arguments.find(name);
  ENSURE(given != claim.arguments.end() && std::holds_alternative<ExactArray>(given->second) &&
             (name == "a" || name == "b" || name == "c" || name == "vectors"),
         "a matrix over Q that this claim has", name);
  return single(argument(name));
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
