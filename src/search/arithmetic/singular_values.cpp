#include "search/arithmetic/singular_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "base/meter.hpp"
#include "base/progress.hpp"
#include "search/arithmetic/flint_matrix.hpp"
#include "search/arithmetic/rational.hpp"

// LAPACK, as OpenBLAS provides it.
extern "C" {
void dgesdd_(const char* jobz, const int* m, const int* n, double* a, const int* lda, double* s, double* u,
             const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork, int* iwork,
             int* info);
void dsyevd_(const char* jobz, const char* uplo, const int* n, double* a, const int* lda, double* w,
             double* work, const int* lwork, int* iwork, const int* liwork, int* info);
}

namespace attest {
namespace {

constexpr int kMostRounds = 10;
constexpr int kMostStalled = 3;          // without a row more, when few are left
constexpr std::size_t kSmall = 1 << 12;  // entries of matrices of which an exact kernel takes no time
constexpr std::size_t kAround = 4;       // singular values on each side of the numbers

void require(int info, const char* what) {
  if (info != 0) throw std::runtime_error(std::string(what) + " of LAPACK fails");
}

/// value 2^-exponent, which may be 0 or infinite.
double scaled(const mpz_class& value, long exponent) {
  long own = 0;
  const double mantissa = mpz_get_d_2exp(&own, value.get_mpz_t());
  return std::ldexp(mantissa, static_cast<int>(std::clamp(own - exponent, -5000L, 5000L)));
}

long bit_length(const mpz_class& value) {
  return value == 0 ? 0 : static_cast<long>(mpz_sizeinbase(value.get_mpz_t(), 2));
}

/// round(x 2^exponent).
mpz_class rounded(double x, long exponent) {
  int own = 0;
  const double mantissa = std::frexp(x, &own);  // 53 bits
  mpz_class result(std::ldexp(mantissa, 53));
  const long shift = exponent + own - 53;
  if (shift >= 0) return result << static_cast<mp_bitcnt_t>(shift);
  if (shift < -60) return 0;
  result += mpz_class(1) << static_cast<mp_bitcnt_t>(-shift - 1);
  return result >> static_cast<mp_bitcnt_t>(-shift);  // rounds down
}

struct Spectrum {
  std::vector<double> values;   ///< decreasing
  std::vector<double> vectors;  ///< vector i from i m on: left singular vectors, or eigenvectors
};

/// Of the m x width matrix, given row by row.
Spectrum singular_vectors(std::vector<double> a, std::size_t m, std::size_t width) {
  // For LAPACK, which goes by columns, this is the transposed matrix, whose right singular vectors are
  // wanted.
  const int rows = static_cast<int>(width), cols = static_cast<int>(m);
  Spectrum result{std::vector<double>(m), std::vector<double>(m * m)};
  std::vector<double> vt(m * m);
  std::vector<int> iwork(8 * m);
  double size = 0, unused = 0;
  int info = 0, lwork = -1;
  const auto call = [&](double* work) {
    // Left ones replace the matrix; where it is square LAPACK wants room for them all the same.
    dgesdd_("O", &rows, &cols, a.data(), &rows, result.values.data(), &unused, &rows, vt.data(), &cols, work,
            &lwork, iwork.data(), &info);
  };
  call(&size);
  require(info, "dgesdd");
  lwork = static_cast<int>(size);
  std::vector<double> work(static_cast<std::size_t>(lwork));
  call(work.data());
  require(info, "dgesdd");
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) result.vectors[i * m + j] = vt[i + j * m];
  return result;
}

/// Of a symmetric m x m matrix.
Spectrum eigenvectors(std::vector<double> a, std::size_t m) {
  const int n = static_cast<int>(m);
  std::vector<double> increasing(m);
  double size = 0;
  int info = 0, lwork = -1, liwork = -1, isize = 0;
  dsyevd_("V", "U", &n, a.data(), &n, increasing.data(), &size, &lwork, &isize, &liwork, &info);
  require(info, "dsyevd");
  lwork = static_cast<int>(size);
  liwork = isize;
  std::vector<double> work(static_cast<std::size_t>(lwork));
  std::vector<int> iwork(static_cast<std::size_t>(liwork));
  dsyevd_("V", "U", &n, a.data(), &n, increasing.data(), work.data(), &lwork, iwork.data(), &liwork, &info);
  require(info, "dsyevd");
  Spectrum result{{increasing.rbegin(), increasing.rend()}, std::vector<double>(m * m)};
  for (std::size_t i = 0; i < m; ++i)
    std::copy_n(a.begin() + static_cast<std::ptrdiff_t>((m - 1 - i) * m), m,
                result.vectors.begin() + static_cast<std::ptrdiff_t>(i * m));
  return result;
}

/// The integer vectors of the moment, and their products.
class Vectors {
public:
  Vectors(const Matrix<mpz_class>& c, const mpz_class& moved, const mpz_class& below, const mpz_class& above)
      : m_(c.rows()),
        width_(c.cols()),
        moved_(moved),
        c_(m_, width_),
        below_(below * below),
        above_(above * above) {
    for (std::size_t i = 0; i < m_; ++i)
      for (std::size_t j = 0; j < width_; ++j) c_.set(i, j, c(i, j));
  }

