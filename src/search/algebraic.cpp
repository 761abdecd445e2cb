#include "search/algebraic.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "base/errors.hpp"
#include "base/meter.hpp"
#include "problem/generate.hpp"
#include "search/arithmetic/rational.hpp"
#include "search/deep.hpp"

namespace attest {
namespace {

// How far identities are looked for; never what is true.
constexpr std::size_t kLogits = 20000, kRingEntries = 40000;  // T H n, T H d
constexpr std::size_t kProducts = 500'000;
constexpr std::size_t kTurned = 8;  // square roots whose signs are turned
constexpr std::uint64_t kFreeSquares = std::uint64_t{1} << 40;
constexpr std::size_t kOtherSquares = 13;
constexpr double kTermsOfOne = 1e6;  // multiplied out to show one vector

std::vector<mpq_class> zeros(std::size_t d) {
  return std::vector<mpq_class>(d);
}

int sign(const mpq_class& a, const mpq_class& b, const mpz_class& n) {  // of a + b sqrt(n)
  if (sgn(a) == 0 || sgn(b) == 0 || sgn(a) == sgn(b)) return sgn(a) == 0 ? sgn(b) : sgn(a);
  return sgn(a) * cmp(a * a, b * b * n);
}

QuadraticVector after(const Before& layer, const QuadraticVector& x) {
  const std::size_t d = x.rational.size();
  if (layer.kind == Before::Kind::rmsnorm) {
    // 1 / sqrt(p / q) = sqrt(p q) / p.
    const mpq_class square = dot(x.rational.data(), x.rational.data(), d) / d + layer.epsilon;
    if (square <= 0) throw LimitError("rmsnorm of 0");
    QuadraticVector result{zeros(d), x.rational, square.get_num() * square.get_den()};
    for (std::size_t j = 0; j < d; ++j)
      result.root[j] *= (layer.gain ? layer.gain->at(j) : mpq_class(1)) / square.get_num();
    return result;
  }
  QuadraticVector result = layer.residual ? x : QuadraticVector{zeros(d), zeros(d), x.radicand};
  const std::size_t m = layer.weight_1->shape()[1];
  for (std::size_t k = 0; k < m; ++k) {
    mpq_class a = layer.bias_1 ? layer.bias_1->at(k) : mpq_class(0), b = 0;
    for (std::size_t j = 0; j < d; ++j) {
      const mpq_class w = layer.weight_1->at(j * m + k);
      a += w * x.rational[j];
      b += w * x.root[j];
    }
    if (sign(a, b, x.radicand) <= 0) continue;
    for (std::size_t j = 0; j < d; ++j) {
      const mpq_class w = layer.weight_2->at(k * d + j);
      result.rational[j] += a * w;
      result.root[j] += b * w;
    }
  }
  for (std::size_t j = 0; layer.bias_2 && j < d; ++j) result.rational[j] += layer.bias_2->at(j);
  return result;
}

std::map<std::size_t, QuadraticVector> entering(const Case& c) {
  const std::size_t d = c.layer->embed_dim;
  std::map<std::size_t, QuadraticVector> rows;
  for (const std::size_t row : c.data.positions) rows.try_emplace(row);
  for (const std::size_t row : c.data.members->rows) rows.try_emplace(row);
  for (auto& [row, x] : rows) {
    x = {zeros(d), zeros(d), 1};
    for (std::size_t j = 0; j < d; ++j) x.rational[j] = c.data.hidden->at(row * d + j);
    for (const Before& layer : c.before) x = after(layer, x);
  }
  return rows;
}

std::set<mpz_class> radicands(const std::map<std::size_t, QuadraticVector>& rows) {
  std::set<mpz_class> result;
  for (const auto& [row, x] : rows) result.insert(x.radicand);
  return result;
}

// W x for head h, and W_K b_Q.
std::vector<mpq_class> direction(const Weights& w, std::size_t h, std::size_t d,
                                 const std::vector<mpq_class>& x, bool biased) {
  const ExactArray& key = w.combined ? *w.combined : *w.key;
  const std::size_t width = key.shape()[2];
  std::vector<mpq_class> query = w.combined ? x : zeros(width), result(d);
  for (std::size_t k = 0; !w.combined && k < width; ++k) {
    for (std::size_t j = 0; j < d; ++j) query[k] += w.query->at((h * d + j) * width + k) * x[j];
    if (biased && w.query_bias) query[k] += w.query_bias->at(h * width + k);
  }
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t k = 0; k < width; ++k) result[i] += key.at((h * d + i) * width + k) * query[k];
  return result;
}

// A prime near 2^60 modulo which all generators are squares, and their roots. That is so of those whose odd
// parts divide (p - 1) / 8, by reciprocity; half of all primes do for each of the others.
std::pair<std::uint64_t, std::vector<std::uint64_t>> roots_modulo_a_prime(const RootField& field) {
  std::vector<mpz_class> others = field.generators();
  std::ranges::sort(others);
  std::uint64_t step = 8;
  while (!others.empty() && others.front() < kFreeSquares) {
    mpz_class odd = others.front();
    while (mpz_even_p(odd.get_mpz_t()) != 0) odd /= 2;
    if (step * odd.get_ui() > kFreeSquares) break;
    step *= odd.get_ui();
    others.erase(others.begin());
  }
  if (others.size() > kOtherSquares) throw LimitError("square roots of too many different numbers");
  for (std::uint64_t p = (std::uint64_t{1} << 60) / step * step + 1;; p -= step) {
    meter().work(100);
    const bool squares = std::ranges::all_of(
        others, [&](const mpz_class& g) { return mpz_kronecker_ui(g.get_mpz_t(), p) == 1; });
    if (!squares || !is_prime(p)) continue;
    std::vector<std::uint64_t> roots;
    for (const mpz_class& g : field.generators()) roots.push_back(root_mod(mpz_fdiv_ui(g.get_mpz_t(), p), p));
    return {p, roots};
  }
}

}  // namespace

