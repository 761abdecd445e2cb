#include "attention/enclosed_z.hpp"

#include <algorithm>

#include "input/errors.hpp"
#include "input/meter.hpp"

namespace attest {
namespace {

/// The tokens of one example, over one denominator.
struct Tokens {
  std::vector<mpz_class> num;  ///< n x d
  mpz_class den;
  mpz_class largest;  ///< absolute value of a numerator

  Tokens(const AttentionLayer& layer, std::size_t t) {
    std::vector<mpq_class> all;
    for (std::size_t i = 0; i < layer.tokens(t); ++i)
      for (mpq_class& x : layer.token(t, i)) all.push_back(std::move(x));
    RationalVector together = rational_vector(all);
    num = std::move(together.num);
    den = std::move(together.den);
    for (const mpz_class& x : num)
      if (mpz_cmpabs(x.get_mpz_t(), largest.get_mpz_t()) > 0) largest = abs(x);
  }
};

/// Key and query weights of one head as integers over one denominator each: logits of many examples without a
/// greatest common divisor for every sum.
class IntegerHead {
public:
  /// Precondition: the weights are factors of a case.
  IntegerHead(const AttentionLayer& layer, std::size_t h)
      : d_(layer.dims().embed_dim), m_(layer.dims().head_dim) {
    const Weights& weights = *layer.weights();
    std::vector<mpq_class> key, query;
    for (std::size_t i = 0; i < d_ * m_; ++i) {
      key.push_back(weights.key->at(h * d_ * m_ + i));
      query.push_back(weights.query->at(h * d_ * m_ + i));
    }
    for (std::size_t k = 0; weights.query_bias && k < m_; ++k)
      query.push_back(weights.query_bias->at(h * m_ + k));
    key_ = rational_vector(key);
    query_ = rational_vector(query);
  }

  /// As AttentionLayer::logits for Rings other than two.
  std::vector<mpq_class> logits(const RationalVector& e, const Tokens& tokens) const {
    meter().work(16 * d_ * (2 * m_ + tokens.num.size() / d_));
    std::vector<mpz_class> direction(d_), result(tokens.num.size() / d_);
    for (std::size_t k = 0; k < m_; ++k) {
      mpz_class sum = query_.num.size() > d_ * m_ ? mpz_class(query_.num[d_ * m_ + k] * e.den) : mpz_class(0);
      for (std::size_t j = 0; j < d_; ++j) add(sum, query_.num[j * m_ + k], e.num[j]);
      for (std::size_t j = 0; j < d_; ++j) add(direction[j], key_.num[j * m_ + k], sum);
    }
    const mpz_class den = key_.den * query_.den * e.den * tokens.den;
    std::vector<mpq_class> all;
    for (std::size_t i = 0; i < result.size(); ++i) {
      for (std::size_t j = 0; j < d_; ++j) add(result[i], tokens.num[i * d_ + j], direction[j]);
      all.emplace_back(result[i], den);
      all.back().canonicalize();
    }
    return all;
  }

private:
  static void add(mpz_class& sum, const mpz_class& a, const mpz_class& b) {
    mpz_addmul(sum.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
  }

  std::size_t d_, m_;
  RationalVector key_, query_;
};

/// floor(x 2^bits) for its lower end, and how much its upper end, rounded up, is above it.
class Rounded {
public:
  Rounded() {
    arf_init(end_);
    fmpz_init(integer_);
  }
  ~Rounded() {
    arf_clear(end_);
    fmpz_clear(integer_);
  }
  Rounded(const Rounded&) = delete;
  Rounded& operator=(const Rounded&) = delete;

  mpz_class least, width;
  void set(const Ball& x, slong bits, slong precision) {
    if (!arb_is_finite(x.get())) throw LimitError("ball arithmetic overflows");
    arb_get_lbound_arf(end_, x.get(), precision);
    least = end(bits, ARF_RND_FLOOR);
    arb_get_ubound_arf(end_, x.get(), precision);
    width = end(bits, ARF_RND_CEIL) - least;
  }

private:
  mpz_class end(slong bits, arf_rnd_t rounding) {
    arf_mul_2exp_si(end_, end_, bits);
    arf_get_fmpz(integer_, end_, rounding);
    mpz_class result;
    fmpz_get_mpz(result.get_mpz_t(), integer_);
    return result;
  }

  arf_t end_;
  fmpz_t integer_;
};

}  // namespace

EnclosedZ enclosed_z(const AttentionLayer& layer, std::size_t bits) {
  const std::size_t T = layer.dims().examples, H = layer.heads(), d = layer.dims().embed_dim;
  const auto precision = static_cast<slong>(bits + 64);
  EnclosedZ z{Matrix<mpz_class>(T, H * d), 0};
  std::optional<Tokens> tokens;
  std::vector<IntegerHead> heads;
  const bool factors = layer.ring() != Ring::two && layer.weights() && layer.weights()->key;
  for (std::size_t h = 0; factors && h < H; ++h) heads.emplace_back(layer, h);
  // Logits of Ring::two have been multiplied by the scale.
  const LogitScale scale = layer.ring() == Ring::two ? LogitScale() : layer.dims().logit_scale;
  Rounded coefficient;
  mpz_class entry;
  for (std::size_t t = 0; t < T; ++t) {
    if (!tokens || !layer.data().shared_context) tokens.emplace(layer, t);
    const RationalVector query = factors ? rational_vector(layer.query(t)) : RationalVector();
    for (std::size_t h = 0; h < H; ++h) {
      std::vector<Ball> powers = scaled_powers(
          layer.base(), scale, factors ? heads[h].logits(query, *tokens) : layer.logits(t, h), precision);
      Ball sum;
      for (const Ball& power : powers) arb_add(sum.get(), sum.get(), power.get(), precision);
      std::vector<mpz_class> row(d);
      mpz_class width = 0;
      for (std::size_t i = 0; i < powers.size(); ++i) {
        arb_div(powers[i].get(), powers[i].get(), sum.get(), precision);
        coefficient.set(powers[i], static_cast<slong>(bits), precision);
        width += coefficient.width;
        for (std::size_t j = 0; j < d; ++j)
          mpz_addmul(row[j].get_mpz_t(), coefficient.least.get_mpz_t(), tokens->num[i * d + j].get_mpz_t());
      }
      meter().work(powers.size() * (d * (bits / 64 + 2) + 100 * (40 + bits * bits / 4096)));
      for (std::size_t j = 0; j < d; ++j)
        mpz_fdiv_q(z.entries(t, h * d + j).get_mpz_t(), row[j].get_mpz_t(), tokens->den.get_mpz_t());
      entry = width * tokens->largest / tokens->den + 2;
      z.radius = std::max(z.radius, entry);
    }
  }
  return z;
}

}  // namespace attest
