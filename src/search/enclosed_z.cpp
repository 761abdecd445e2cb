#include "search/enclosed_z.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/meter.hpp"
#include "base/progress.hpp"
#include "search/arithmetic/owned.hpp"

namespace attest {
namespace {

/// The tokens of one example, over one denominator.
struct Tokens {
  std::vector<mpz_class> num;  ///< n x d
  mpz_class den;
  mpz_class largest;  ///< absolute value of a numerator

  explicit Tokens(const std::vector<RationalVector>& context) : den(1) {
    for (const RationalVector& token : context)
      mpz_lcm(den.get_mpz_t(), den.get_mpz_t(), token.den.get_mpz_t());
    for (const RationalVector& token : context)
      for (const mpz_class& x : token.num) {
        num.push_back(x * (den / token.den));
        if (mpz_cmpabs(num.back().get_mpz_t(), largest.get_mpz_t()) > 0) largest = abs(num.back());
      }
  }
};

/// floor(x 2^bits) for its lower end, and how much its upper end, rounded up, is above it.
class Rounded {
public:
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

  OwnedFloat end_;
  OwnedInteger integer_;
};

}  // namespace

EnclosedZ enclosed_z(const AttentionLayer& layer, std::size_t bits) {
  const std::size_t T = layer.dims().examples, H = layer.heads(), d = layer.dims().embed_dim;
  const auto precision = static_cast<slong>(bits + 64);
  EnclosedZ z{Matrix<mpz_class>(T, H * d), 0};
  std::optional<Tokens> tokens;
  // Logits of Ring::two have been multiplied by the scale.
  const LogitScale scale = layer.ring() == Ring::two ? LogitScale() : layer.dims().logit_scale;
  Rounded coefficient;
  mpz_class entry;
  for (std::size_t t = 0; t < T; ++t) {
    report_progress("enclosing Z", t, T);
    if (!tokens || !layer.data().shared_context) tokens.emplace(layer.context(t));
    for (std::size_t h = 0; h < H; ++h) {
      std::vector<Ball> powers = scaled_powers(layer.base(), scale, layer.logits(t, h), precision);
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