bool AlgebraicLayer::fits(const Case& c) {
  if (c.before.empty() || !c.weights || !c.layer->convex()) return false;
  std::size_t norms = 0;
  for (const Before& layer : c.before) {
    if (layer.kind == Before::Kind::attention || layer.free) return false;
    if (layer.kind == Before::Kind::mlp && layer.activation != "relu") return false;
    norms += layer.kind == Before::Kind::rmsnorm ? 1 : 0;
  }
  const Dimensions& dims = *c.layer;
  const std::size_t d = dims.embed_dim, width = c.weights->combined ? d : c.weights->key->shape()[2];
  std::size_t products = dims.examples * dims.heads * d * (width + dims.context);  // of rational numbers
  for (const Before& layer : c.before)
    if (layer.weight_1) products += used_rows(c).size() * d * layer.weight_1->shape()[1];
  return norms <= 1 && products <= kProducts && dims.examples * dims.heads * dims.context <= kLogits &&
         dims.examples * dims.heads * dims.embed_dim <= kRingEntries;
}

AlgebraicLayer::AlgebraicLayer(const Case& c) : AlgebraicLayer(c, entering(c)) {}

AlgebraicLayer::AlgebraicLayer(const Case& c, const std::map<std::size_t, QuadraticVector>& entering)
    : T(c.layer->examples), H(c.layer->heads), d(c.layer->embed_dim), field_(radicands(entering)) {
  std::vector<std::vector<RootNumber>> numbers;
  for (std::size_t t = 0; t < T; ++t) {
    tokens_.emplace_back();
    for (const std::size_t row : c.data.members->list(t)) {
      const QuadraticVector& x = entering.at(row);
      std::vector<RootNumber>& token = tokens_[t].emplace_back(d);
      for (std::size_t j = 0; j < d; ++j) {
        token[j] = field_.root(x.radicand, x.root[j]);
        attest::add(token[j], {{0, 1}}, x.rational[j]);
      }
    }
    const QuadraticVector& own = entering.at(c.data.positions[t]);
    for (std::size_t h = 0; h < H; ++h) {
      const std::vector<mpq_class> rational = direction(*c.weights, h, d, own.rational, true),
                                   root = direction(*c.weights, h, d, own.root, false);
      std::vector<RootNumber>& exponents = exponents_.emplace_back();
      for (const std::size_t row : c.data.members->list(t)) {
        const QuadraticVector& x = entering.at(row);
        RootNumber& logit = exponents.emplace_back();
        attest::add(logit, {{0, 1}}, dot(x.rational.data(), rational.data(), d));
        attest::add(logit, field_.root(own.radicand, 1), dot(x.rational.data(), root.data(), d));
        attest::add(logit, field_.root(x.radicand, 1), dot(x.root.data(), rational.data(), d));
        attest::add(logit, field_.multiply(field_.root(x.radicand, 1), field_.root(own.radicand, 1)),
                    dot(x.root.data(), root.data(), d));
      }
      // What is least in an order that addition keeps becomes 0.
      const auto before = [](const RootNumber& a, const RootNumber& b) {
        RootNumber difference = b;
        attest::add(difference, a, -1);
        return !difference.empty() && difference.begin()->second > 0;
      };
      const RootNumber least = *std::ranges::min_element(exponents, before);
      RootPowers& sum = sums_.emplace_back();
      for (RootNumber& x : exponents) {
        attest::add(x, least, -1);
        add(sum, {{x, {{0, 1}}}}, false);
        for (const auto& [set, e] : x) {
          sets_.insert(set);
          mpz_lcm(den_.get_mpz_t(), den_.get_mpz_t(), e.get_den_mpz_t());
        }
      }
    }
  }
  std::tie(p_, roots_) = roots_modulo_a_prime(field_);
}

