#include "search/jacobian_kernel.hpp"

#include <algorithm>
#include <map>

#include "kernel/layers/jacobian.hpp"
#include "search/arithmetic/group_ring.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/arithmetic/rational.hpp"
#include "search/character_jacobian.hpp"

namespace attest {
namespace {

// Terms of all entries, columns of J, and entries of it.
constexpr double kTerms = 3e6;
constexpr std::size_t kColumns = 200, kEntries = 40000;

// A head with exact weights. No query: combined weights.
struct ExactHead {
  RationalMatrix key, query, readout;  ///< d x m, d x m, d x d_out
  std::vector<mpq_class> bias;         ///< m, or none
};

ExactHead exact_head(const AttentionLayer& layer, std::size_t h) {
  const Weights& w = *layer.weights();
  const Dimensions& dims = layer.dims();
  const std::size_t d = dims.embed_dim, m = w.combined ? d : dims.head_dim;
  ExactHead head;
  head.key = rational_rows(w.combined ? *w.combined : *w.key, m, h * d, d);
  if (!w.combined) head.query = rational_rows(*w.query, m, h * d, d);
  for (std::size_t k = 0; w.query_bias && k < m; ++k) head.bias.push_back(w.query_bias->at(h * m + k));
  head.readout = RationalMatrix(d, dims.output_dim);
  const std::vector<std::vector<mpq_class>> rows = kernel::readout(layer.exact(), w, h);
  for (std::size_t j = 0; j < d; ++j) std::ranges::copy(rows[j], head.readout.row(j));
  return head;
}

// How the logits of the tokens move with each entry of key and query.
std::vector<std::vector<mpq_class>> directions(const ExactHead& head, const RationalMatrix& tokens,
                                               const std::vector<mpq_class>& e) {
  const std::size_t n = tokens.rows(), d = tokens.cols(), m = head.key.cols();
  const bool combined = head.query.cols() == 0;
  std::vector<mpq_class> projected = combined ? e : head.bias;
  projected.resize(m);
  for (std::size_t k = 0; !combined && k < m; ++k)
    for (std::size_t j = 0; j < d; ++j) projected[k] += head.query(j, k) * e[j];
  const RationalMatrix keys = tokens * head.key;
  std::vector<std::vector<mpq_class>> result;
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t k = 0; k < m; ++k) {
      result.emplace_back();
      for (std::size_t i = 0; i < n; ++i) result.back().push_back(tokens(i, j) * projected[k]);
    }
  for (std::size_t j = 0; !combined && j < d; ++j)
    for (std::size_t k = 0; k < m; ++k) {
      result.emplace_back();
      for (std::size_t i = 0; i < n; ++i) result.back().push_back(e[j] * keys(i, k));
    }
  return result;
}

}  // namespace

// Row (t, o) of J times the squares of its softmax denominators is a sum of powers of b with coefficients in
// Q^columns; x annihilates it when it annihilates each coefficient.
std::vector<std::vector<mpz_class>> rational_kernel_of_jacobian(const AttentionLayer& layer) {
  const Dimensions& dims = layer.dims();
  const std::size_t T = dims.examples, H = dims.heads, d = dims.embed_dim, d_out = dims.output_dim,
                    width = jacobian_width(layer), of_head = width / H;
  double terms = static_cast<double>(T * d_out * width);
  for (std::size_t h = 0; h < H; ++h) terms *= static_cast<double>(dims.context * dims.context);
  if (width > kColumns || T * d_out * width > kEntries || terms > kTerms) return {};
  const kernel::PowerSums ring{layer.ring() == Ring::two};
  std::vector<ExactHead> heads;
  for (std::size_t h = 0; h < H; ++h) heads.push_back(exact_head(layer, h));
  std::vector<std::map<std::size_t, mpq_class>> equations;
  for (std::size_t t = 0; t < T; ++t) {
    const std::size_t n = layer.tokens(t);
    RationalMatrix tokens(n, d);
    for (std::size_t i = 0; i < n; ++i) {
      const std::vector<mpq_class> token = layer.token(t, i);
      std::copy(token.begin(), token.end(), tokens.row(i));
    }
    std::vector<std::vector<mpq_class>> logits;
    std::vector<RingElement> sums;
    for (std::size_t h = 0; h < H; ++h) {
      logits.push_back(layer.logits(t, h));
      sums.push_back(expanded(ring, logits[h]).sum);
    }
    std::vector<std::map<mpq_class, std::map<std::size_t, mpq_class>>> row(d_out);  // by exponent
    for (std::size_t h = 0; h < H; ++h) {
      RingElement others = ring.power(0);
      for (std::size_t g = 0; g < H; ++g)
        if (g != h) others = ring.multiply(ring.multiply(others, sums[g]), sums[g]);
      const RationalMatrix values = tokens * heads[h].readout;
      const auto moved = directions(heads[h], tokens, entries(layer.exact().query(t)));
      const auto add = [&](std::size_t o, std::size_t column, const RingElement& entry) {
        for (const auto& [x, c] : ring.multiply(entry, others)) row[o][x][h * of_head + column] = c;
      };
      for (std::size_t column = 0; column < moved.size(); ++column)
        for (std::size_t o = 0; o < d_out; ++o) {
          RingElement entry;
          for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < i; ++k)
              ring.add_term(entry, (moved[column][i] - moved[column][k]) * (values(i, o) - values(k, o)),
                            logits[h][i] + logits[h][k]);
          add(o, column, entry);
        }
      for (std::size_t j = 0; j < d; ++j) {
        RingElement entry;
        for (std::size_t i = 0; i < n; ++i) ring.add_term(entry, tokens(i, j), logits[h][i]);
        for (std::size_t o = 0; o < d_out; ++o)
          add(o, moved.size() + j * d_out + o, ring.multiply(entry, sums[h]));
      }
    }
    for (const auto& by_exponent : row)
      for (const auto& [x, equation] : by_exponent) equations.push_back(equation);
  }
  // A basis of the equations mod a prime, which may be too few: then some equation does not hold.
  for (std::size_t attempt = 0;; ++attempt) {
    const std::uint64_t p = large_prime(attempt);
    IndependentVectors independent(p);
    std::vector<const std::map<std::size_t, mpq_class>*> basis;
    bool defined = true;
    for (const auto& equation : equations) {
      std::vector<std::uint64_t> image(width);
      for (const auto& [column, value] : equation) {
        const auto r = residue(value, p);
        defined = defined && r.has_value();
        image[column] = r.value_or(0);
      }
      if (independent.add(std::move(image))) basis.push_back(&equation);
    }
    RationalMatrix chosen(basis.size(), width);
    for (std::size_t i = 0; i < basis.size(); ++i)
      for (const auto& [column, value] : *basis[i]) chosen(i, column) = value;
    const std::vector<std::vector<mpz_class>> kernel = right_kernel(chosen);
    const auto holds = [&](const std::map<std::size_t, mpq_class>& equation) {
      return std::ranges::all_of(kernel, [&](const std::vector<mpz_class>& x) {
        mpq_class sum = 0;
        for (const auto& [column, value] : equation) sum += value * x[column];
        return sum == 0;
      });
    };
    if (defined && std::ranges::all_of(equations, holds)) return kernel;
  }
}

}  // namespace attest