  /// Row i is round(2^scale factors[i] vector i) of the spectrum.
  void guess(const Spectrum& spectrum, const std::vector<double>& factors, long scale) {
    FlintMatrix x(m_, m_);
    for (std::size_t i = 0; i < m_; ++i)
      for (std::size_t j = 0; j < m_; ++j)
        x.set(i, j, rounded(spectrum.vectors[i * m_ + j] * factors[i], scale));
    fmpz_mat_swap(x_.get(), x.get());
    multiply_out();
  }

  /// These rows, and otherwise zeros.
  void take(const std::vector<std::vector<mpz_class>>& rows) {
    fmpz_mat_zero(x_.get());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < m_; ++j) x_.set(i, j, rows[i][j]);
    multiply_out();
  }

  /// Replaces the rows by the combinations that the spectrum says of the rows times `units`, times
  /// factors[i].
  void combine(const Spectrum& spectrum, const std::vector<double>& factors,
               const std::vector<double>& units) {
    const long bits = 60 - std::min(0, std::ilogb(*std::ranges::min_element(units)));
    FlintMatrix left(m_, m_), product(m_, m_);
    for (std::size_t i = 0; i < m_; ++i)
      for (std::size_t j = 0; j < m_; ++j)
        left.set(i, j, rounded(spectrum.vectors[i * m_ + j] * factors[i] * units[j], bits));
    multiply(product, left, x_);
    for (std::size_t i = 0; i < m_; ++i)
      for (std::size_t j = 0; j < m_; ++j) {
        fmpz* entry = fmpz_mat_entry(product.get(), i, j);
        fmpz_tdiv_q_2exp(entry, entry, static_cast<ulong>(bits));
      }
    fmpz_mat_swap(x_.get(), product.get());
    multiply_out();
  }

  /// X (C C^T - t X) X^T, t between both squares, as doubles of exponent `exponent`.
  std::vector<double> middle(long exponent) const {
    const mpz_class square = (above_ + below_) / 2;
    std::vector<double> result(m_ * m_);
    for (std::size_t i = 0; i < m_; ++i)
      for (std::size_t j = 0; j < m_; ++j) result[i * m_ + j] = scaled(entry(i, j, square), exponent);
    return result;
  }

  /// Those among the rows whose diagonal entry is positive (or negative) that dominate, among each other.
  std::vector<std::size_t> dominating(bool positive) const {
    const mpz_class& square = positive ? above_ : below_;
    std::vector<std::size_t> rows = range(0, m_), kept;
    for (std::size_t i : rows)
      if (sgn(entry(i, i, square)) == (positive ? 1 : -1)) kept.push_back(i);
    for (rows.clear(); rows.size() != kept.size();) {
      rows = std::move(kept);
      kept.clear();
      // For matrices near C, images x^T C are moved by at most moved |x|.
      mpz_class lengths = 0, moves = 0;
      for (std::size_t i : rows) lengths += length(i), moves += move(i);
      for (std::size_t i : rows) {
        mpz_class rest = move(i) * (lengths + moves) + length(i) * moves - abs(entry(i, i, square));
        for (std::size_t j : rows)
          if (j != i) rest += abs(entry(i, j, square));
        if (rest < 0) kept.push_back(i);
      }
      meter().work(rows.size() * rows.size() * 8);
    }
    return rows;
  }

  std::vector<std::vector<mpz_class>> rows(const std::vector<std::size_t>& which) const {
    std::vector<std::vector<mpz_class>> result;
    for (std::size_t i : which) {
      result.emplace_back();
      for (std::size_t j = 0; j < m_; ++j) result.back().push_back(x_.at(i, j));
    }
    return result;
  }