RootPowers AlgebraicLayer::numerator(std::size_t t, std::size_t h, std::size_t j) const {
  RootPowers result;
  for (std::size_t i = 0; i < tokens_[t].size(); ++i)
    if (!tokens_[t][i][j].empty()) add(result, {{exponents_[t * H + h][i], tokens_[t][i][j]}}, false);
  return result;
}

void AlgebraicLayer::add(RootPowers& sum, const RootPowers& term, bool negative) {
  for (const auto& [x, c] : term) {
    RootNumber& place = sum[x];
    attest::add(place, c, negative ? -1 : 1);
    if (place.empty()) sum.erase(x);
  }
}

RootPowers AlgebraicLayer::multiply(const RootPowers& a, const RootPowers& b) const {
  RootPowers result;
  for (const auto& [x, c] : a)
    for (const auto& [y, e] : b) {
      RootNumber exponent = x;
      attest::add(exponent, y);
      const auto place = result.try_emplace(std::move(exponent)).first;
      field_.add_product(place->second, c, e);
      if (place->second.empty()) result.erase(place);
    }
  return result;
}

RootPowers AlgebraicLayer::product(const RootPowers& a, const RootPowers& b) {
  work_ -= static_cast<double>(a.size()) * static_cast<double>(b.size());
  if (work_ < 0) throw LimitError("relations are too large");
  return multiply(a, b);
}

ModularMatrix AlgebraicLayer::image(std::size_t k, std::uint64_t turned) {
  const auto number = [&](const mpq_class& x) {
    if (const auto r = residue(x, p_)) return *r;
    throw LimitError("a denominator is 0");
  };
  std::vector<std::uint64_t>& powers = powers_[k];
  if (powers.empty()) {
    SplitMix64 random(k, 0);
    std::map<std::uint64_t, std::uint64_t> bases;  // what b^(sqrt(..) / den) becomes
    for (const std::uint64_t set : sets_) bases[set] = 2 + random.below(p_ - 2);
    for (const std::vector<RootNumber>& of_head : exponents_)
      for (const RootNumber& x : of_head) {
        std::uint64_t power = 1;
        for (const auto& [set, c] : x) {
          const mpq_class times = c * den_;
          power =
              multiply_mod(power, power_mod(bases[set], mpz_fdiv_ui(times.get_num_mpz_t(), p_ - 1), p_), p_);
        }
        powers.push_back(power);
        meter().work(1000 * x.size());
      }
  }
  std::map<std::uint64_t, std::uint64_t> roots;  // by sets of generators
  const auto root = [&](std::uint64_t set) {
    const auto [place, is_new] = roots.try_emplace(set, 1);
    for (std::size_t g = 0; is_new && g < roots_.size(); ++g) {
      if ((set >> g & 1) == 0) continue;
      place->second = multiply_mod(place->second, (turned >> g & 1) == 0 ? roots_[g] : p_ - roots_[g], p_);
    }
    return place->second;
  };
  ModularMatrix z(T, H * d);
  std::size_t at = 0;
  for (std::size_t t = 0; t < T; ++t) {
    std::vector<std::vector<std::uint64_t>> tokens;
    for (const std::vector<RootNumber>& token : tokens_[t]) {
      tokens.emplace_back();
      for (const RootNumber& x : token) {
        std::uint64_t& sum = tokens.back().emplace_back(0);
        for (const auto& [set, c] : x) sum = (sum + multiply_mod(number(c), root(set), p_)) % p_;
      }
    }
    for (std::size_t h = 0; h < H; ++h, at += tokens.size()) {
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        sum = (sum + powers[at + i]) % p_;
        for (std::size_t j = 0; j < d; ++j)
          z(t, h * d + j) = (z(t, h * d + j) + multiply_mod(powers[at + i], tokens[i][j], p_)) % p_;
      }
      if (sum == 0) throw LimitError("a denominator is 0");
      const std::uint64_t over = inverse_mod(sum, p_);
      for (std::size_t j = 0; j < d; ++j) z(t, h * d + j) = multiply_mod(z(t, h * d + j), over, p_);
    }
    meter().work(tokens.size() * d * (100 + 30 * H));
  }
  return z;
}

