#include "search/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/errors.hpp"
#include "problem/generate.hpp"
#include "search/arithmetic/modular.hpp"

namespace attest {
namespace {

// Work limits. They decide how far exact reasons are looked for, never what is true.
constexpr std::size_t kSmallLogits = 20000;     // T H n
constexpr std::size_t kSmallEntries = 40000;    // T H d
constexpr std::size_t kExpandedTerms = 300000;  // of one product of softmax denominators
constexpr std::size_t kTinyRows = 12, kTinyColumns = 32;
constexpr std::size_t kTinyDegree = 400;

// n^k, or kExpandedTerms + 1 when that is more.
std::size_t capped_power(std::size_t n, std::size_t k) {
  std::size_t result = 1;
  while (k-- > 0 && result <= kExpandedTerms) result *= n;
  return std::min(result, kExpandedTerms + 1);
}

}  // namespace

bool SmallLayer::fits(const AttentionLayer& layer) {
  const Dimensions& dims = layer.dims();
  return dims.examples * dims.heads * dims.context <= kSmallLogits &&
         dims.examples * dims.heads * dims.embed_dim <= kSmallEntries;
}

SmallLayer::SmallLayer(const AttentionLayer& layer, const Blocks& blocks)
    : layer_(layer),
      blocks_(blocks),
      ring_{layer.ring() == Ring::two},
      T_(layer.dims().examples),
      heads_(blocks.heads),
      n_(layer.dims().context),
      d_(blocks.width) {
  for (std::size_t t = 0; t < T_; ++t) {
    for (std::size_t h = 0; h < (blocks.outputs ? heads_ : 1); ++h)
      tokens_.push_back(blocks.tokens(layer.exact(), t, h));
    for (std::size_t h = 0; h < heads_; ++h) {
      std::vector<mpq_class> l = layer.logits(t, blocks.first + h);
      std::vector<Quotient>& quotients = quotients_.emplace_back();
      if (layer.dims().sigmoid) {
        for (std::size_t i = 0; i < l.size(); ++i) {
          const mpq_class up = std::max<mpq_class>(l[i], 0);
          quotients.push_back({{i}, expanded(ring_, {up, up - l[i]})});
        }
        continue;
      }
      const mpq_class least = *std::min_element(l.begin(), l.end());
      for (mpq_class& x : l) x -= least;
      quotients.push_back({range(0, layer.tokens(t)), expanded(ring_, l)});
    }
  }
}

std::size_t SmallLayer::different_logits(std::size_t t, std::size_t h) const {
  std::size_t terms = 1;
  for (const Quotient& each : quotients_[t * heads_ + h])
    terms = std::min(terms * each.powers.sum.size(), kExpandedTerms);
  return terms;
}

std::vector<std::size_t> SmallLayer::heads_of(const SparseVector& x) const {
  std::vector<std::size_t> support;
  for (const auto& [col, value] : x)
    if (support.empty() || support.back() != col / d_) support.push_back(col / d_);
  return support;
}

double SmallLayer::work_from_the_right(const SparseVector& x) const {
  const std::vector<std::size_t> support = heads_of(x);
  const auto heads = static_cast<double>(support.size());
  double terms = std::pow(static_cast<double>(n_), heads);
  for (std::size_t h = 0; h < heads_ && quotients_[h].size() > 1; ++h)
    terms = std::max(terms, std::pow(2.0, heads * static_cast<double>(quotients_[h].size())));
  return static_cast<double>(T_) * heads * terms;
}

double SmallLayer::work_from_the_left(const SparseVector& y) const {
  double work = 0;
  for (std::size_t h = 0; h < heads_; ++h) {
    double terms = 1;
    for (const auto& [t, value] : y) terms *= static_cast<double>(different_logits(t, h));
    work += terms * static_cast<double>(y.size() * d_);
  }
  return work;
}

bool SmallLayer::annihilated_from_the_right(const SparseVector& x) const {
  for (std::size_t t = 0; t < T_; ++t)
    if (!annihilates_from_right(ring_, layer_.exact_logits(), blocks_, t, x)) return false;
  return true;
}

bool SmallLayer::annihilated_from_the_left(const SparseVector& y) const {
  for (std::size_t h = 0; h < heads_; ++h)
    if (!annihilates_from_left(ring_, layer_.exact_logits(), blocks_, h, y)) return false;
  return true;
}

std::optional<Matrix<std::uint64_t>> SmallLayer::image(const Character& c) const {
  Matrix<std::uint64_t> z(T_, width());
  for (std::size_t t = 0; t < T_; ++t)
    for (std::size_t h = 0; h < heads_; ++h) {
      for (const Quotient& each : quotients_[t * heads_ + h]) {
        const auto sum = image_of(each.powers.sum, c);
        if (!sum || *sum == 0) return std::nullopt;
        const std::uint64_t inverse = inverse_mod(*sum, c.p);
        for (std::size_t k = 0; k < each.tokens.size(); ++k) {
          const std::uint64_t alpha = multiply_mod(*image_of(each.powers.powers[k], c), inverse, c.p);
          for (std::size_t j = 0; j < d_; ++j) {
            const auto x = residue(tokens(t, h)[each.tokens[k]][j], c.p);
            if (!x) return std::nullopt;
            std::uint64_t& entry = z(t, h * d_ + j);
            entry = (entry + multiply_mod(alpha, *x, c.p)) % c.p;
          }
        }
      }
    }
  return z;
}

std::optional<KernelWitness> SmallLayer::rational_kernel(bool left, const KernelEffort& effort) const {
  // Rational kernel vectors are in the kernel of Z under every character of one prime; vectors that are not
  // rational leave the common kernel when enough points g are asked. Left kernels of the row-wise, right
  // kernels of the column-wise concatenation: of random combinations of the columns (rows) of each point,
  // when all of them together would be more than it takes.
  const std::size_t length = left ? T_ : width(), other = left ? width() : T_;
  const Character first = large_character(layer_.ring(), 0);
  const std::size_t points = ring_.two ? 1 : std::max({std::size_t{3}, effort.points, length / other + 2});
  const std::size_t combinations = points == 1 ? other : std::min(other, 2 * length / points + 1);
  Matrix<std::uint64_t> stacked(length, combinations * points);
  SplitMix64 random(1, 0);
  for (std::size_t k = 0; k < points; ++k) {
    Character c = first;
    if (k > 0) c.g = power_mod(first.g, 3 * k + 4, first.p);
    const auto z = image(c);
    if (!z) return std::nullopt;
    const auto entry = [&](std::size_t i, std::size_t j) { return left ? (*z)(i, j) : (*z)(j, i); };
    for (std::size_t l = 0; l < combinations; ++l)
      for (std::size_t j = 0; j < other; ++j) {
        if (combinations == other && j != l) continue;
        const std::uint64_t factor = combinations == other ? 1 : random.below(first.p);
        for (std::size_t i = 0; i < length; ++i) {
          std::uint64_t& sum = stacked(i, k * combinations + l);
          sum = (sum + multiply_mod(factor, entry(i, j), first.p)) % first.p;
        }
      }
  }
  const Matrix<std::uint64_t> kernel = left_kernel(stacked, first.p);
  std::vector<std::pair<double, SparseVector>> candidates;
  for (std::size_t k = 0; k < kernel.rows(); ++k) {
    SparseVector v;
    bool rational = true;
    for (std::size_t i = 0; i < length && rational; ++i) {
      if (kernel(k, i) == 0) continue;
      const auto value = reconstructed(kernel(k, i), first.p);
      rational = value.has_value();
      if (rational) v.push_back({i, {{0, *value}}});
    }
    if (!rational) continue;
    const double work = left ? work_from_the_left(v) : work_from_the_right(v);
    candidates.emplace_back(work, std::move(v));
  }
  // The cheapest first, as far as the effort goes.
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<SparseVector> vectors;
  double left_over = effort.work;
  for (auto& [work, v] : candidates) {
    left_over -= work;
    if (left_over < 0) break;
    if (left ? annihilated_from_the_left(v) : annihilated_from_the_right(v)) vectors.push_back(std::move(v));
  }
  if (vectors.empty()) return std::nullopt;
  const std::size_t count = vectors.size();
  return independent(std::move(vectors), left, count);
}

std::optional<KernelWitness> SmallLayer::rational_right_kernel() const {
  return rational_kernel(false, {});
}
std::optional<KernelWitness> SmallLayer::rational_left_kernel(const KernelEffort& effort) const {
  return rational_kernel(true, effort);
}

// Picks vectors that are independent under some character, `expected` of them.
std::optional<KernelWitness> SmallLayer::independent(std::vector<SparseVector> vectors, bool left,
                                                     std::size_t expected) const {
  const std::size_t length = left ? T_ : width();
  for (std::size_t attempt = 0; attempt < 8; ++attempt) {
    const Character c = small_character(layer_.ring(), attempt);
    Matrix<std::uint64_t> m(vectors.size(), length);
    bool valid = true;
    for (std::size_t k = 0; k < vectors.size() && valid; ++k)
      for (const auto& [i, value] : vectors[k]) {
        const auto r = image_of(value, c);
        valid = r.has_value();
        if (!valid) break;
        m(k, i) = *r;
      }
    if (!valid) continue;
    const MinorIndices minor = rank_profiles(m, c.p);
    if (minor.rank() < expected) continue;
    KernelWitness witness;
    witness.left = left;
    witness.character = c;
    for (std::size_t k : minor.rows) witness.vectors.push_back(vectors[k]);
    return witness;
  }
  return std::nullopt;
}

std::optional<KernelWitness> SmallLayer::elimination() const {
  if (T_ > kTinyRows || width() > kTinyColumns || capped_power(n_, heads_) > kExpandedTerms ||
      capped_power(2, heads_ * quotients_[0].size()) > kExpandedTerms)
    return std::nullopt;
  // Z without denominators: row t is multiplied by the product of its denominators.
  GroupRingMatrix z(T_);
  std::vector<RingElement> denominators;
  for (std::size_t t = 0; t < T_; ++t) {
    std::vector<std::pair<const Quotient*, std::size_t>> of_row;  // and their heads
    for (std::size_t h = 0; h < heads_; ++h)
      for (const Quotient& each : quotients_[t * heads_ + h]) of_row.emplace_back(&each, h);
    const auto others = [&](const Quotient* but) {
      RingElement product = ring_.power(0);
      for (const auto& [each, h] : of_row)
        if (each != but) product = ring_.multiply(product, each->powers.sum);
      return product;
    };
    denominators.push_back(others(nullptr));
    z[t].resize(width());
    for (const auto& [each, h] : of_row) {
      const RingElement factor = others(each);
      kernel::Context context;
      for (const std::size_t i : each->tokens) context.push_back(tokens(t, h)[i]);
      for (std::size_t j = 0; j < d_; ++j)
        ring_.add(z[t][h * d_ + j], ring_.multiply(numerator(ring_, each->powers, context, j), factor), 1);
    }
  }
  const bool left = T_ < width();
  if (left) {
    GroupRingMatrix transposed(width());
    for (std::size_t j = 0; j < width(); ++j)
      for (std::size_t t = 0; t < T_; ++t) transposed[j].push_back(z[t][j]);
    z = std::move(transposed);
  }
  const std::size_t length = left ? T_ : width();
  const auto kernel = right_kernel(z, length, layer_.ring(), kTinyDegree);
  if (!kernel || kernel->empty()) return std::nullopt;
  std::vector<SparseVector> vectors;
  mpz_class field_degree = 1;
  for (const auto& row : z)
    for (const auto& e : row)
      for (const auto& [x, c] : e)
        mpz_lcm(field_degree.get_mpz_t(), field_degree.get_mpz_t(), x.get_den_mpz_t());
  for (const auto& v : *kernel) {
    SparseVector sparse;
    for (std::size_t i = 0; i < length; ++i) {
      const RingElement value = left ? ring_.multiply(v[i], denominators[i]) : v[i];
      if (!value.empty()) sparse.emplace_back(i, value);
    }
    // Verified like every other witness: nothing that a library says is trusted.
    if (!(left ? annihilated_from_the_left(sparse) : annihilated_from_the_right(sparse))) return std::nullopt;
    vectors.push_back(std::move(sparse));
  }
  const std::size_t expected = ring_.two ? vectors.size() / field_degree.get_ui() : vectors.size();
  return independent(std::move(vectors), left, expected);
}

}  // namespace attest
