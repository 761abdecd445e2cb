// Relations between the rows of Z that hold for all weights. Rational ones are looked for at a single W
// (Kronecker's substitution), which sends different sums X of the matrices E_{t,i} e_t^T to different numbers
// <W, X>. The others, over the field of functions of W, are Cramer's: those of the examples in a circuit of
// the matroid of rows.
#include "proofs/relations.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "base/meter.hpp"
#include "problem/generate.hpp"
#include "proofs/matrix_rank.hpp"
#include "search/arithmetic/modular.hpp"
#include "search/kernels.hpp"

namespace attest {
namespace {

// So many examples in at most this dimension; shown with so many terms, which is more work for the checker
// than for the prover.
constexpr std::size_t kExamples = 300, kDimension = 64;
constexpr double kRelationWork = 1e6;
// The same for relations over functions of the weights.
constexpr std::size_t kCircuitExamples = 24, kCircuitDimension = 8;

// The largest absolute value of an entry over the common denominator of all.
mpz_class largest_numerator(const ExactArray& array) {
  mpz_class den = 1;
  for (std::size_t k = 0; k < array.size(); ++k)
    mpz_lcm(den.get_mpz_t(), den.get_mpz_t(), array.at(k).get_den_mpz_t());
  mpz_class largest = 0;
  for (std::size_t k = 0; k < array.size(); ++k) {
    const mpq_class scaled = array.at(k) * den;
    largest = std::max(largest, mpz_class(abs(scaled.get_num())));
  }
  return largest;
}

// Kronecker's weights: u_j = B^j, v_k = B^(dk). With B > 4 T A, A the largest numerator of an entry of a
// token times that of a query, <W, X> tells apart all sums X of at most T differences of the matrices
// E_{t,i} e_t^T with different tokens i of the same example. With sigmoid coefficients there are as many as
// tokens; a sink's logit is a digit beyond all others.
HeadFactors kronecker_weights(const Case& c) {
  const std::size_t d = c.layer->embed_dim;
  std::size_t terms = c.layer->examples;
  for (std::size_t t = 0; c.layer->sigmoid && t < c.layer->examples; ++t) terms += c.tokens(t);
  const mpz_class base = 4 * mpz_class(static_cast<unsigned long>(terms)) *
                             largest_numerator(*c.data.contexts) * largest_numerator(*c.data.queries) +
                         1;
  HeadFactors w{{{}}, {{}}, 0};
  for (std::size_t j = 0; j < d; ++j) {
    mpz_class power;
    mpz_pow_ui(power.get_mpz_t(), base.get_mpz_t(), j);
    w.key[0].num.push_back(power);
    mpz_pow_ui(power.get_mpz_t(), base.get_mpz_t(), j * d);
    w.query[0].num.push_back(power);
  }
  mpz_class digit;
  mpz_pow_ui(digit.get_mpz_t(), base.get_mpz_t(), d * d);
  w.sink = digit;
  return w;
}

}  // namespace

bool small_enough_for_relations(const Case& c) {
  return c.layer->examples <= kExamples && c.layer->embed_dim <= kDimension;
}

void add_rational_relations(const Case& c, const std::string& of, ProofScript& script) {
  if (!small_enough_for_relations(c)) return;
  // As functions of real weights the powers of 2 are as independent as those of e.
  Case one_head = c;
  one_head.layer->heads = 1;
  one_head.layer->base = Base::e;
  const AttentionLayer layer(one_head, {kronecker_weights(c)});
  if (!SmallLayer::fits(layer)) return;
  // One point for each dimension that the rows may span.
  const auto kernel = SmallLayer(layer).rational_left_kernel({c.layer->examples + 2, kRelationWork});
  if (!kernel || c.layer->examples - kernel->vectors.size() >= upper_bound_of(script, of)) return;
  std::vector<SparseRational> vectors;
  for (const SparseVector& vector : kernel->vectors) {
    vectors.emplace_back();
    for (const auto& [t, value] : vector) vectors.back().emplace_back(t, value.begin()->second);
  }
  script.label("relations of the examples that hold for all weights")
      .zero(of, ProofScript::Side::left, vectors, c.layer->examples, prime_of_independence(vectors));
}

namespace {

// A sum of c b^X: X the entries of H matrices, as integers over a common denominator.
using Exponent = std::vector<std::int64_t>;
using Sum = std::map<Exponent, mpz_class>;

struct TooMuch {};

// Z for all weights: its sums of powers, the tokens as integers over their denominator.
class GenericZ {
public:
  explicit GenericZ(const Case& c)
      : T(c.layer->examples), H(c.layer->heads), d(c.layer->embed_dim), size_(H * d * d) {
    std::vector<std::vector<RationalVector>> tokens;
    mpz_class query_den = 1;
    for (std::size_t t = 0; t < T; ++t) {
      tokens.emplace_back();
      for (std::size_t i = 0; i < c.tokens(t); ++i) {
        tokens[t].push_back(RationalVector(*c.data.contexts, c.token_row(t, i) * d, d));
        mpz_lcm(token_den_.get_mpz_t(), token_den_.get_mpz_t(), tokens[t][i].den.get_mpz_t());
      }
      queries_.push_back(RationalVector(*c.data.queries, t * d, d));
      mpz_lcm(query_den.get_mpz_t(), query_den.get_mpz_t(), queries_[t].den.get_mpz_t());
    }
    for (std::size_t t = 0; t < T; ++t) {
      tokens_.emplace_back();
      for (const RationalVector& token : tokens[t]) tokens_[t].push_back(scaled(token, token_den_));
      queries_[t].num = scaled(queries_[t], query_den);
    }
    den_ = token_den_ * query_den;
  }

