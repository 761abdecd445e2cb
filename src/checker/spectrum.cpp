#include "checker/spectrum.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "input/errors.hpp"
#include "input/meter.hpp"

namespace attest::checker {
namespace {

using Place = std::pair<std::size_t, std::size_t>;

/// One of the diagonal if there is any.
std::optional<Place> nonzero_entry(const RationalMatrix& m) {
  for (std::size_t off = 0; off < m.size(); ++off) {
    for (std::size_t i = 0; i + off < m.size(); ++i) {
      if (m[i][i + off] != 0) return Place{i, i + off};
    }
  }
  return std::nullopt;
}

Integer largest(const IntegerMatrix& m) {
  Integer result = 0;
  for (const auto& row : m) {
    for (const Integer& entry : row) {
      if (mpz_cmpabs(entry.get_mpz_t(), result.get_mpz_t()) > 0) result = abs(entry);
    }
  }
  return result;
}

Matrix residues(const IntegerMatrix& m, Word p) {
  Matrix result(m.size(), m.front().size());
  for (std::size_t i = 0; i < result.rows; ++i)
    std::transform(m[i].begin(), m[i].end(), result[i], [p](const Integer& x) { return residue(x, p); });
  return result;
}

}  // namespace

RationalMatrix gram(const std::vector<Vector>& rows) {
  const std::size_t height = rows.size(), width = rows.front().size();
  std::vector<Vector> columns;
  for (std::size_t j = 0; height > width && j < width; ++j) {
    std::vector<Rational> column;
    for (const Vector& row : rows) column.push_back(row[j]);
    columns.emplace_back(column);
  }
  const std::vector<Vector>& sides = height > width ? columns : rows;
  RationalMatrix result(sides.size());
  for (std::size_t i = 0; i < sides.size(); ++i) {
    for (const Vector& other : sides) result[i].push_back(dot(sides[i], other));
  }
  return result;
}

EigenvalueCount count_eigenvalues(RationalMatrix m, const Rational& mu) {
  for (std::size_t i = 0; i < m.size(); ++i) m[i][i] -= mu;
  // By Sylvester's law of inertia congruences keep the numbers of positive and of zero eigenvalues. Each
  // round splits off a pivot, in the last row and column, and drops it.
  EigenvalueCount result;
  for (std::optional<Place> place = nonzero_entry(m); place; place = nonzero_entry(m)) {
    const auto [i, j] = *place;
    const std::size_t last = m.size() - 1;
    for (std::size_t k = 0; i != j && k <= last; ++k) m[i][k] += m[j][k];
    for (std::size_t k = 0; i != j && k <= last; ++k) m[k][i] += m[k][j];
    std::swap(m[i], m[last]);
    for (std::vector<Rational>& row : m) std::swap(row[i], row[last]);
    const std::vector<Rational> pivot = std::move(m.back());
    m.pop_back();
    if (pivot[last] > 0) ++result.above;
    for (std::vector<Rational>& row : m) {
      const Rational factor = row[last] / pivot[last];
      for (std::size_t b = 0; b < last; ++b) {
        meter().work(operation_cost(factor, pivot[b]) + operation_cost(row[b], row[b]));
        row[b] -= factor * pivot[b];
      }
      row.pop_back();
    }
  }
  result.equal = m.size();
  return result;
}

IntegerMatrix product(const IntegerMatrix& a, const IntegerMatrix& b, bool transposed, bool upper) {
  IntegerMatrix result(a.size(), std::vector<Integer>(transposed ? b.size() : b.front().size()));
  // Modulo primes, until their product determines every entry, which lies between -range and range.
  const Integer range = largest(a) * largest(b) * Integer(a.front().size());
  Integer modulus = 1;
  for (Word p = kBlockedLimit - 1; modulus <= 2 * range; p -= 2) {
    if (p < 3) throw LimitError("a product of integers of too many digits");
    if (!is_prime(p)) continue;
    const Matrix left = residues(a, p),
                 image = product(left, &a == &b ? left : residues(b, p), p, transposed, upper);
    const Word scale = inverse(residue(modulus, p), p);
    for (std::size_t i = 0; i < image.rows; ++i) {
      for (std::size_t j = upper ? i : 0; j < image.cols; ++j) {
        Integer& entry = result[i][j];
        const Word digit = multiply(image[i][j] + p - residue(entry, p), scale, p);
        mpz_addmul_ui(entry.get_mpz_t(), modulus.get_mpz_t(), digit);
      }
    }
    meter().work(image.data.size() * mpz_size(modulus.get_mpz_t()));
    modulus *= p;
  }
  for (auto& row : result) {
    for (Integer& entry : row) {
      if (entry > range) entry -= modulus;
    }
  }
  return result;
}

bool dominant(const IntegerMatrix& vectors, const IntegerMatrix& c, bool transposed, const Integer& theta,
              bool above) {
  const IntegerMatrix images = product(vectors, c, transposed), first = product(images, images, true, true),
                      second = product(vectors, vectors, true, true);
  const Integer square = theta * theta;
  std::vector<Integer> rest(vectors.size());  // of each row: the other entries minus the one of the diagonal
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    for (std::size_t j = i; j < vectors.size(); ++j) {
      meter().work(4 + mpz_size(first[i][j].get_mpz_t()));
      Integer entry = first[i][j] - square * second[i][j];
      if (j != i) rest[j] += entry = abs(entry);
      rest[i] += above && j == i ? Integer(-entry) : entry;
    }
  }
  return std::all_of(rest.begin(), rest.end(), [](const Integer& x) { return x < 0; });
}

}  // namespace attest::checker
