#include "kernel/arithmetic/spectrum.hpp"

#include <algorithm>

#include "base/errors.hpp"

namespace attest::kernel {
namespace {

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

std::optional<std::size_t> semidefinite_rank(RationalMatrix m) {
  std::size_t rank = 0;
  while (!m.empty()) {  // Each round completes a square, in the last variable, and drops it.
    const std::vector<Rational> last = std::move(m.back());
    m.pop_back();
    const Rational& pivot = last.back();
    if (pivot < 0) return std::nullopt;
    rank += pivot > 0 ? 1 : 0;
    for (std::vector<Rational>& row : m) {
      if (pivot == 0 && row.back() != 0) return std::nullopt;
      const Rational factor = pivot == 0 ? Rational(0) : row.back() / pivot;
      row.pop_back();
      for (std::size_t b = 0; b < row.size(); ++b) row[b] -= factor * last[b];
    }
  }
  return rank;
}

IntegerMatrix product(const IntegerMatrix& a, const IntegerMatrix& b, bool transposed, bool upper) {
  IntegerMatrix result(a.size(), std::vector<Integer>(transposed ? b.size() : b.front().size()));
  const Integer range = largest(a) * largest(b) * Integer(a.front().size());
  // Conversions would take longer; for long entries, of another order.
  if ((transposed && b.size() <= 16) || mpz_sizeinbase(range.get_mpz_t(), 2) > kManyBits) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = upper ? i : 0; j < result[i].size(); ++j) {
        mpz_ptr entry = result[i][j].get_mpz_t();
        for (std::size_t k = 0; k < a[i].size(); ++k)
          mpz_addmul(entry, a[i][k].get_mpz_t(), (transposed ? b[j][k] : b[k][j]).get_mpz_t());
      }
    }
    return result;
  }
  // For speed, 3.3 times for cases/trained/h4-t400-numerical-rank: modulo primes, until their product
  // determines every entry, which lies between -range and range.
  Integer modulus = 1;
  for (Word p = kBlockedLimit; modulus <= 2 * range;) {
    p = odd_prime_below(p);
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
      Integer entry = first[i][j] - square * second[i][j];
      if (j != i) rest[j] += entry = abs(entry);
      rest[i] += above && j == i ? Integer(-entry) : entry;
    }
  }
  return std::all_of(rest.begin(), rest.end(), [](const Integer& x) { return x < 0; });
}

}  // namespace attest::kernel
