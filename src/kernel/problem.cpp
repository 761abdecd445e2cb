#include "kernel/problem.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <type_traits>

#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "kernel/layers/stack_enclosures.hpp"
#include "theory/failure.hpp"

namespace attest::kernel {
namespace {

constexpr std::size_t kRowsTogether = 128;  // rows that are multiplied at once

/// [a b; 0 c].
Rows block_matrix(const ExactArray& a, const ExactArray& b, const ExactArray& c) {
  const std::size_t height = a.shape()[0], left = a.shape()[1], right = c.shape()[1];
  return Rows(height + c.shape()[0], left + right, [=, &a, &b, &c](std::size_t i) {
    std::vector<Rational> row(left);
    for (std::size_t j = 0; i < height && j < left; ++j) row[j] = a.at(i * left + j);
    for (std::size_t j = 0; j < right; ++j)
      row.push_back(i < height ? b.at(i * right + j) : c.at((i - height) * right + j));
    return Vector(row);
  });
}

/// v_i + c sum_j v_j.
Rows shifted(const Rows& vectors, const Rational& c) {
  const Vector shift = combination(std::vector<Rational>(vectors.size(), c), vectors.exact());
  return Rows(vectors.size(), vectors.width(), [=](std::size_t i) {
    return combination({1, 1}, {vectors.exact(i), shift});
  });
}

/// E_{t,i} - E_{t,0} for all tokens i of the different contexts t.
Rows differences(const Problem& problem) {
  std::vector<std::size_t> tokens, minus;
  for (const std::size_t t : distinct(problem.equal_contexts())) {
    for (std::size_t i = 0; i < problem.source.tokens(t); ++i) {
      tokens.push_back(problem.source.token_row(t, i));
      minus.push_back(problem.source.token_row(t, 0));
    }
  }
  return Rows(problem.contexts(), problem.d, std::move(tokens), false, std::move(minus));
}

/// (E_{t,i} - E_{t,0}) e_t^T for all tokens i of all examples t, row by row.
Rows exponents(const Problem& problem) {
  std::vector<std::pair<std::size_t, std::size_t>> tokens;
  for (std::size_t t = 0; t < problem.T; ++t)
    for (std::size_t i = 0; i < problem.source.tokens(t); ++i) tokens.emplace_back(t, i);
  const std::size_t d = problem.d, size = tokens.size();
  return Rows(size, checked_size(d, d), [&problem, tokens = std::move(tokens)](std::size_t k) {
    const auto [t, i] = tokens[k];
    const Context& context = problem.context(t);
    const Vector difference = combination({1, -1}, {context[i], context[0]}), query = problem.query(t);
    std::vector<Integer> entries;
    for (const Integer& x : difference.num)
      for (const Integer& y : query.num) entries.push_back(x * y);
    return Vector(std::move(entries), difference.den * query.den);
  });
}

}  // namespace

Rows::Rows(const ExactArray& array, std::size_t d, std::vector<std::size_t> index, bool affine,
           std::vector<std::size_t> minus)
    : Rows(index.size(), d + (affine ? 1 : 0), [=, &array](std::size_t i) {
        Vector row(array, index[i] * d, d);
        if (affine) row.num.push_back(row.den);
        return minus.empty() ? row : combination({1, -1}, {row, Vector(array, minus[i] * d, d)});
      }) {
  if (std::holds_alternative<std::vector<Rational>>(array.storage())) return;
  array_ = &array, d_ = d, index_ = std::move(index), minus_ = std::move(minus);
}

std::vector<std::size_t> all_below(std::size_t count) {
  std::vector<std::size_t> result(count);
  std::iota(result.begin(), result.end(), 0);
  return result;
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

const std::vector<std::size_t>& Problem::equal_tokens() const {
  if (equal_tokens_.empty()) equal_tokens_ = first_equal(contexts(), d);
  return equal_tokens_;
}

std::vector<std::size_t> Problem::classes_of_contexts(bool ordered) const {
  const std::vector<std::size_t>& classes = equal_tokens();
  std::map<std::vector<std::size_t>, std::size_t> first;
  std::vector<std::size_t> result;
  std::vector<std::size_t> last;
  for (std::size_t t = 0; t < T; ++t) {
    std::vector<std::size_t> tokens = source.token_rows(t);
    if (tokens == last) {  // as at the other positions of a sequence
      result.push_back(result.back());
      continue;
    }
    last = tokens;
    for (std::size_t& token : tokens) token = classes[token];
    if (!ordered) std::ranges::sort(tokens);
    result.push_back(first.emplace(std::move(tokens), t).first->second);
  }
  return result;
}

const std::vector<std::size_t>& Problem::equal_contexts() const {
  if (equal_contexts_.empty()) equal_contexts_ = classes_of_contexts(true);
  return equal_contexts_;
}

const std::vector<std::size_t>& Problem::equal_token_sets() const {
  if (equal_token_sets_.empty()) equal_token_sets_ = classes_of_contexts(false);
  return equal_token_sets_;
}

bool Problem::shared() const {
  return distinct(equal_contexts()).size() == 1;
}

const Context& Problem::context(std::size_t t) const {
  contexts();  // a Failure without them
  std::vector<std::size_t> rows = source.token_rows(t);
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
  if (distinct_tokens_.empty()) distinct_tokens_ = distinct(equal_tokens());
  return distinct_tokens_;
}

const EnclosedStack& Problem::enclosed_stack(std::size_t bits,
                                             const std::vector<std::size_t>& examples) const {
  std::shared_ptr<EnclosedStack>& found = enclosed_stacks_[bits];
  if (!found) found = std::make_shared<EnclosedStack>(*this, bits);
  found->prepare(examples);
  return *found;
}

std::set<std::size_t> used_rows(const Case& source) {
  std::set<std::size_t> result(source.data.positions.begin(), source.data.positions.end());
  result.insert(source.data.members->rows.begin(), source.data.members->rows.end());
  for (const StackLayer& layer : source.stack)
    if (layer.members) result.insert(layer.members->rows.begin(), layer.members->rows.end());
  return result;
}

std::vector<std::size_t> first_equal(const ExactArray& array, std::size_t length) {
  std::vector<std::size_t> result(array.size() / length);
  const auto classify = [&](const auto& values) {
    const auto as_double = [](const auto& value) {
      if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>)
        return static_cast<double>(value) + 0.0;  // 0 for -0
      else
        return value.get_d();
    };
    const auto difference = [&](std::size_t a, std::size_t b) {  // the first entry where the vectors differ
      std::size_t j = 0;
      while (j < length && values[a * length + j] == values[b * length + j]) ++j;
      return j;
    };
    // Vectors beside a number that equal ones have in common, so that few others are compared. Whether they
    // are equal, the entries decide.
    using Place = std::pair<Word, std::size_t>;
    std::vector<Place> order(result.size());
    in_ranges(order.size(), array.size(), [&](std::size_t first, std::size_t end) {
      for (std::size_t k = first; k < end; ++k) {
        Word key = 0;
        for (std::size_t j = 0; j < length; ++j) {
          const Word bits = std::bit_cast<Word>(as_double(values[k * length + j]));
          key += (bits ^ bits >> 32) * (0x9E3779B97F4A7C15 * (2 * j + 1));
        }
        order[k] = {key, k};
      }
    });
    std::ranges::sort(order, [&](const Place& a, const Place& b) {
      if (a.first != b.first || a.second == b.second) return a.first < b.first;
      const std::size_t j = difference(a.second, b.second);
      return j == length ? a < b : values[a.second * length + j] < values[b.second * length + j];
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto [key, k] = order[i];
      const bool repeats = i > 0 && order[i - 1].first == key && difference(order[i - 1].second, k) == length;
      result[k] = repeats ? result[order[i - 1].second] : k;
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

std::vector<Vector> Rows::exact() const {
  std::vector<Vector> result;
  for (std::size_t i = 0; i < size(); ++i) result.push_back(exact(i));
  return result;
}

Matrix Rows::residues(Word p, const std::vector<std::size_t>& rows,
                      const std::vector<std::size_t>& cols) const {
  Matrix result(rows.size(), cols.size());
  if (array_ != nullptr && p > 2) {
    const Matrix all = binary_residues(p, rows);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < cols.size(); ++j) result[i][j] = all[i][cols[j]];
    return result;
  }
  std::vector<Word> row(width_);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    kernel::residues(exact(rows[i]), p, row.data());
    for (std::size_t j = 0; j < cols.size(); ++j) result[i][j] = row[cols[j]];
  }
  return result;
}

Matrix Rows::binary_residues(Word p, std::span<const std::size_t> rows) const {
  const ArrayResidues entries(*array_, p);
  Matrix result(rows.size(), width_);
  std::vector<double> other(d_);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    result[i][width_ - 1] = 1;  // stays when the rows are affine
    entries.copy(index_[rows[i]] * d_, d_, result[i]);
    if (minus_.empty()) continue;
    entries.copy(minus_[rows[i]] * d_, d_, other.data());
    for (std::size_t j = 0; j < d_; ++j) result[i][j] -= other[j];
    reduce(result[i], d_, p);
  }
  return result;
}

void Rows::ensure_annihilated(const std::vector<Vector>& vectors) const {
  const auto ensure = [](bool zero, std::size_t i, std::size_t k) {
    ENSURE(zero, "M x = 0 for vector " + count(k), "another value in row " + count(i));
  };
  const Rows factors(vectors.size(), width_, [&](std::size_t k) { return primitive(vectors[k]); });
  std::size_t most = 0;  // bits of the largest sum of absolute values
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    Integer sum;
    for (const Integer& entry : factors.exact(k).num) sum += abs(entry);
    most = std::max(most, mpz_sizeinbase(sum.get_mpz_t(), 2));
  }
  if (array_ == nullptr || most > kManyBits) {
    for (std::size_t i = 0; i < size_; ++i) {
      const Vector values = products(vectors, exact(i));
      for (std::size_t k = 0; k < values.size(); ++k) ensure(values.num[k] == 0, i, k);
    }
    return;
  }
  // For speed, 4.6 times at T = 2000, n = 32, d = 64 (64000 rows): residues instead of large integers.
  // With x integers, and a row of integers below 2^bits times a power of two, the product is an integer of at
  // most 2^bits sum_j |x_j| times that power: 0 when it is 0 modulo odd primes whose product is larger.
  std::vector<std::size_t> used, rest, bits(size_), all = all_below(width_);
  std::ranges::copy_if(all_below(d_), std::back_inserter(used), [&](std::size_t j) {
    return std::ranges::any_of(vectors, [j](const Vector& v) { return v.num[j] != 0; });
  });
  for (std::size_t i = 0; i < size_; ++i) {
    Exponents row = width_ > d_ ? Exponents{0, 1} : Exponents{};
    row.include(*array_, index_[i] * d_, used);
    if (!minus_.empty()) row.include(*array_, minus_[i] * d_, used);
    if (row.most < row.least) continue;  // all are 0
    bits[i] = static_cast<std::size_t>(row.most - row.least) + (minus_.empty() ? 0 : 1) + most;
    rest.push_back(i);
  }
  Integer modulus = 1;
  for (Word p = kBlockedLimit; !rest.empty();) {
    modulus *= p = odd_prime_below(p);
    const Matrix right = factors.residues(p, all_below(vectors.size()), all);
    for (std::size_t first = 0, end; first < rest.size(); first = end) {
      end = std::min(rest.size(), first + kRowsTogether);
      const Matrix values =
          product(binary_residues(p, std::span(rest).subspan(first, end - first)), right, p, true);
      for (std::size_t i = 0; i < values.rows; ++i)
        for (std::size_t k = 0; k < values.cols; ++k) ensure(values[i][k] == 0, rest[first + i], k);
    }
    std::erase_if(rest, [&](std::size_t i) { return bits[i] < mpz_sizeinbase(modulus.get_mpz_t(), 2); });
  }
}

Family family(const Problem& problem, const Claim& claim, const std::string& name) {
  const std::size_t d = problem.d;
  const auto single = [](Rows rows) {
    return Family{false, 1, [rows = std::move(rows)](std::size_t) { return rows; }};
  };
  const auto queries = [&](std::vector<std::size_t> examples) {
    return Rows(problem.queries(), d, std::move(examples));
  };
  const auto contexts = [&](std::vector<std::size_t> examples, bool mixed) {
    return Family{true, examples.size(), [&problem, mixed, examples = std::move(examples)](std::size_t k) {
                    ENSURE(!problem.listed(), "contexts of one length", "contexts of listed tokens");
                    const Rows context(problem.contexts(), problem.d, problem.source.token_rows(examples[k]));
                    return mixed ? shifted(context, Rational(1, problem.n)) : context;
                  }};
  };
  const auto tokens = [&](bool affine) {
    return Rows(problem.contexts(), d, problem.distinct_tokens(), affine);
  };
  const auto mixed_queries = [&] {
    const std::size_t count = problem.queries().shape()[0];
    std::vector<Vector> means;  // one, when all contexts are equal
    if (problem.shared()) means.push_back(mean(problem.context(0)));
    return Rows(count, d, [&problem, means](std::size_t t) {
      return combination({1, 1}, {problem.query(t), means.empty() ? mean(problem.context(t)) : means[0]});
    });
  };
  const auto has = [&](std::initializer_list<const char*> keys) {
    return std::all_of(keys.begin(), keys.end(), [&](const char* key) { return claim.has(key); });
  };
  const auto argument = [&](const std::string& key) {
    const ExactArray& array = claim.array(key);
    return Rows(array, array.shape()[1], all_below(array.shape()[0]));
  };
  if (name == "queries") return single(queries(all_below(problem.T)));
  if (name == "mixed-queries") return single(mixed_queries());
  if (name == "tokens" || name == "affine-tokens") return single(tokens(name != "tokens"));
  if (name == "differences") return single(differences(problem));
  if (name == "exponents") return single(exponents(problem));
  if (name == "contexts" || name == "mixed-contexts")
    return contexts(all_below(problem.shared() ? 1 : problem.T), name != "contexts");
  if (name == "subset-queries" && has({"subset"})) return single(queries(claim.subset()));
  if (name == "subset-contexts" && has({"subset"})) return contexts(claim.subset(), false);
  if (name == "block" && has({"a", "b", "c"}))
    return single(block_matrix(claim.array("a"), claim.array("b"), claim.array("c")));
  if (name == "shifted" && has({"vectors", "c"}))
    return single(shifted(argument("vectors"), claim.number("c")));
  const auto given = claim.arguments.find(name);
  ENSURE(given != claim.arguments.end() && std::holds_alternative<ExactArray>(given->second) &&
             (name == "a" || name == "b" || name == "c" || name == "vectors" || name == "matrix"),
         "a matrix over Q that this claim has", name);
  return single(argument(name));
}

Vector separated(const Problem& problem, const Vector& u, const Vector& v, std::size_t t) {
  return products(problem.context(t), combination({dot(v, problem.query(t))}, {u}));
}

Vector products(const Problem& problem, const ExactArray& w, std::size_t t) {
  std::vector<Vector> rows;
  for (std::size_t i = 0; i < problem.d; ++i) rows.emplace_back(w, i * problem.d, problem.d);
  return products(problem.context(t), products(rows, problem.query(t)));
}

}  // namespace attest::kernel
