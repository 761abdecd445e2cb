// CPU seconds of the parts of `attest rank`, one thread, on data in memory: conversion of entries,
// elimination beside dgemm, and the whole rank of a layer with binary32 contexts of their own.
//
//   bench_rank [T n d H d_h]...    each five numbers one layer; none: the parts only

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <numeric>
#include <string>

#include "problem/generate.hpp"
#include "search/affine_hull.hpp"
#include "search/arithmetic/echelon.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/character_z.hpp"

extern "C" void cblas_dgemm(int, int, int, int, int, int, double, const double*, int, const double*, int,
                            double, double*, int);

using namespace attest;

namespace {

double cpu_seconds() {
  std::timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// A line of /proc/self/status that counts kB.
double memory_gb(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == name && status >> word) return std::stod(word) * 1024e-9;
  return 0;
}

template <class Work>
double median_seconds(int runs, Work work) {
  std::vector<double> seconds;
  for (int k = 0; k < runs; ++k) {
    const double start = cpu_seconds();
    work();
    seconds.push_back(cpu_seconds() - start);
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

// Uniform in (-1, 1) with 24 bits, scaled.
std::vector<float> random_floats(SplitMix64& random, std::size_t count, float scale) {
  std::vector<float> result(count);
  for (float& x : result) x = (static_cast<float>(random.next() >> 40) * 0x1p-23f - 1) * scale;
  return result;
}

double dgemm_rate() {
  constexpr int kRowMajor = 101, kNoTrans = 111, n = 2000;
  std::vector<double> a(static_cast<std::size_t>(n) * n, 0.5), b = a, c = a;
  const double seconds = median_seconds(3, [&] {
    cblas_dgemm(kRowMajor, kNoTrans, kNoTrans, n, n, n, 1, a.data(), n, b.data(), n, 0, c.data(), n);
  });
  return 2.0 * n * n * n / seconds;
}

void parts(double dgemm) {
  SplitMix64 random(1, 0);
  const std::size_t count = std::size_t{1} << 22, tile = std::size_t{1} << 16;
  const std::vector<float> floats = random_floats(random, count, 1);
  const std::vector<double> doubles(floats.begin(), floats.end());
  const BalancedResidues residues(small_prime(0));
  std::vector<double> out(tile);
  auto nanoseconds = [&](const auto& values) {
    return 1e9 / static_cast<double>(count) * median_seconds(5, [&] {
             for (std::size_t k = 0; k < count; k += tile)
               residues.convert(values.data() + k, tile, out.data());
           });
  };
  std::printf("a number mod p: binary32 %.2f ns, binary64 %.2f ns\n", nanoseconds(floats),
              nanoseconds(doubles));
  std::printf("dgemm: %.1f Gflop/s\n", dgemm / 1e9);
  for (const auto& [m, n] :
       {std::pair<std::size_t, std::size_t>{1000, 1000}, {2000, 2000}, {4000, 4000}, {6133, 9216}}) {
    const std::uint64_t p = small_prime(0);
    Echelon echelon(p, n);
    std::vector<double> rows(512 * n);
    std::vector<std::size_t> names;
    double seconds = 0;
    for (std::size_t first = 0; first < m; first += names.size()) {
      names.resize(std::min<std::size_t>(512, m - first));
      std::iota(names.begin(), names.end(), first);
      for (std::size_t k = 0; k < names.size() * n; ++k) rows[k] = blas::balanced(random.below(p), p);
      seconds += median_seconds(1, [&] { echelon.add_rows(rows.data(), names); });
    }
    const double small = static_cast<double>(std::min(m, n)), large = static_cast<double>(std::max(m, n));
    const double rate = small * small * (large - small / 3) / seconds;
    std::printf("elimination %zu x %zu: rank %zu, %.3f s, %.1f Gflop/s, %.0f %% of dgemm\n", m, n,
                echelon.rank(), seconds, rate / 1e9, 100 * rate / dgemm);
  }
}

void layer(std::size_t T, std::size_t n, std::size_t d, std::size_t H, std::size_t d_h) {
  SplitMix64 random(2, 0);
  Case c;
  c.layer.emplace();
  c.layer->examples = T;
  c.layer->context = n;
  c.layer->embed_dim = d;
  c.layer->heads = H;
  c.layer->head_dim = d_h;
  auto array = [&](std::vector<std::size_t> shape, float scale) {
    const std::size_t size = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    return ExactArray(std::move(shape), random_floats(random, size, scale));
  };
  c.data.contexts = array({T, n, d}, 1);
  c.data.queries = array({T, d}, 1);
  c.weights.emplace();
  c.weights->key = array({H, d, d_h}, 0.04f);
  c.weights->query = array({H, d, d_h}, 0.04f);
  std::ofstream("/proc/self/clear_refs") << 5;  // forgets the peak so far
  const double before = memory_gb("VmRSS:");
  const AttentionLayer attention(c, *c.weights);
  std::size_t rank = 0;
  const double hull = median_seconds(1, [&] { (void)AffineHull(c); });
  const double seconds = median_seconds(1, [&] {
    const auto found = rank_under(attention, small_character(attention.ring(), 0));
    rank = found ? found->rank() : 0;
  });
  std::printf(
      "T=%zu n=%zu d=%zu H=%zu d_h=%zu: rank %zu, hull %.3f s, rank %.3f s, %.1f ns per number, %.2f GB "
      "beyond the "
      "data (Z: %.2f GB)\n",
      T, n, d, H, d_h, rank, hull, seconds, 1e9 * (hull + seconds) / static_cast<double>(T * n * d),
      memory_gb("VmHWM:") - before, static_cast<double>(T * H * d * 8) / 1e9);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) parts(dgemm_rate());
  for (int k = 1; k + 4 < argc; k += 5)
    layer(std::stoul(argv[k]), std::stoul(argv[k + 1]), std::stoul(argv[k + 2]), std::stoul(argv[k + 3]),
          std::stoul(argv[k + 4]));
  return 0;
}
