// Sign descent (signSGD) on a cell's data: weights as training leaves them, not drawn independently of the
// data. Compiled without fused operations (CMakeLists.txt), so that the signs are the same everywhere.
#include <algorithm>
#include <cmath>

#include "farm/explore/cell_case.hpp"
#include "problem/generate.hpp"

namespace attest {
namespace {

constexpr int kSteps = 16;
// Streams of their own, as those of src/problem/generate.hpp.
constexpr std::uint64_t kReadOut = 17, kLabels = 18;

// exp by IEEE operations alone: libraries differ in the last bit. x <= 0.
double exponential(double x) {
  if (!(x >= -700)) return 0;  // also where logits overflow
  const double k = std::floor(x / 0.6931471805599453 + 0.5);
  const double r = x - k * 0.6931471805599453;
  double sum = 1;
  for (int j = 14; j > 0; --j) sum = 1 + sum * r / j;
  return std::ldexp(sum, static_cast<int>(k));
}

using Vector = std::vector<double>;

void draw(std::vector<int>& out, std::size_t count, SplitMix64 random, int bound) {
  for (std::size_t k = 0; k < count; ++k)
    out.push_back(static_cast<int>(random.below(2 * static_cast<std::uint64_t>(bound) + 1)) - bound);
}

}  // namespace

EighthWeights trained_like(const Cell& cell, const CellData& data) {
  const std::size_t n = cell.n, d = cell.d, H = cell.H, K = cell.d_h, T = cell.T;
  Vector contexts, queries;
  for (const mpq_class& x : data.contexts) contexts.push_back(x.get_d());
  for (const mpq_class& x : data.queries) queries.push_back(x.get_d());
  const double scale = cell.base == Base::e ? 1 : 0.6931471805599453;
  EighthWeights w;
  std::vector<int> read_out, bits;
  draw(w.key, H * d * K, {cell.seed, stream::key}, 4);
  draw(w.query, H * d * K, {cell.seed, stream::query}, 4);
  draw(read_out, H * d, {cell.seed, kReadOut}, 4);
  SplitMix64 labels(cell.seed, kLabels);
  for (std::size_t t = 0; t < T; ++t) bits.push_back(labels.below(2) == 0 ? -1 : 1);

  // Outputs sum_h o_h . z_{t,h}; loss: half the sum of squared errors.
  for (int step = 0; step < kSteps; ++step) {
    Vector key_gradient(H * d * K, 0), query_gradient(H * d * K, 0), read_out_gradient(H * d, 0);
    Vector alpha(H * n), keys(H * n * K), projected(H * K), z(H * d);
    for (std::size_t t = 0; t < T; ++t) {
      const double* tokens = &contexts[cell.fresh ? t * n * d : 0];
      const double* e = &queries[t * d];
      double output = 0;
      for (std::size_t h = 0; h < H; ++h) {
        const int* key = &w.key[h * d * K];
        const int* query = &w.query[h * d * K];
        for (std::size_t k = 0; k < K; ++k) {
          projected[h * K + k] = 0;
          for (std::size_t j = 0; j < d; ++j) projected[h * K + k] += e[j] * query[j * K + k] / 8;
        }
        double largest = -INFINITY, sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
          double logit = 0;
          for (std::size_t k = 0; k < K; ++k) {
            double& x = keys[(h * n + i) * K + k];
            x = 0;
            for (std::size_t j = 0; j < d; ++j) x += tokens[i * d + j] * key[j * K + k] / 8;
            logit += x * projected[h * K + k];
          }
          alpha[h * n + i] = logit * scale;
          largest = std::max(largest, logit * scale);
        }
        for (std::size_t i = 0; i < n; ++i) sum += alpha[h * n + i] = exponential(alpha[h * n + i] - largest);
        for (std::size_t i = 0; i < n; ++i) alpha[h * n + i] /= sum;
        for (std::size_t j = 0; j < d; ++j) {
          double& x = z[h * d + j];
          x = 0;
          for (std::size_t i = 0; i < n; ++i) x += alpha[h * n + i] * tokens[i * d + j];
          output += x * read_out[h * d + j] / 8;
        }
      }
      const double error = output - bits[t];
      for (std::size_t h = 0; h < H; ++h) {
        Vector gain(n, 0);
        double mean = 0;
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j < d; ++j) gain[i] += tokens[i * d + j] * read_out[h * d + j] / 8;
          mean += alpha[h * n + i] * gain[i];
        }
        for (std::size_t i = 0; i < n; ++i) {
          const double slope = error * alpha[h * n + i] * (gain[i] - mean);
          for (std::size_t k = 0; k < K; ++k)
            for (std::size_t j = 0; j < d; ++j) {
              key_gradient[(h * d + j) * K + k] += slope * tokens[i * d + j] * projected[h * K + k];
              query_gradient[(h * d + j) * K + k] += slope * e[j] * keys[(h * n + i) * K + k];
            }
        }
        for (std::size_t j = 0; j < d; ++j) read_out_gradient[h * d + j] += error * z[h * d + j];
      }
    }
    const auto descend = [](std::vector<int>& weights, const Vector& gradient) {
      for (std::size_t k = 0; k < weights.size(); ++k)
        if (gradient[k] != 0) weights[k] += gradient[k] > 0 ? -1 : 1;
    };
    descend(w.key, key_gradient);
    descend(w.query, query_gradient);
    descend(read_out, read_out_gradient);
  }
  return w;
}

}  // namespace attest
