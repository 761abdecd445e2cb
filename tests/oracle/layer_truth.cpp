// Quantities of a layer and its Z: by high precision, or by characters where that does not suffice.
#include <algorithm>
#include <set>

#include "tests/oracle/oracle.hpp"

namespace attest::test {
namespace {

constexpr long kMostBits = 40'000;

}  // namespace

Answer Oracle::judge_rank(const Bound& bound, long range, const std::function<RealMatrix()>& make) {
  // A non-zero minor is often seen early; a zero needs more bits than the entries differ by.
  const long enough = 1000 + 6 * range;
  for (const long bits : {256L, enough, 4 * enough}) {
    if (bits > kMostBits) break;
    const Precision precision(bits);
    const RealRank found = rank(make());
    const mpz_class least = integer(found.least);
    if (bound.at_least && least >= bound.number) return Answer::yes;
    if (!bound.at_least && least > bound.number) return Answer::no;
    if (found.exact && bits >= enough) return bound.of(least);
  }
  return Answer::unknown;
}

Answer Oracle::judge_blocks(const Bound& bound) const {
  const Layer layer = given();
  const AllLogits all = all_logits(layer);
  const std::string& of = bound.quantity;
  const bool outputs = of.find("outputs") != std::string::npos, ones = of.find("|1") != std::string::npos,
             beside = of.ends_with("Y)");
  const std::size_t first = of.starts_with("rank(head") ? claim.size("head") : 0,
                    last = of.starts_with("rank(head") ? first + 1 : H;
  return judge_rank(bound, spread(all, layer.scaled), [&] {
    const Real factor = unit(layer.scaled);
    RealMatrix m(T);
    for (std::size_t t = 0; t < T; ++t) {
      for (std::size_t h = first; h < last; ++h) {
        const std::vector<Real> alpha = coefficients(all[h][t], factor);
        const std::size_t width = outputs ? source.weights->value->shape()[2] : d;
        for (std::size_t k = 0; k < width; ++k) {
          Real sum;
          for (std::size_t i = 0; i < tokens[t].size(); ++i) {
            Q value = outputs ? Q(0) : tokens[t][i][k];
            for (std::size_t j = 0; outputs && j < d; ++j)
              value += tokens[t][i][j] * source.weights->value->at((h * d + j) * width + k);
            if (outputs && source.weights->value_bias) value += source.weights->value_bias->at(h * width + k);
            sum += alpha[i] * Real(value);
          }
          m[t].push_back(std::move(sum));
        }
      }
      if (ones) m[t].emplace_back(1);
      for (std::size_t o = 0; beside && o < d_out; ++o) m[t].emplace_back(labels[t][o]);
    }
    return m;
  });
}

Answer Oracle::judge_saturated(const Bound& bound) const {
  if (!source.weights) return Answer::unknown;
  const Layer layer = given();
  const AllLogits all = all_logits(layer);
  const long bits = 1000 + 6 * spread(all, layer.scaled);
  if (bits > kMostBits) return Answer::unknown;
  const Precision precision(bits);
  const Real factor = unit(layer.scaled), threshold(claim.number("threshold"));
  std::size_t above = 0;
  for (std::size_t h = 0; h < H; ++h) {
    if (claim.has("head") && claim.integer("head") != integer(h)) continue;
    for (std::size_t t = 0; t < T; ++t) {
      const std::vector<Real> coefficients = softmax(all[h][t], factor);
      above += std::any_of(coefficients.begin(), coefficients.end(), [&](const Real& x) {
        return x > threshold && (x - threshold).exponent() > -bits / 2;
      });
    }
  }
  return bound.of(integer(above));
}

Answer Oracle::judge_numerical_rank(const Bound& bound) const {
  constexpr std::size_t kMostValues = 30;
  if (!source.weights || std::min(T, H * d) > kMostValues) return Answer::unknown;
  const Layer layer = given();
  const AllLogits all = all_logits(layer);
  const long bits = 400 + 4 * spread(all, layer.scaled);
  if (bits > kMostBits / 4) return Answer::unknown;
  const Precision precision(bits);
  return singular_values(bound, z(all, layer.scaled), bits);
}

Answer Oracle::singular_values(const Bound& bound, const RealMatrix& m, long bits) const {
  const bool tall = T > H * d;
  const auto entry = [&](std::size_t i, std::size_t k) { return tall ? m[k][i] : m[i][k]; };
  RealMatrix gram(std::min(T, H * d));
  for (std::size_t i = 0; i < gram.size(); ++i) {
    for (std::size_t j = 0; j < gram.size(); ++j) {
      Real sum;
      for (std::size_t k = 0; k < std::max(T, H * d); ++k) sum += entry(i, k) * entry(j, k);
      gram[i].push_back(std::move(sum));
    }
  }
  const Real square = Real(claim.number("tolerance") * claim.number("tolerance"));
  std::size_t above = 0;
  for (const Real& value : eigenvalues(gram))
    above += value > square && (value - square).exponent() > -bits / 2 ? 1 : 0;
  return bound.of(integer(above));
}

RealMatrix Oracle::scores(const RealMatrix& means) const {
  const Weights& w = source.weights.value();
  const auto entry = [](const std::optional<ExactArray>& array, std::size_t i) {
    return array ? Real(array->at(i)) : Real();
  };
  const std::size_t d_v = w.value ? w.value->shape()[2] : d;
  const std::size_t m = w.output ? w.output->shape()[2] : H * d_v;
  RealMatrix result(T);
  for (std::size_t t = 0; t < T; ++t) {
    std::vector<Real> values, outputs(m);
    for (std::size_t h = 0; h < H; ++h) {
      for (std::size_t k = 0; k < d_v; ++k) {
        Real sum = w.value ? Real() : means[t][h * d + k];
        for (std::size_t j = 0; w.value && j < d; ++j)
          sum += means[t][h * d + j] * entry(w.value, (h * d + j) * d_v + k);
        values.push_back(sum + entry(w.value_bias, h * d_v + k));
      }
    }
    for (std::size_t j = 0; j < m; ++j) {
      outputs[j] = entry(w.output_bias, j) + entry(w.skip, t * m + j);
      if (!w.output) outputs[j] += values[j];
      for (std::size_t k = 0; w.output && k < H * d_v; ++k)
        outputs[j] += values[k] * entry(w.output, k * m + j);
    }
    for (std::size_t o = 0; o < d_out; ++o) {
      Real sum = w.readout ? Real() : outputs[o];
      for (std::size_t j = 0; w.readout && j < m; ++j) sum += outputs[j] * entry(w.readout, j * d_out + o);
      result[t].push_back(sum + entry(w.readout_bias, o));
    }
  }
  return result;
}

Answer Oracle::judge_accurate(const Bound& bound) const {
  const Layer layer = given();
  const AllLogits all = all_logits(layer);
  const long bits = 1000 + 6 * spread(all, layer.scaled);
  if (bits > kMostBits) return Answer::unknown;
  const Precision precision(bits);
  return right_examples(bound, z(all, layer.scaled), bits);
}

Answer Oracle::right_examples(const Bound& bound, const RealMatrix& means, long bits) const {
  const auto above = [&](const Real& x, const Real& y) { return x > y && (x - y).exponent() > -bits / 2; };
  const RealMatrix found = scores(means);
  std::size_t right = 0;
  for (std::size_t t = 0; t < T; ++t) {
    bool good = true;
    if (claim.has("epsilon")) {
      const Real epsilon(claim.number("epsilon"));
      for (std::size_t o = 0; o < d_out; ++o)
        good = good && !above(abs(found[t][o] - Real(labels[t][o])), epsilon);
    } else {
      const std::size_t own = claim.array("classes").at(t).get_num().get_ui();
      if (d_out == 1) good = own == 1 ? above(found[t][0], Real()) : above(Real(), found[t][0]);
      for (std::size_t o = 0; d_out > 1 && o < d_out; ++o)
        good = good && (o == own || above(found[t][own], found[t][o]));
    }
    right += good ? 1 : 0;
  }
  return bound.of(integer(right));
}

Answer Oracle::judge_different_rows(const Bound& bound) const {
  if (!bound.at_least && bound.number >= integer(T)) return Answer::yes;  // as many as there are rows
  if (!source.weights) {
    std::set<std::pair<Rows, Row>> examples;
    for (std::size_t t = 0; t < T; ++t) examples.emplace(tokens[t], queries[t]);
    return !bound.at_least && bound.number >= integer(examples.size()) ? Answer::yes : Answer::unknown;
  }
  const Layer layer = given();
  const AllLogits all = all_logits(layer);
  const long wanted = 1000 + 6 * spread(all, layer.scaled), bits = std::min<long>(wanted, kMostBits);
  const Precision precision(bits);
  const std::size_t different = different_rows(z(all, layer.scaled), bits);
  const Answer found = bound.of(integer(different));
  // At less precision rows that look equal may differ, but not the other way round.
  return wanted == bits || (bound.at_least && found == Answer::yes) ? found : Answer::unknown;
}

std::size_t Oracle::different_rows(const RealMatrix& m, long bits) const {
  std::vector<std::size_t> first;
  for (std::size_t t = 0; t < T; ++t) {
    const bool again = std::any_of(first.begin(), first.end(), [&](std::size_t s) {
      for (std::size_t j = 0; j < m[t].size(); ++j) {
        const Real difference = m[t][j] - m[s][j];
        if (difference.exponent() > -bits / 2) return false;
      }
      return true;
    });
    if (!again) first.push_back(t);
  }
  return first.size();
}

Answer Oracle::judge_layer(const Bound& bound, const Layer& layer) const {
  const AllLogits all = all_logits(layer);
  const Answer found = judge_rank(bound, spread(all, layer.scaled), [&] { return z(all, layer.scaled); });
  if (found != Answer::unknown) return found;
  return by_characters(bound, all, layer.scaled,
                       [&](std::size_t t, const std::vector<Residues>& alpha, std::uint64_t p) {
                         Residues row;
                         for (std::size_t h = 0; h < H; ++h)
                           for (std::size_t j = 0; j < d; ++j) {
                             std::uint64_t entry = 0;
                             for (std::size_t i = 0; i < tokens[t].size(); ++i)
                               entry = (entry + times(alpha[h][i], residue(tokens[t][i][j], p), p)) % p;
                             row.push_back(entry);
                           }
                         return std::vector<Residues>{row};
                       });
}

Answer Oracle::by_characters(const Bound& bound, const AllLogits& all, bool scaled,
                             const RowsOfExample& rows_of) const {
  const LogitScale& scale = source.layer->logit_scale;
  const bool two = source.layer->base == Base::two && !(scaled && scale.irrational());
  const Q factor = two && scaled ? scale.rational : Q(1);
  std::size_t largest = 0;
  mpz_class q = mpz_class(1) << 59;
  for (int sample = 0; sample < 3; ++sample) {
    mpz_class prime;  // 2 q + 1; 7 mod 8, so that 2 and 4 are squares and have order q
    do {
      mpz_nextprime(q.get_mpz_t(), q.get_mpz_t());
      prime = 2 * q + 1;
    } while (prime % 8 != 7 || mpz_probab_prime_p(prime.get_mpz_t(), 30) == 0);
    const std::uint64_t p = prime.get_ui();
    const mpz_class g = two ? 2 : 4 + sample * 5;
    const mpz_class base = two ? g : mpz_class(g * g);
    std::vector<Residues> m;
    for (std::size_t t = 0; t < T; ++t) {
      std::vector<Residues> alpha;
      for (std::size_t h = 0; h < H; ++h) {
        Residues& powers = alpha.emplace_back();
        const bool sigmoid = source.layer->sigmoid;
        std::uint64_t sum = sigmoid ? 1 : 0;
        for (const Q& x : all[h][t]) {
          const mpz_class exponent = integer(residue(x * factor, q.get_ui()));
          mpz_class power;
          mpz_powm(power.get_mpz_t(), base.get_mpz_t(), exponent.get_mpz_t(), prime.get_mpz_t());
          powers.push_back(power.get_ui());
          if (sigmoid)
            powers.back() = times(powers.back(), inverse((powers.back() + 1) % p, p), p);
          else
            sum = (sum + power.get_ui()) % p;
        }
        if (sum == 0) return Answer::unknown;
        for (std::uint64_t& power : powers) power = times(power, inverse(sum, p), p);
      }
      for (Residues& row : rows_of(t, alpha, p)) m.push_back(std::move(row));
    }
    largest = std::max(largest, rank(m, p));
  }
  return bound.of(integer(largest));
}

}  // namespace attest::test
