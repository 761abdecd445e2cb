// Enclosures of Z with few bits, so that what rounding adds to them matters, beside floating-point numbers.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "base/errors.hpp"
#include "kernel/layers/enclosed_z.hpp"
#include "tests/checker/samples.hpp"

using namespace attest;
using namespace attest::kernel;

namespace {

using Real = long double;
constexpr Real kNoise = 1e-6;  // far more than the errors of such numbers here, in units of 2^-bits

/// A row of Z of one head: the means of the tokens with these logits.
std::vector<Real> means(const Context& tokens, const std::vector<Real>& logits, bool two) {
  const Real largest = *std::ranges::max_element(logits);
  std::vector<Real> result(tokens[0].size());
  Real sum = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Real power = two ? std::exp2(logits[i] - largest) : std::exp(logits[i] - largest);
    sum += power;
    for (std::size_t j = 0; j < result.size(); ++j)
      result[j] += power * static_cast<Real>(Rational(tokens[i][j]).get_d());
  }
  for (Real& entry : result) entry /= sum;
  return result;
}

Real distance(const Integer& mid, Real entry, std::size_t bits) {
  return std::abs(std::ldexp(entry, static_cast<int>(bits)) - static_cast<Real>(mid.get_d()));
}

}  // namespace

TEST_CASE("enclosures of Z with few bits contain it, and exact ones are exact") {
  std::mt19937_64 random(1);
  const auto below = [&](std::size_t bound) { return random() % bound; };
  const auto fraction = [&](long most, long den) {
    const long num = static_cast<long>(below(static_cast<std::size_t>(2 * most + 1))) - most;
    return Rational(Integer(num), 1 + Integer(below(static_cast<std::size_t>(den))));
  };
  std::size_t exact = 0, wide = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::size_t n = 1 + below(6), bits = 1 + below(20);
    const bool two = below(2) == 0, simple = below(4) == 0;
    const std::vector<std::pair<const char*, Real>> scales = {
        {"1", 1}, {"-3/2", -1.5}, {"1/4", 0.25}, {"1/sqrt(3)", 1 / std::sqrt(Real(3))}};
    const auto& [scale, factor] = scales[below(scales.size())];
    std::string text = test::sized_layer(2, n, 2, 1, 1) + "base = \"" + (two ? "2" : "e") +
                       "\"\nlogit_scale = \"" + scale + "\"\n[data]\ncontexts = [[";
    for (std::size_t i = 0; i < n; ++i) {
      const long den = simple ? 1 : 7;
      Rational x = fraction(100, den), y = fraction(3, den);
      x.canonicalize();
      y.canonicalize();
      text += "[\"" + x.get_str() + "\", \"" + y.get_str() + "\"],";
    }
    text += "]]\n[weights]\nlogits = [[";
    std::vector<std::vector<Real>> logits(2);
    for (std::vector<Real>& head : logits) {
      text += "[";
      for (std::size_t i = 0; i < n; ++i) {
        Rational x = simple ? fraction(2, 1) * 4 : fraction(12, 5);
        x.canonicalize();
        head.push_back(factor * static_cast<Real>(x.get_d()));
        text += "\"" + x.get_str() + "\",";
      }
      text += "],";
    }
    text += "]]\n" + test::claim("rank");
    CAPTURE(text);
    CAPTURE(bits);
    const attest::Case source = test::case_of(text);
    const Problem problem(source);
    const Layer layer = given_layer(problem);
    const std::vector<std::size_t> cols = {0, 1, 2, 3};
    Logits exact_logits(problem, layer);
    const EnclosedZ z = enclosed_z(exact_logits, {0}, cols, bits),
                    one = enclosed_z(exact_logits, {0}, cols, bits, nullptr, true);
    for (const std::size_t col : cols) {
      const Real entry = means(problem.context(0), logits[col / 2], two)[col % 2];
      CHECK(distance(z.mid[0][col], entry, bits) <= static_cast<Real>(z.rad[0][col].get_d()) + kNoise);
      CHECK(distance(one.mid[0][col], entry, bits) <= static_cast<Real>(one.rad[0][0].get_d()) + kNoise);
      exact += z.rad[0][col] == 0 ? 1 : 0;
      wide += z.rad[0][col] > 20 ? 1 : 0;
    }
  }
  CHECK(exact > 500);
  CHECK(wide > 500);
}

TEST_CASE("enclosures for all lambdas from one on contain Z at these") {
  std::mt19937_64 random(2);
  const auto integer = [&](int most) { return static_cast<int>(random() % (2 * most + 1)) - most; };
  for (int round = 0; round < 1000; ++round) {
    const std::size_t n = 1 + random() % 5, bits = 1 + random() % 24;
    const bool two = random() % 2 == 0;
    std::string text = test::sized_layer(1, n, 2, 2, 1) + "base = \"" + (two ? "2" : "e") +
                       "\"\nlogit_scale = 3\n[data]\nqueries = [[" + std::to_string(integer(3)) + ", " +
                       std::to_string(integer(3)) + "]]\ncontexts = [[";
    for (std::size_t i = 0; i < n; ++i)  // with different first entries
      text += "[" + std::to_string(integer(1) + 3 * static_cast<int>(i)) + ", \"" +
              std::to_string(integer(40)) + "/7\"],";
    text += "]]\n[weights]\ngenerate = { kind = 'integers', bound = 1, seed = 1 }\n" + test::claim("rank");
    const Rational lambda(1 + random() % 8, 8);
    CAPTURE(text);
    CAPTURE(bits);
    CAPTURE(lambda.get_str());
    const attest::Case source = test::case_of(text);
    const Problem problem(source);
    const auto vector = [](int x, int y) { return Vector(std::vector<Integer>{x, y}, 1); };
    const Vector key = vector(integer(2), integer(1)), query = vector(integer(1), integer(1)),
                 u = vector(1, 0), v = vector(integer(1), integer(1));
    Layer layer{Ring::of(*source.layer, true), {Head{{key, u}, {query, v}, {}, lambda}}};
    Logits exact_logits(problem, layer);
    const EnclosedZ z = enclosed_z(exact_logits, {0}, {0, 1}, bits, &lambda);
    for (const Real factor : {1, 2, 7}) {
      std::vector<Real> logits;
      for (const Vector& token : problem.context(0)) {
        const Rational fixed = dot(token, key) * dot(query, problem.query(0)),
                       moving = dot(token, u) * dot(v, problem.query(0)) * lambda;
        logits.push_back(static_cast<Real>(fixed.get_d()) + factor * static_cast<Real>(moving.get_d()));
      }
      const std::vector<Real> row = means(problem.context(0), logits, two);
      for (std::size_t j = 0; j < 2; ++j)
        CHECK(distance(z.mid[0][j], row[j], bits) <= static_cast<Real>(z.rad[0][j].get_d()) + kNoise);
    }
  }
}