bool AlgebraicLayer::annihilated(bool left, const AlgebraicVector& v) {
  struct Quotient {
    const RootPowers* sum;
    std::size_t first, last;  // entries of v
  };
  const std::size_t outer = left ? H : T, inner = left ? d : 1;
  for (std::size_t o = 0; o < outer; ++o) {
    std::vector<Quotient> quotients;
    std::set<RootPowers> different;
    double all = 1, terms = 0;
    for (std::size_t k = 0; k < v.size(); ++k) {
      const std::size_t head = left ? o : v[k].first / d, t = left ? v[k].first : o;
      terms += static_cast<double>(v[k].second.size() * inner);
      if (!left && k > 0 && v[k - 1].first / d == head) {
        quotients.back().last = k + 1;
        continue;
      }
      quotients.push_back({&sum(t, head), k, k + 1});
      if (different.insert(sum(t, head)).second) all *= static_cast<double>(sum(t, head).size());
    }
    terms *= all;
    if (terms > std::min(kTermsOfOne, verified_)) return false;
    verified_ -= terms;
    for (std::size_t j = 0; j < inner; ++j) {
      RootPowers total;
      for (const RootPowers& sum : different) {
        RootPowers part;
        for (const auto& [its, first, last] : quotients) {
          if (*its != sum) continue;
          for (std::size_t k = first; k < last; ++k)
            add(part,
                multiply(v[k].second,
                         left ? numerator(v[k].first, o, j) : numerator(o, v[k].first / d, v[k].first % d)),
                false);
        }
        for (const RootPowers& other : different)
          if (&other != &sum) part = multiply(part, other);
        add(total, part, false);
      }
      if (!total.empty()) return false;
    }
  }
  return true;
}

double AlgebraicLayer::work_of_images(bool left) const {
  const auto length = static_cast<double>(left ? T : H * d), other = static_cast<double>(left ? H * d : T),
             points = std::max(3.0, length / other + 2);
  return 10 * points * static_cast<double>(powers_.at(0).size() * d) +
         2 * length * length * std::min(length, other);
}

ModularMatrix AlgebraicLayer::kernel_of_images(bool left, std::uint64_t turned) {
  // Vectors that are not constant leave the common kernel when enough images are asked.
  const std::size_t length = left ? T : H * d, other = left ? H * d : T,
                    points = std::max<std::size_t>(3, length / other + 2);
  const std::size_t combinations = std::min(other, 2 * length / points + 1);
  ModularMatrix stacked(length, combinations * points);
  SplitMix64 random(1, 0);
  for (std::size_t k = 0; k < points; ++k) {
    const ModularMatrix z = image(k, turned);
    for (std::size_t l = 0; l < combinations; ++l)
      for (std::size_t j = 0; j < other; ++j) {
        if (combinations == other && j != l) continue;
        const std::uint64_t factor = combinations == other ? 1 : random.below(p_);
        for (std::size_t i = 0; i < length; ++i) {
          std::uint64_t& sum = stacked(i, k * combinations + l);
          sum = (sum + multiply_mod(factor, left ? z(i, j) : z(j, i), p_)) % p_;
        }
      }
  }
  return left_kernel(stacked, p_);
}