  const std::size_t T, H, d;

  const mpz_class& den() const { return den_; }
  // S_{t,h}, and coordinate j of its product with row t of Z, times the denominator of the tokens.
  Sum sum(std::size_t t, std::size_t h) const {
    return weighted(t, h, [](const std::vector<mpz_class>&) { return mpz_class(1); });
  }
  Sum numerator(std::size_t t, std::size_t h, std::size_t j) const {
    return weighted(t, h, [j](const std::vector<mpz_class>& token) { return token[j]; });
  }

  Sum product(const Sum& a, const Sum& b) {
    if (static_cast<double>(a.size()) * static_cast<double>(b.size()) > work_) throw TooMuch{};
    work_ -= static_cast<double>(a.size() * b.size());
    meter().work(a.size() * b.size() * (60 + size_));
    Sum result;
    Exponent x(size_);
    for (const auto& [ax, ac] : a) {
      for (const auto& [bx, bc] : b) {
        for (std::size_t i = 0; i < size_; ++i) x[i] = ax[i] + bx[i];
        mpz_class& c = result[x];
        c += ac * bc;
        if (c == 0) result.erase(x);
      }
    }
    return result;
  }

  // Z mod p under b^X -> g^<W, X> for a W that is random mod q.
  ModularMatrix image(const Character& at, SplitMix64& random) const {
    std::vector<std::uint64_t> w(size_);
    for (std::uint64_t& x : w) x = random.below(at.q);
    const auto value = [&](const Sum& sum) {
      std::uint64_t result = 0;
      for (const auto& [x, c] : sum) {
        std::uint64_t exponent = 0;
        for (std::size_t i = 0; i < size_; ++i) {
          const auto q = static_cast<std::int64_t>(at.q);
          exponent =
              (exponent + multiply_mod(w[i], static_cast<std::uint64_t>((x[i] % q + q) % q), at.q)) % at.q;
        }
        const std::uint64_t power = power_mod(at.g, exponent, at.p);
        result = (result + multiply_mod(mpz_fdiv_ui(c.get_mpz_t(), at.p), power, at.p)) % at.p;
      }
      return result;
    };
    ModularMatrix z(T, H * d);
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t h = 0; h < H; ++h) {
        const std::uint64_t s = value(sum(t, h));
        if (s == 0) throw TooMuch{};
        for (std::size_t j = 0; j < d; ++j)
          z(t, h * d + j) = multiply_mod(value(numerator(t, h, j)), inverse_mod(s, at.p), at.p);
      }
    return z;
  }

  // Whether sum_t y_t (row t of Z) = 0, by multiplying out.
  bool annihilated(const std::vector<std::size_t>& rows, const std::vector<Sum>& y) {
    for (std::size_t h = 0; h < H; ++h) {
      std::vector<Sum> factors = y;
      for (std::size_t k = 0; k < rows.size(); ++k)
        for (std::size_t other = 0; other < rows.size(); ++other)
          if (other != k) factors[k] = product(factors[k], sum(rows[other], h));
      for (std::size_t j = 0; j < d; ++j) {
        Sum total;
        for (std::size_t k = 0; k < rows.size(); ++k)
          add(total, product(factors[k], numerator(rows[k], h, j)), false);
        if (!total.empty()) return false;
      }
    }
    return true;
  }

  Sum one() const { return {{Exponent(size_), 1}}; }
  static void add(Sum& sum, const Sum& term, bool negative) {
    for (const auto& [x, c] : term)
      if ((sum[x] += negative ? mpz_class(-c) : c) == 0) sum.erase(x);
  }

