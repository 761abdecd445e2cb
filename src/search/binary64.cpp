#include "search/binary64.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "problem/generate.hpp"

// LAPACK, as OpenBLAS provides it.
extern "C" void dgesdd_(const char* jobz, const int* m, const int* n, double* a, const int* lda, double* s,
                        double* u, const int* ldu, double* vt, const int* ldvt, double* work,
                        const int* lwork, int* iwork, int* info);

namespace attest {
namespace {

// Of a rows x cols matrix, column by column.
std::vector<double> singular_values(std::vector<double> a, std::size_t rows, std::size_t cols) {
  const int m = static_cast<int>(rows), n = static_cast<int>(cols), one = 1;
  std::vector<double> s(std::min(rows, cols));
  std::vector<int> iwork(8 * s.size());
  double size = 0, unused = 0;
  int info = 0, lwork = -1;
  dgesdd_("N", &m, &n, a.data(), &m, s.data(), &unused, &one, &unused, &one, &size, &lwork, iwork.data(),
          &info);
  lwork = static_cast<int>(size);
  std::vector<double> work(static_cast<std::size_t>(lwork));
  dgesdd_("N", &m, &n, a.data(), &m, s.data(), &unused, &one, &unused, &one, work.data(), &lwork,
          iwork.data(), &info);
  return s;
}

// The largest of them by Golub and Kahan's bidiagonalization, which multiplies by the matrix and its
// transpose alone: of 4096 x 9216 in a second, where all singular values take a minute. Each new vector is
// made orthogonal to all earlier ones. Entries are divided by a power of two, so that squares stay in range.
double largest_singular_value(std::vector<double> a, std::size_t rows, std::size_t cols) {
  constexpr std::size_t kMostSteps = 400, kBetween = 10;
  const auto orthogonal = [](std::vector<double>& x, const std::vector<std::vector<double>>& to) {
    for (int twice = 0; twice < 2; ++twice)
      for (const std::vector<double>& y : to) {
        const double inner = std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
        for (std::size_t k = 0; k < x.size(); ++k) x[k] -= inner * y[k];
      }
    const double length = std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
    if (length > 0)
      for (double& entry : x) entry /= length;
    return length;
  };
  const auto times = [&](CBLAS_TRANSPOSE how, const std::vector<double>& x) {
    std::vector<double> y(how == CblasNoTrans ? rows : cols);
    cblas_dgemv(CblasColMajor, how, static_cast<int>(rows), static_cast<int>(cols), 1, a.data(),
                static_cast<int>(rows), x.data(), 1, 0, y.data(), 1);
    return y;
  };
  double most = 0;
  for (const double x : a) most = std::max(most, std::abs(x));
  if (most == 0) return 0;
  const int exponent = std::ilogb(most);
  for (double& x : a) x = std::ldexp(x, -exponent);
  std::vector<double> start(cols);
  SplitMix64 random(1, 0);
  for (double& x : start) x = static_cast<double>(random.below(std::uint64_t{1} << 32)) + 1;
  std::vector<std::vector<double>> left, right;
  std::vector<double> diagonal, above;
  double largest = 0;
  orthogonal(start, {});
  right.push_back(std::move(start));
  for (std::size_t step = 1; step <= std::min({kMostSteps, rows, cols}); ++step) {
    std::vector<double> u = times(CblasNoTrans, right.back());
    diagonal.push_back(orthogonal(u, left));
    left.push_back(std::move(u));
    std::vector<double> v = times(CblasTrans, left.back());
    above.push_back(orthogonal(v, right));
    right.push_back(std::move(v));
    const bool end = diagonal.back() == 0 || above.back() == 0 || step == std::min({kMostSteps, rows, cols});
    if (step % kBetween != 0 && !end) continue;
    std::vector<double> bidiagonal(step * step);
    for (std::size_t k = 0; k < step; ++k) {
      bidiagonal[k * step + k] = diagonal[k];
      if (k + 1 < step) bidiagonal[(k + 1) * step + k] = above[k];
    }
    const double before = std::exchange(largest, singular_values(std::move(bidiagonal), step, step)[0]);
    if (end || largest - before <= std::ldexp(largest, -49)) break;
  }
  return std::ldexp(largest, exponent);
}

}  // namespace

double binary_logarithm(const mpq_class& x) {
  long above = 0, below = 0;
  const double numerator = mpz_get_d_2exp(&above, x.get_num_mpz_t()),
               denominator = mpz_get_d_2exp(&below, x.get_den_mpz_t());
  return std::log2(numerator / denominator) + static_cast<double>(above - below);
}

std::size_t binary64_rank_of_z(const AttentionLayer& layer) {
  const Dimensions& dims = layer.dims();
  const std::size_t T = dims.examples, width = dims.heads * dims.embed_dim, d = dims.embed_dim;
  std::vector<double> z(T * width);  // column-major T x width
  for (std::size_t t = 0; t < T; ++t) {
    std::vector<std::vector<double>> tokens;
    for (std::size_t i = 0; i < layer.tokens(t); ++i) {
      tokens.emplace_back();
      for (const mpq_class& x : layer.token(t, i)) tokens.back().push_back(x.get_d());
    }
    for (std::size_t h = 0; h < dims.heads; ++h) {
      // Logits are rounded once, which is kinder than computing them in binary64.
      const std::vector<mpq_class> logits = layer.logits(t, h);
      const mpq_class most = *std::max_element(logits.begin(), logits.end());
      std::vector<double> alpha;
      double sum = 0;
      for (const mpq_class& l : logits) {
        const double x = mpq_class(l - most).get_d();
        alpha.push_back(dims.base == Base::e ? std::exp(x) : std::exp2(x));
        sum += alpha.back();
      }
      for (std::size_t i = 0; i < tokens.size(); ++i)
        for (std::size_t j = 0; j < d; ++j) z[(h * d + j) * T + t] += alpha[i] / sum * tokens[i][j];
    }
  }
  return binary64_rank(singular_values(std::move(z), T, width), layer.problem());
}

std::size_t binary64_rank(const std::vector<double>& s, const Case& c) {
  const std::size_t largest = std::max(c.layer->examples, c.layer->heads * c.layer->embed_dim);
  const double tolerance = s[0] * static_cast<double>(largest) * std::numeric_limits<double>::epsilon();
  return static_cast<std::size_t>(std::count_if(s.begin(), s.end(), [&](double x) { return x > tolerance; }));
}

namespace {

std::vector<double> doubles(const std::optional<ExactArray>& array) {
  std::vector<double> result;
  if (!array) return result;
  std::visit(
      [&](const auto& entries) {
        result.reserve(entries.size());
        for (const auto& x : entries) {
          if constexpr (std::is_same_v<std::decay_t<decltype(x)>, mpq_class>)
            result.push_back(x.get_d());
          else
            result.push_back(static_cast<double>(x));
        }
      },
      array->storage());
  return result;
}

}  // namespace

namespace {

// Calls visit(h, t, coefficients) for every head and example, with the weights of the case and its scale.
template <class Visit>
void for_each_softmax(const Case& c, Visit visit) {
  const Dimensions& dims = *c.layer;
  const std::size_t T = dims.examples, H = dims.heads, d = dims.embed_dim, m = dims.head_dim;
  const std::vector<double> contexts = doubles(c.data.contexts), queries = doubles(c.data.queries),
                            key = doubles(c.weights->key), query = doubles(c.weights->query),
                            combined = doubles(c.weights->combined), bias = doubles(c.weights->query_bias),
                            projected_keys = doubles(c.weights->projected_keys),
                            projected_queries = doubles(c.weights->projected_queries);
  const LogitScale& s = dims.logit_scale;
  const double scale = s.irrational() ? 1 / std::sqrt(static_cast<double>(s.radicand)) : s.rational.get_d();
  std::vector<double> direction(d), projection(m), logits;
  for (std::size_t h = 0; h < H; ++h)
    for (std::size_t t = 0; t < T; ++t) {
      logits.assign(c.tokens(t), 0.0);
      // W_h e_t, plus the part of the query bias. Key biases add the same number to all logits.
      const double* e = &queries[queries.empty() ? 0 : t * d];
      std::fill(direction.begin(), direction.end(), 0.0);
      if (!projected_keys.empty()) {
        const std::size_t groups = c.weights->projected_keys->shape()[1],
                          size = c.weights->projected_keys->shape()[2];
        const double* query_of_head = &projected_queries[(t * H + h) * size];
        for (std::size_t i = 0; i < logits.size(); ++i) {
          const double* key_of_head = &projected_keys[(c.key_row(t, i) * groups + h * groups / H) * size];
          for (std::size_t k = 0; k < size; ++k) logits[i] += scale * query_of_head[k] * key_of_head[k];
        }
      } else if (!combined.empty()) {
        for (std::size_t j = 0; j < d; ++j)
          for (std::size_t k = 0; k < d; ++k) direction[j] += combined[(h * d + j) * d + k] * e[k];
      } else {
        for (std::size_t k = 0; k < m; ++k) projection[k] = bias.empty() ? 0 : bias[h * m + k];
        for (std::size_t j = 0; j < d; ++j)
          for (std::size_t k = 0; k < m; ++k) projection[k] += query[(h * d + j) * m + k] * e[j];
        for (std::size_t j = 0; j < d; ++j)
          for (std::size_t k = 0; k < m; ++k) direction[j] += key[(h * d + j) * m + k] * projection[k];
      }
      for (std::size_t i = 0; i < logits.size() && projected_keys.empty(); ++i) {
        const double* token = &contexts[c.token_row(t, i) * d];
        double sum = 0;
        for (std::size_t j = 0; j < d; ++j) sum += token[j] * direction[j];
        logits[i] = scale * sum;
      }
      if (dims.sigmoid) {
        for (double& l : logits) l = 1 / (1 + (dims.base == Base::e ? std::exp(-l) : std::exp2(-l)));
        visit(h, t, logits);
        continue;
      }
      double most = *std::max_element(logits.begin(), logits.end()), sum = 0;
      if (dims.sink) {
        const double sink = c.weights->sink->at(h).get_d();
        most = std::max(most, sink);
        sum = dims.base == Base::e ? std::exp(sink - most) : std::exp2(sink - most);
      }
      for (double& l : logits) sum += l = dims.base == Base::e ? std::exp(l - most) : std::exp2(l - most);
      for (double& l : logits) l /= sum;
      visit(h, t, logits);
    }
}

}  // namespace

std::vector<double> binary64_largest_coefficients(const Case& c) {
  const std::size_t T = c.layer->examples;
  std::vector<double> largest(c.layer->heads * T);
  for_each_softmax(c, [&](std::size_t h, std::size_t t, const std::vector<double>& coefficients) {
    largest[h * T + t] = *std::max_element(coefficients.begin(), coefficients.end());
  });
  return largest;
}

namespace {

// Column-major T x H d; empty where binary64 overflows.
std::vector<double> binary64_z(const Case& c) {
  const std::size_t T = c.layer->examples, d = c.layer->embed_dim;
  const std::vector<double> contexts = doubles(c.data.contexts);
  std::vector<double> z(T * c.layer->heads * d), row(d);
  for_each_softmax(c, [&](std::size_t h, std::size_t t, const std::vector<double>& coefficients) {
    std::fill(row.begin(), row.end(), 0.0);
    for (std::size_t i = 0; i < coefficients.size(); ++i)
      for (std::size_t j = 0; j < d; ++j) row[j] += coefficients[i] * contexts[c.token_row(t, i) * d + j];
    for (std::size_t j = 0; j < d; ++j) z[(h * d + j) * T + t] = row[j];
  });
  if (!std::all_of(z.begin(), z.end(), [](double x) { return std::isfinite(x); })) z.clear();
  return z;
}

}  // namespace

std::vector<double> binary64_singular_values(const Case& c) {
  std::vector<double> z = binary64_z(c);
  if (z.empty()) return z;
  return singular_values(std::move(z), c.layer->examples, c.layer->heads * c.layer->embed_dim);
}

std::optional<double> binary64_largest_singular_value(const Case& c) {
  constexpr std::size_t kSmall = 1024;
  const std::size_t T = c.layer->examples, width = c.layer->heads * c.layer->embed_dim;
  std::vector<double> z = binary64_z(c);
  if (z.empty()) return std::nullopt;
  if (std::min(T, width) <= kSmall) return singular_values(std::move(z), T, width)[0];
  return largest_singular_value(std::move(z), T, width);
}

}  // namespace attest