std::vector<std::uint64_t> AlgebraicLayer::independent_roots(const std::vector<std::size_t>& examples) const {
  std::vector<std::uint64_t> result;  // each has a lowest bit that no other one has
  for (const std::size_t t : examples)
    for (const std::vector<RootNumber>& token : tokens_[t])
      for (const RootNumber& x : token)
        for (const auto& term : x) {
          std::uint64_t set = term.first;
          for (const std::uint64_t other : result)
            if ((set & other & -other) != 0) set ^= other;
          if (set == 0) continue;
          for (std::uint64_t& other : result)
            if ((other & set & -set) != 0) other ^= set;
          result.push_back(set);
        }
  return result;
}

std::vector<AlgebraicVector> AlgebraicLayer::constant_kernel(bool left) {
  const ModularMatrix plain = kernel_of_images(left, 0);
  std::map<std::uint64_t, ModularMatrix> kernels = {{0, plain}};
  std::vector<AlgebraicVector> result;
  for (std::size_t k = 0; k < plain.rows(); ++k) {
    std::vector<std::size_t> support;
    for (std::size_t i = 0; i < plain.cols(); ++i)
      if (plain(k, i) != 0) support.push_back(i);
    // Rational numbers have the same image whatever the signs of the roots are; others are told by what
    // turning these makes of them: f = sum_S c_S sqrt(S) has c_S sqrt(S) = the mean of (-1)^|S and E| f_E
    // over all E. Of independent roots one is turned by turning its own generator.
    const auto found = [&](const std::vector<std::uint64_t>& independent) {
      const std::size_t all = std::size_t{1} << independent.size();
      const auto sum_of = [&](std::size_t index, bool own) {
        std::uint64_t set = 0;
        for (std::size_t g = 0; g < independent.size(); ++g)
          if ((index >> g & 1) != 0) set ^= own ? independent[g] & -independent[g] : independent[g];
        return set;
      };
      AlgebraicVector v;
      for (const std::size_t i : support) {
        std::vector<std::uint64_t> f;
        for (std::size_t e = 0; e < all; ++e) {
          const std::uint64_t turned = sum_of(e, true);
          auto its = kernels.find(turned);
          if (its == kernels.end()) its = kernels.emplace(turned, kernel_of_images(left, turned)).first;
          if (its->second.rows() != plain.rows()) return false;
          f.push_back(its->second(k, i));
        }
        for (std::size_t bit = 1; bit < all; bit *= 2)
          for (std::size_t e = 0; e < all; ++e) {
            if ((e & bit) != 0) continue;
            const std::uint64_t a = f[e], b = f[e | bit];
            f[e] = (a + b) % p_;
            f[e | bit] = (a + p_ - b) % p_;
          }
        RootNumber value;
        for (std::size_t s = 0; s < all; ++s) {
          if (f[s] == 0) continue;
          const std::uint64_t set = sum_of(s, false);
          std::uint64_t divisor = all % p_;
          for (std::size_t g = 0; g < roots_.size(); ++g)
            if ((set >> g & 1) != 0) divisor = multiply_mod(divisor, roots_[g], p_);
          const auto c = reconstructed(multiply_mod(f[s], inverse_mod(divisor, p_), p_), p_);
          if (!c) return false;
          value.emplace(set, *c);
        }
        if (!value.empty()) v.emplace_back(i, RootPowers{{RootNumber(), std::move(value)}});
      }
      if (!annihilated(left, v)) return false;
      result.push_back(std::move(v));
      return true;
    };
    if (found({})) continue;
    std::vector<std::size_t> examples = support;
    if (!left)
      for (examples.clear(); examples.size() < T;) examples.push_back(examples.size());
    const std::vector<std::uint64_t> independent = independent_roots(examples);
    if (independent.empty() || independent.size() > kTurned) continue;
    // Those that are not there yet, at most.
    const double more = std::max(
        0.0, std::ldexp(1.0, static_cast<int>(independent.size())) - static_cast<double>(kernels.size()));
    if (more * work_of_images(left) > images_) continue;
    images_ -= more * work_of_images(left);
    found(independent);
  }
  return result;
}

}  // namespace attest
