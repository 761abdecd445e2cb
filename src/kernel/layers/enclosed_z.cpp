#include "kernel/layers/enclosed_z.hpp"

#include <algorithm>

#include "kernel/arithmetic/powers.hpp"
#include "kernel/layers/stack_enclosures.hpp"
#include "theory/failure.hpp"

namespace attest::kernel {
namespace {

/// Numbers in the ratios of the coefficients of head h at example t, with the case's scale, and their sum;
/// with `lambda`, the coefficients, in what contains them for all lambdas of its separator from there on.
std::vector<Enclosure> coefficients(Logits& logits, std::size_t h, std::size_t t, std::size_t bits,
                                    const Rational* lambda, Powers& power, Enclosure& sum) {
  const Problem& problem = logits.problem;
  const Head& head = logits.layer.heads[h];
  const bool tail = lambda != nullptr && head.lambda && dot(head.query.back(), problem.query(t)) != 0;
  const Vector logit = logits(h, t, !tail);
  sum = {};
  if (!tail) return power.of(logit, sum);
  Powers plain(problem.source.layer->base, bits);
  std::vector<Enclosure> result;
  const std::vector<Rational> x = entries(separated(problem, head.key.back(), head.query.back(), t)),
                              y = entries(logit);
  const auto largest = std::max_element(x.begin(), x.end());
  ENSURE(std::count(x.begin(), x.end(), *largest) == 1,
         "one largest entry of (E_t u)(v . e_t) in head " + count(h) + " at example " + count(t), "more");
  const auto place = static_cast<std::size_t>(largest - x.begin());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Rational exponent = std::min<Rational>(y[i] - y[place] - *lambda * (*largest - x[i]), 0);
    result.push_back({0, plain(exponent.get_num(), exponent.get_den()).most});
    sum.most += result.back().most;
  }
  // 1 minus the others, of which the peak, as b^0 = 1, is none.
  result[place].least = (Integer(2) << bits) - sum.most;
  sum.least = sum.most = Integer(1) << bits;
  return result;
}

bool smaller(const Integer& x, const Integer& y) {
  return mpz_cmpabs(x.get_mpz_t(), y.get_mpz_t()) < 0;
}

}  // namespace

EnclosedZ enclosed_z(Logits& logits, const std::vector<std::size_t>& rows,
                     const std::vector<std::size_t>& cols, std::size_t bits, const Rational* lambda,
                     bool one_radius) {
  const Problem& problem = logits.problem;
  ENSURE(problem.source.layer->convex(), "enclosures of a plain softmax", "a sink, or sigmoid coefficients");
  if (problem.has_stack()) return stack_enclosed_z(problem, logits.layer, rows, cols, bits, one_radius);
  std::set<std::size_t> heads;
  for (const std::size_t col : cols) heads.insert(col / problem.d);
  logits.expect(std::move(heads), rows);
  EnclosedZ z{IntegerMatrix(rows.size()), IntegerMatrix(rows.size())};
  Powers power(problem.source.layer->base, bits, left_scale(problem, logits.layer.ring));
  // An entry is sum_i p_i x_i / S for entries x_i of tokens, p_i at most r_i / 2 from m_i / 2 and S, the sum
  // of the p_i, between l and s. It is at most (sum_i r_i |x_i| + |Q| (s - l)) / (2 l) from Q = sum_i m_i x_i
  // / (l + s).
  Integer mid, rad, rest, den, size;
  std::vector<Integer> factors, sizes;  // den / token.den, and the largest entries of the tokens times den
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Context& tokens = problem.context(rows[k]);
    if (k == 0 || !problem.source.data.shared_context) {
      den = common_denominator(tokens);
      factors.clear();
      sizes.clear();
      for (const Vector& token : tokens) {
        factors.push_back(den / token.den);
        if (one_radius) sizes.push_back(abs(*std::ranges::max_element(token.num, smaller)) * factors.back());
      }
      if (one_radius) size = *std::ranges::max_element(sizes);
    }
    // Of one head: m_i and r_i times den / token.den; (l + s) den, (s - l) den and 2 S den.
    std::vector<Integer> mids, rads;
    Integer divisor, reach, least, most;
    std::size_t head = problem.H;
    for (const std::size_t col : cols) {
      if (col / problem.d != head) {
        head = col / problem.d;
        Enclosure sum;
        mids.clear();
        rads.clear();
        rad = 0;
        for (const auto& p : coefficients(logits, head, rows[k], bits, lambda, power, sum)) {
          const std::size_t i = mids.size();
          if (one_radius) rad += (p.most - p.least) * sizes[i];
          mids.push_back((p.least + p.most) * factors[i]);
          if (!one_radius) rads.push_back((p.most - p.least) * factors[i]);
        }
        divisor = (sum.least + sum.most) * den;
        reach = (sum.most - sum.least) * den;
        least = 2 * den * sum.least;
        if (one_radius) {
          rad += (sum.most - sum.least) * size;
          rad <<= bits;
          most = std::max<Integer>(most, rad / least + 2);
        }
      }
      mid = rad = 0;
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        const mpz_srcptr entry = tokens[i].num[col % problem.d].get_mpz_t();
        mpz_addmul(mid.get_mpz_t(), mids[i].get_mpz_t(), entry);
        if (one_radius || rads[i] == 0) continue;
        (mpz_sgn(entry) < 0 ? mpz_submul : mpz_addmul)(rad.get_mpz_t(), rads[i].get_mpz_t(), entry);
      }
      mid <<= bits;
      mpz_fdiv_qr(mid.get_mpz_t(), rest.get_mpz_t(), mid.get_mpz_t(), divisor.get_mpz_t());
      z.mid[k].push_back(mid);
      if (one_radius) continue;
      rad <<= bits;
      rad += (abs(mid) + (rest == 0 ? 0 : 1)) * reach;  // 0 where all tokens have the entry 0
      mpz_cdiv_q(rad.get_mpz_t(), rad.get_mpz_t(), least.get_mpz_t());
      z.rad[k].push_back(rest == 0 ? rad : Integer(rad + 1));
    }
    if (one_radius) z.rad[k].push_back(most);
  }
  return z;
}

}  // namespace attest::kernel