  /// By the rows from `first` on and before `last`: a number t such that x^T C C^T x >= t x^T x on their span
  /// (`lower`), or <= there. Nothing when they do not show one.
  std::optional<mpq_class> bound(std::size_t first, std::size_t last, bool lower) const {
    std::optional<mpq_class> best;
    for (std::size_t i = first; i < last; ++i) {
      mpz_class of_images = images_.at(i, i), of_vectors = squares_.at(i, i);
      for (std::size_t j = first; j < last; ++j) {
        if (j == i) continue;
        const mpz_class a = abs(images_.at(i, j)), b = abs(squares_.at(i, j));
        of_images += lower ? mpz_class(-a) : a;
        of_vectors += lower ? b : mpz_class(-b);
      }
      if ((lower ? of_images : of_vectors) <= 0) return std::nullopt;
      mpq_class ratio(of_images, of_vectors);
      ratio.canonicalize();
      if (!best || (lower ? ratio < *best : ratio > *best)) best = ratio;
    }
    meter().work((last - first) * (last - first) * 8);
    return best;
  }

private:
  static void multiply(FlintMatrix& result, const FlintMatrix& a, const FlintMatrix& b) {
    const auto bits = [](const FlintMatrix& x) {
      return static_cast<std::uint64_t>(std::abs(fmpz_mat_max_bits(x.get())));
    };
    const auto rows = static_cast<std::uint64_t>(fmpz_mat_nrows(a.get())),
               inner = static_cast<std::uint64_t>(fmpz_mat_ncols(a.get())),
               cols = static_cast<std::uint64_t>(fmpz_mat_ncols(b.get()));
    meter().work(rows * inner * cols * ((bits(a) + bits(b)) / 60 + 1) / 2);
    fmpz_mat_mul(result.get(), a.get(), b.get());
  }

  void multiply_out() {
    FlintMatrix y(m_, width_), transposed(width_, m_), x_transposed(m_, m_);
    multiply(y, x_, c_);
    fmpz_mat_transpose(transposed.get(), y.get());
    multiply(images_, y, transposed);
    fmpz_mat_transpose(x_transposed.get(), x_.get());
    multiply(squares_, x_, x_transposed);
  }

  mpz_class entry(std::size_t i, std::size_t j, const mpz_class& square) const {
    return images_.at(i, j) - square * squares_.at(i, j);
  }

  mpz_class length(std::size_t i) const { return sqrt(images_.at(i, i)) + 1; }
  mpz_class move(std::size_t i) const { return moved_ * (sqrt(squares_.at(i, i)) + 1); }

  std::size_t m_, width_;
  mpz_class moved_;
  FlintMatrix c_, x_{m_, m_}, images_{m_, m_}, squares_{m_, m_};  ///< C, X, X C C^T X^T, X X^T
  mpz_class below_, above_;                                       ///< squares of both numbers
};

/// Integer rows that annihilate C from the left and are orthogonal to each other.
std::vector<std::vector<mpz_class>> left_kernel(const Matrix<mpz_class>& c) {
  RationalMatrix turned(c.cols(), c.rows());
  for (std::size_t i = 0; i < c.rows(); ++i)
    for (std::size_t j = 0; j < c.cols(); ++j) turned(j, i) = c(i, j);
  const auto dot = [](const std::vector<mpz_class>& x, const std::vector<mpz_class>& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), mpz_class(0));
  };
  std::vector<std::vector<mpz_class>> rows;
  for (std::vector<mpz_class> x : right_kernel(turned)) {
    for (const std::vector<mpz_class>& y : rows) {
      const mpz_class product = dot(x, y), square = dot(y, y);
      mpz_class common = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        x[j] = square * x[j] - product * y[j];
        common = gcd(common, x[j]);
      }
      for (mpz_class& entry : x) entry /= common;
    }
    rows.push_back(std::move(x));
  }
  return rows;
}

}  // namespace