  // Cramer's relation of rows of which any rows.size() - 1 are independent in these columns, sum_k y_k (row
  // rows[k] of Z) = 0, divided by what all values have in common.
  std::vector<Sum> relation(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols) {
    std::vector<Sum> y = cramer(rows, cols);
    mpz_class content = 0;
    Exponent least;
    for (const Sum& value : y) {
      for (const auto& [x, c] : value) {
        mpz_gcd(content.get_mpz_t(), content.get_mpz_t(), c.get_mpz_t());
        if (least.empty()) least = x;
        for (std::size_t i = 0; i < size_; ++i) least[i] = std::min(least[i], x[i]);
      }
    }
    for (Sum& value : y) {
      Sum divided;
      for (const auto& [x, c] : value) {
        Exponent rest = x;
        for (std::size_t i = 0; i < size_; ++i) rest[i] -= least[i];
        divided.emplace(std::move(rest), c / content);
      }
      value = std::move(divided);
    }
    return y;
  }

private:
  std::vector<Sum> cramer(const std::vector<std::size_t>& rows, const std::vector<std::size_t>& cols) {
    std::set<std::size_t> heads;
    for (const std::size_t col : cols) heads.insert(col / d);
    const auto all_but = [&](std::size_t t, std::size_t head) {  // a product of sums
      Sum result = one();
      for (const std::size_t h : heads)
        if (h != head) result = product(result, sum(t, h));
      return result;
    };
    // Minors of the first k columns, by sets of k rows.
    std::map<std::size_t, Sum> minors = {{0, one()}};
    for (const std::size_t col : cols) {
      std::map<std::size_t, Sum> larger;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const Sum entry = product(numerator(rows[k], col / d, col % d), all_but(rows[k], col / d));
        for (const auto& [set, minor] : minors) {
          if ((set >> k & 1) != 0) continue;
          const bool odd = (std::popcount(set >> k) & 1) != 0;  // members after k
          add(larger[set | std::size_t{1} << k], product(entry, minor), odd);
        }
      }
      minors = std::move(larger);
    }
    std::vector<Sum> y(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::size_t others = ((std::size_t{1} << rows.size()) - 1) ^ (std::size_t{1} << k);
      add(y[k], product(minors[others], all_but(rows[k], H)), k % 2 == 1);
    }
    return y;
  }

  static std::vector<mpz_class> scaled(const RationalVector& v, const mpz_class& den) {
    std::vector<mpz_class> result;
    for (const mpz_class& x : v.num) result.push_back(x * (den / v.den));
    return result;
  }

  template <class Coefficient>
  Sum weighted(std::size_t t, std::size_t h, Coefficient coefficient) const {
    Sum result;
    for (const std::vector<mpz_class>& token : tokens_[t]) {
      Exponent x(size_);
      for (std::size_t j = 0; j < d; ++j)
        for (std::size_t k = 0; k < d; ++k) {
          const mpz_class entry = token[j] * queries_[t].num[k];
          if (mpz_sizeinbase(entry.get_mpz_t(), 2) > 40) throw TooMuch{};
          x[(h * d + j) * d + k] = entry.get_si();
        }
      mpz_class& c = result[x];
      c += coefficient(token);
      if (c == 0) result.erase(x);
    }
    return result;
  }

  std::size_t size_;
  mpz_class token_den_ = 1, den_;
  std::vector<std::vector<std::vector<mpz_class>>> tokens_;
  std::vector<RationalVector> queries_;                            ///< over the denominator of all
  double work_ = std::min(2e6, 4e8 / static_cast<double>(size_));  ///< products of terms
};

// As a value of a step: [["c", [[i, "x"], ...]], ...].
Json terms_of(const Sum& sum, const mpz_class& den) {
  Json terms = Json::array();
  for (const auto& [x, c] : sum) {
    Json exponent = Json::array();
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] == 0) continue;
      mpq_class entry(mpz_class(static_cast<long>(x[i])), den);
      entry.canonicalize();
      exponent.push_back(Json::array({Json(i), Json(entry)}));
    }
    terms.push_back(Json::array({Json(mpq_class(c)), exponent}));
  }
  return terms;
}

}  // namespace

void add_generic_relations(const Case& c, ProofScript& script) {
  if (!c.layer->convex()) return;
  if (c.layer->examples > kCircuitExamples || c.layer->embed_dim > kCircuitDimension) return;
  try {
    GenericZ z(c);
    SplitMix64 random(1, 0);
    const Character at = large_character(Ring::independent, 0);
    const ModularMatrix image = z.image(at, random);
    // One relation for each example that depends on those of a basis before it: each has an index of its own.
    const ModularMatrix kernel = left_kernel(image, at.p);
    if (z.T - kernel.rows() >= upper_bound_of(script, "capacity")) return;
    Json vectors = Json::array();
    for (std::size_t k = 0; k < kernel.rows(); ++k) {
      std::vector<std::size_t> rows;
      for (std::size_t t = 0; t < z.T; ++t)
        if (kernel(k, t) != 0) rows.push_back(t);
      const MinorIndices minor = rank_profiles(submatrix(image, rows), at.p);
      if (minor.rank() + 1 != rows.size()) return;
      const std::vector<Sum> y = z.relation(rows, minor.cols);
      if (!z.annihilated(rows, y)) return;
      Json vector = Json::array();
      for (std::size_t i = 0; i < rows.size(); ++i)
        vector.push_back(Json::array({Json(rows[i]), terms_of(y[i], z.den())}));
      vectors.push_back(std::move(vector));
    }
    script.label("relations of the examples whose coefficients are functions of the weights")
        .zero("capacity", ProofScript::Side::left, vectors, z.T, 0);
  } catch (const TooMuch&) {
    // No relation is shown.
  }
}

}  // namespace attest