SpectralSplit split_spectrum(const Matrix<mpz_class>& c, const mpz_class& moved, const mpz_class& theta_below,
                             const mpz_class& theta_above, double distance,
                             const std::function<bool(const SpectralSplit&)>& found) {
  const std::size_t m = c.rows(), width = c.cols();
  long unit = bit_length(theta_above);  // the binary64 matrix is C 2^-unit
  for (std::size_t i = 0; i < m * width; ++i) unit = std::max(unit, bit_length(c.data()[i]));
  std::vector<double> guessed(m * width);
  for (std::size_t i = 0; i < m * width; ++i) guessed[i] = scaled(c.data()[i], unit);
  meter().work(m * m * width * 4);
  report_progress("singular values in binary64", 0, 0);
  const Spectrum spectrum = singular_vectors(std::move(guessed), m, width);
  // Beside a larger one a theta of less is as good, and its share is not 0 in binary64.
  const double theta = std::max(scaled(theta_above, unit), spectrum.values.front() * 0x1p-900),
               largest = std::max(spectrum.values.front(), theta);
  // Vectors become as long as their images have about the length 2^scale, those of small singular values
  // as if these were theta. Rounding them moves the images by at most `largest` sqrt(m) / 2.
  double close = 1.0 / 8;
  std::vector<double> factors;
  for (const double value : spectrum.values) {
    const double most = std::max(value, theta), r = value / most, s = theta / most;
    close = std::min(close, std::fabs(r * r - s * s));
    factors.push_back(s);
  }
  close = std::max(close, distance);
  const long scale =
      std::lround(std::ceil(std::log2(largest / theta) + std::log2(4 * static_cast<double>(m) / close)));
  Vectors vectors(c, moved, theta_below, theta_above);
  vectors.guess(spectrum, factors, scale);
  const long exponent = 2 * (bit_length(theta_above) + scale);
  std::vector<std::size_t> above, below;
  std::size_t left = m + 1;
  int stalled = 0;
  for (int round = 0;; ++round) {
    report_progress("diagonally dominant matrices", m - std::min(left, m), m);
    above = vectors.dominating(true);
    below = vectors.dominating(false);
    const std::size_t before = left;
    left = m - above.size() - below.size();
    stalled = left == before ? stalled + 1 : 0;
    if (left == 0 || round == kMostRounds || (left <= 4 && stalled == kMostStalled)) break;
    if (round == 0)
      if (SpectralSplit first{vectors.rows(above), vectors.rows(below), {}}; !found(first)) {
        first.cut_off = true;
        return first;
      }
    if (largest / theta > 0x1p400) break;  // binary64 would overflow
    // Eigenvectors of what ought to be diagonal.
    std::vector<double> middle = vectors.middle(exponent);
    if (!std::ranges::all_of(middle, [](double x) { return std::isfinite(x); })) break;
    // Beside very large numbers small ones are lost: then of rows of one size.
    std::vector<double> units(m);
    for (std::size_t i = 0; i < m; ++i)
      units[i] = std::clamp(1 / std::sqrt(std::fabs(middle[i * m + i])), 0x1p-200, 0x1p200);
    const auto [least, most] = std::ranges::minmax(units);
    if (most / least < 0x1p20) std::ranges::fill(units, 1.0);
    for (std::size_t i = 0; i < m * m; ++i) middle[i] *= units[i / m] * units[i % m];
    const Spectrum next = eigenvectors(std::move(middle), m);
    const double norm = std::max(std::fabs(next.values.front()), std::fabs(next.values.back()));
    if (!(norm > 0x1p-900)) break;  // their lengths would not be finite
    std::vector<double> lengths;
    for (const double value : next.values)
      lengths.push_back(1 / std::sqrt(std::max(std::fabs(value), norm * 0x1p-48)));
    vectors.combine(next, lengths, units);
  }
  SpectralSplit result{vectors.rows(above), vectors.rows(below), {}};
  // What binary64 cannot tell from a very small theta may be 0.
  if (left != 0 && m * width <= kSmall) {
    const std::vector<std::vector<mpz_class>> kernel = left_kernel(c);
    vectors.take(kernel);
    if (const std::vector<std::size_t> rows = vectors.dominating(false); rows.size() > below.size())
      result.below = vectors.rows(rows);
    // And what binary64 takes for their vectors is of no use to the others.
    std::fill(factors.end() - static_cast<std::ptrdiff_t>(kernel.size()), factors.end(), 0);
    vectors.guess(spectrum, factors, scale);
    if (const std::vector<std::size_t> rows = vectors.dominating(true); rows.size() > above.size())
      result.above = vectors.rows(rows);
  }
  // Rows are in the order of the singular values, unless some are on neither side.
  const std::size_t border = above.size();
  for (std::size_t k = border - std::min(border, kAround); left == 0 && k < std::min(m, border + kAround);
       ++k) {
    // The first k + 1 rows span a space of dimension k + 1, the others and row k one of dimension m - k.
    const std::optional<mpq_class> least = vectors.bound(0, k + 1, true), most = vectors.bound(k, m, false);
    if (most) result.around.push_back({k, least.value_or(0), *most});
  }
  return result;
}

}  // namespace attest
