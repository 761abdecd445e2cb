// The stack: what of it is rejected, and what encloses what.
#include <cmath>
#include <limits>
#include <random>

#include "base/parallel.hpp"
#include "kernel/layers/stack_enclosures.hpp"
#include "tests/checker/rejections.hpp"
#include "theory/failure.hpp"

using namespace attest;
using namespace attest::test;

TEST_CASE("stacks whose weights are free") {
  CHECK(verdict_with_case("free", "[[1], [2]]", "[['1/4189019'], [2]]").find("4189019") != std::string::npos);
  bool vanished = false;
  for (std::size_t seed = 0; seed < 300 && !vanished; ++seed)
    vanished = verdict_after("turned", [&](Json& claims) {
                 claims[0]["steps"][1]["primes"] = {5, 11, 23};
                 claims[0]["steps"][1]["seed"] = seed;
               }).find("softmax denominators that are not 0") != std::string::npos;
  CHECK(vanished);
}

TEST_CASE("the capacity of a layer behind given ones is that of its weights, and of no others") {
  check_rejected(verdict_of(replaced(sample("behind").toml, "weight_2 = [[1, 0], [0, 1]]",
                                     "weight_2 = [[1, 0], [0, 0]]\nresidual = false"),
                            sample("behind").claims),
                 "the fact rank(Z(any)) <= 1");
}

TEST_CASE("a capacity behind other layers says of what; both ways out that the error names work") {
  const auto toml = [](const std::string& key, const std::string& before) {
    return sized_layer(1, 2, 1, 1, 2) + key +
           "[data]\nhidden = [[[1], [2]]]\npositions = \"all\"\n[[before]]\n" + before + claim("capacity");
  };
  const std::string given = "layers_before = \"given\"\n", free = "layers_before = \"free\"\n",
                    attention = "kind = \"attention\"\nheads = 1\ncombined = [[[1]]]\n",
                    norm = "kind = \"rmsnorm\"\nepsilon = 1\n",
                    without = "kind = \"attention\"\nheads = 1\nhead_dim = 1\n";
  const auto complaint = [&](const std::string& key, const std::string& before) -> std::string {
    try {
      case_of(toml(key, before));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(complaint("", attention)
            .find("say which in [layer]: layers_before = \"given\" takes the layers before "
                  "as they are, \"free\" frees the weights of all") != std::string::npos);
  CHECK(complaint(given, attention).empty());
  CHECK(complaint(free, attention).empty());
  // Each is right for layers for which the other is wrong, and says so.
  CHECK(complaint(free, norm).find("layers_before = \"given\"") != std::string::npos);
  CHECK(complaint(given, norm).empty());
  CHECK(complaint(given, without).find("layers_before = \"free\"") != std::string::npos);
  CHECK(complaint(free, without).empty());
}

TEST_CASE("vectors that enter are independent when elimination shows it, and not when they are") {
  const auto changed = [](const std::string& from, const std::string& to, const std::string& reason) {
    CAPTURE(to);
    check_rejected(verdict_of(replaced(sample("enters").toml, from, to), sample("enters").claims), reason);
  };
  // A query that is a multiple of another one, as it enters; tokens that are; equal and opposite ones, and 0.
  changed("[[1, 1, 3], [2, -1, 0]]", "[[1, 0, 2], [0, 1, -1]]", "independent vectors in every subset of 2");
  changed("[0, 1, -1]]", "[1, 0, 2]]", "the fact rank(contexts) <= 1");
  changed("[0, 1, -1]]", "[3, 0, 6]]", "tokens of example 0 that are independent");
  changed("[1, 0, 2]", "[0, 0, 0]", "tokens of example 0 that are independent");
}

TEST_CASE("compositions of means, where one way leads through the stack") {
  const auto without = [](const std::string& from, const std::string& to, std::size_t theorem,
                          const std::string& reason) {
    Json claims = sample("composed").claims;
    claims[0]["steps"] = Json::array({claims[0]["steps"][theorem]});
    claims[0]["steps"][0]["uses"] = Json::array();
    CAPTURE(from);
    check_rejected(verdict_of(replaced(sample("composed").toml, from, to), claims), reason);
  };
  for (const std::size_t theorem : {1, 2}) {
    without("residual = false", "residual = true", theorem, "paths(before) = 1");
    without("[[before]]\nkind = \"attention\"\nheads = 1", "[[before]]\nkind = \"attention\"\nheads = 2",
            theorem, "paths(before) = 1");
  }
  without("heads = 1\ncontext", "heads = 2\ncontext", 2, "H = 1");
  without("output_dim = 3", "output_dim = 2", 2, "d_out >= dim(hidden)");
  // The first position of a sequence sees itself alone, and nothing moves it; two heads move twice as far.
  without("\"all\"", "\"all\"\ncausal = true", 1, "the fact functional_dimension <= 11");
  without("heads = 1\ncontext", "heads = 2\ncontext", 1, "the fact functional_dimension <= 20");
  without("output_dim = 3", "output_dim = 1", 1, "the fact functional_dimension <= 7");
  // Opposite sequences move together, equal vectors do not.
  without("[[-4, 2, 5], [8, 8, -5]]", "[[-3, 9, -1], [7, 4, 3]]", 1, "the fact functional_dimension <= 11");
  without("[[-4, 2, 5], [8, 8, -5]]", "[[8, 8, -5], [8, 8, -5]]", 1, "the fact functional_dimension <= 11");
}

TEST_CASE("neurons that are off, and those that only may be") {
  const auto changed = [](const std::string& from, const std::string& to, const std::string& reason) {
    const std::string found = verdict_with_case("off", from, to);
    CAPTURE(to);
    CAPTURE(found);
    CHECK(contains(found, reason));
  };
  const std::string both = "the fact rank(Z(any)) <= 2";
  changed("[-4, 0]", "[\"-3999/1000\", 0]", both);
  changed("[2, 0]", "[\"2001/1000\", 0]", both);  // a token
  changed("relu", "silu", both);
  changed("relu", "tanh", both);
  changed("value = [[[1, 0], [0, 1]]]", "value = [[[2, 0], [0, 1]]]", both);
  changed("value = [[[1, 0], [0, 1]]]", "value = [[[1, 0], [2, 1]]]",
          both);  // the second entry counts as well
  changed("weight_1 = [[1, 0], [0, 1]]", "weight_1 = [[1, 0], [2, 1]]", both);
  changed("residual = false", "residual = true", both);  // of the network
  changed("[[before]]", "[[before]]\nkind = \"rmsnorm\"\nepsilon = 1\n[[before]]", both);
  // Another network in front: its neurons are active as far as this one sees, or turned away from it, or off.
  const std::string network =
      "[[before]]\nkind = \"mlp\"\nactivation = \"relu\"\nweight_1 = [[1], [0]]\nweight_2 = [[A, 1]]\nbias_1 "
      "= [B]\n[[before]]";
  const auto with = [&](const std::string& a, const std::string& b) {
    return replaced(replaced(network, "A", a), "B", b);
  };
  changed("[[before]]", with("1", "0"), both);
  changed("[[before]]", with("-1", "0"), "valid");
  changed("[[before]]", with("1", "-2"), "valid");
  changed("[[before]]", with("1", "-1"), both);
  changed("combined", "residual = false\ncombined", "valid");
  // Behind what nothing is known of, neurons that turn away from this one say enough, others do not.
  const auto behind = [&](const std::string& a, const std::string& reason) {
    std::string alone = "[[before]]\nkind = \"rmsnorm\"\nepsilon = 1\n" + with(a, "0");
    alone.replace(alone.find("weight_1"), 0, "residual = false\n");
    changed("[[before]]\nkind = \"mlp\"", alone + "\nkind = \"mlp\"", reason);
  };
  behind("1", both);
  behind("-1", "valid");
  // All of them are off.
  changed("[-4, 0]", "[-4, -2]", "the fact rank(Z(any)) <= 0");
}

TEST_CASE("few tokens span few dimensions, also behind layers that move them") {
  const auto alone = [](std::size_t theorem, const std::string& from, const std::string& to) {
    Json claims = sample("few").claims;
    claims[0]["steps"] = Json::array({claims[0]["steps"][theorem]});
    return verdict_of(replaced(sample("few").toml, from, to), claims);
  };
  const std::string tokens = "[[0, 0, 1], [0, 0, 1]]";
  // Another one, which is not the same, or opposite, or the same behind the norm.
  check_rejected(alone(0, tokens, "[[0, 0, 1], [0, 0, 2]]"), "the fact rank(Z(any)) <= 7");
  check_rejected(alone(2, tokens, "[[0, 0, 1], [0, 0, 2]]"), "the fact rank(Z(any)) <= 5");
  check_rejected(alone(0, tokens, "[[0, 0, 1], [0, 0, -1]]"), "the fact rank(Z(any)) <= 7");
  CHECK(alone(1, tokens, "[[0, 0, 1], [0, 0, -1]]").starts_with("valid"));
  check_rejected(alone(1, tokens, "[[0, 1, 0], [0, -1, 0]]"), "the fact rank(Z(any)) <= 4");
  // A token that meets the others; all the same; 0.
  check_rejected(alone(2, tokens, "[[0, 0, 1], [0, 1, 0]]"), "the fact rank(Z(any)) <= 5");
  check_rejected(alone(0, tokens, "[[1, 0, 0], [0, 1, 0]]"), "the fact rank(Z(any)) <= 3");
  check_rejected(alone(1, tokens, "[[0, 0, 0], [0, 0, 0]]"), "the fact rank(Z(any)) <= 4");
  std::string toml =
      replaced(replaced(sample("few").toml, "epsilon = 1", "epsilon = 0"), tokens, "[[0, 0, 1], [0, 0, 2]]");
  CHECK(verdict_of(toml, sample("few").claims).starts_with("valid"));
  toml = replaced(toml, "[0, 0, 2]", "[0, 1, 2]");
  check_rejected(verdict_of(toml, sample("few").claims), "the fact rank(Z(any)) <= 7");
  // The gains decide, too.
  toml = replaced(toml, "epsilon = 0", "epsilon = 0\ngain = [1, 0, 1]");
  check_rejected(verdict_of(toml, sample("few").claims), "the fact rank(Z(any)) <= 4");
}

TEST_CASE("a changed stack changes what holds") {
  CHECK(verdict_with_case("kept", "activation = \"tanh\"", "activation = \"silu\"").find("rejected") == 0);
  CHECK(verdict_with_case("kept", "weight_2", "bias_1 = [1]\nweight_2").find("rejected") == 0);
  CHECK(verdict_with_case("kept", "positions = [2]", "positions = [2]\ncausal = true").find("rejected") == 0);
  CHECK(verdict_with_case("kept", "[weights]", "[weights]\nquery_bias = [[1], [0]]").find("rejected") == 0);
  // The mean square of 0, and what is hardly more.
  CHECK(verdict_with_case("kept", "epsilon = 1", "epsilon = \"1e-90000\"").find("shown to be positive") !=
        std::string::npos);
}

TEST_CASE("fixed-point numbers contain what they stand for") {
  const Case c = case_of(sample("doubled").toml);
  const kernel::Problem problem(c);
  const kernel::FixedPoint numbers(problem.source.layer->base, 60);
  const auto vector = [](const std::vector<kernel::Near>& entries) {
    kernel::NearVector result;
    for (const kernel::Near& x : entries) result.push_back(x);
    return result;
  };
  const auto contains = [](const kernel::Near& x, double value) {
    const double mid = std::ldexp(x.mid.get_d(), -60), rad = std::ldexp(x.rad.get_d(), -60) + 1e-15;
    CAPTURE(value);
    CHECK(std::fabs(mid - value) <= rad);
    CHECK(rad < 1e-12);
  };
  for (const double x : {-3.75, -0.5, 0.0, 0.125, 2.5}) {
    const kernel::Near near = numbers.exact(x);
    CHECK(near.rad == 0);
    contains(numbers.logistic(near), 1 / (1 + std::exp(-x)));
    contains(numbers.activation("tanh", near), std::tanh(x));
    contains(numbers.activation("silu", near), x / (1 + std::exp(-x)));
    contains(numbers.activation("relu", near), x > 0 ? x : 0);
    contains(numbers.quotient(near, numbers.exact(3)), x / 3);
    if (x > 0) contains(numbers.root(near), std::sqrt(x));
  }
  const auto third = numbers.exact(kernel::Rational(1, 3));
  CHECK(third.rad == 1);
  const kernel::NearVector mixed = vector({numbers.exact(-3), third});
  kernel::NearVector::Integers copy;
  const kernel::NearVector::Integers& integers = mixed.integers(copy);
  CHECK(integers.rad == 1);
  CHECK(integers.largest == kernel::Integer(3) << 60);
  CHECK(integers.sum == integers.largest + third.mid);
  contains(numbers.product(third, third), 1.0 / 9);
  contains(numbers.dot(vector({third, third}), mixed), -1 + 1.0 / 9);
  const std::vector<kernel::Near> all = numbers.softmax(vector({numbers.exact(1), third, numbers.exact(-2)}));
  const double sum = std::exp(1) + std::exp(1.0 / 3) + std::exp(-2);
  contains(all[0], std::exp(1) / sum);
  contains(all[2], std::exp(-2) / sum);
  const kernel::NearVector mean =
      numbers.mean(all, {{}, mixed, vector({third, third}), mixed}, std::vector<std::uint32_t>{1, 3, 2}, 2);
  contains(mean[0], (-3 * std::exp(1) - 3 * std::exp(1.0 / 3) + std::exp(-2) / 3) / sum);
  contains(mean[1], 1.0 / 3);
  // At the ends of what the operands may be, whatever the signs.
  const kernel::Integer one = kernel::Integer(1) << 60, wide = one / 64;
  for (const int x : {-1, 1})
    for (const int y : {-1, 1}) {
      const auto holds = [&](const kernel::Near& found, double value) {
        CHECK(std::fabs(std::ldexp(found.mid.get_d(), -60) - value) <=
              std::ldexp(found.rad.get_d(), -60) + 1e-12);
      };
      const kernel::Near a{3 * one * x, wide}, b{2 * one * y, wide};
      const double u = 3 * x + x / 64.0, v = 2 * y + y / 64.0;
      holds(numbers.product(a, b), u * v);
      holds(numbers.logistic({one * x, wide}), 1 / (1 + std::exp(-x - y / 64.0)));
      holds(numbers.dot(vector({a, a}), vector({b, b})), 2 * u * v);
      holds(numbers.softmax(vector({a, b}))[0], 1 / (1 + std::exp(2 * y - x / 64.0 - u)));
      holds(numbers.softmax(vector({{0, wide}, {0, wide}}))[0], 1 / (1 + std::exp(-x / 32.0)));
      holds(numbers.mean({{one, wide}}, {vector({a})}, std::vector<std::uint32_t>{0}, 1)[0], 65 / 64.0 * u);
    }
  CHECK_THROWS_AS((void)numbers.root(numbers.exact(0)), const Failure&);
  // Logits of which nothing is known, and those of which too little is.
  const kernel::FixedPoint coarse(problem.source.layer->base, 1);
  CHECK_THROWS_AS((void)coarse.softmax(vector({{0, 3}, {0, 3}})), const Failure&);
  CHECK_THROWS_AS((void)coarse.softmax(vector({{0, 2}, {0, 2}})), const Failure&);
  CHECK_THROWS_AS((void)numbers.softmax(vector({{0, one + 1}, {0, 0}})), const Failure&);
  // Of one logit it is 1, and of one row there is nothing to tell apart.
  contains(numbers.softmax(vector({{0, one * one}}))[0], 1);
}

TEST_CASE("fixed-point numbers of any length, of one word and of several, against fractions") {
  const Case c = case_of(sample("doubled").toml);
  const kernel::Problem problem(c);
  std::mt19937_64 random(7);
  using kernel::Integer;
  using kernel::Rational;
  for (const std::size_t bits : {3, 20, 24, 40, 56, 57, 63, 64, 120, 126, 127, 128, 248, 300}) {
    CAPTURE(bits);
    const kernel::FixedPoint numbers(problem.source.layer->base, bits);
    const Integer unit = Integer(1) << bits;
    for (int turn = 0; turn < 200; ++turn) {
      // Of sizes around one word and two, with a true value at an end of what each may be, or within.
      std::vector<Rational> x, y;
      const auto vector = [&](std::vector<Rational>& values, std::size_t length, bool positive) {
        kernel::NearVector result;
        const Integer widest = random() % 3 == 0 ? 0 : random() % 1000;
        for (std::size_t k = 0; k < length; ++k) {
          Integer mid = random() % 5 == 0 ? Integer(0) : Integer(random() >> random() % 64);
          if (random() % 3 == 0) mid <<= random() % 130;
          if (positive && mid > unit) mid = unit;
          if (!positive && random() % 2 == 0) mid = -mid;
          const long end = static_cast<long>(random() % 3) - 1;
          values.emplace_back(mid + end * widest, unit);
          values.back().canonicalize();
          result.push_back({mid, widest});
        }
        return result;
      };
      const std::size_t length = 1 + random() % 6;
      const kernel::NearVector a = vector(x, length, turn % 2 == 1), b = vector(y, length, false);
      Rational exact = 0;
      for (std::size_t k = 0; k < length; ++k) exact += x[k] * y[k];
      const auto holds = [&](const kernel::Near& found) {
        CHECK(abs(exact * unit - found.mid) <= found.rad);
        CHECK(found.rad >= 0);
      };
      holds(numbers.dot(a, b));
      if (turn % 2 == 0) continue;
      std::vector<kernel::Near> coefficients;
      std::vector<kernel::NearVector> rows;
      std::vector<std::uint32_t> index;
      for (std::size_t k = 0; k < length; ++k) {
        coefficients.push_back(a[k]);
        index.push_back(static_cast<std::uint32_t>(k));
        rows.emplace_back();
        rows.back().push_back(b[k]);
      }
      holds(numbers.mean(coefficients, rows, index, 1)[0]);
    }
    // The largest words, whose products just do not overflow, and those that do.
    for (const Integer& x : {Integer(std::numeric_limits<std::int64_t>::max()),
                             Integer(std::numeric_limits<std::int64_t>::min()),
                             Integer((Integer(1) << 126) - 1), Integer(1 - (Integer(1) << 126))})
      for (std::size_t length = 1; length < 9; ++length) {
        kernel::NearVector a;
        std::vector<kernel::Near> coefficients;
        for (std::size_t k = 0; k < length; ++k) {
          a.push_back({x, 0});
          coefficients.push_back({abs(x), 0});
        }
        Integer exact = x * x * length, size = abs(x) * x * length;
        CHECK(numbers.dot(a, a).mid == (exact >> bits));
        CHECK(numbers.mean(coefficients, {a}, std::vector<std::uint32_t>(length, 0), 1)[0].mid ==
              (size >> bits));
      }
    // A softmax, beside a finer one; its logits are known less and less.
    const kernel::FixedPoint fine(problem.source.layer->base, bits + 64);
    for (int turn = 0; turn < 100 && bits > 1; ++turn) {
      kernel::NearVector logits, finer;
      const Integer off = turn % 10 == 0 ? unit : (unit >> random() % (bits + 1)) * (turn % 3 > 0);
      for (std::size_t k = 0; k < 1 + random() % 5; ++k) {
        const Integer mid =
            ((Integer(random()) << bits) >> (58 + random() % 30)) * (random() % 2 == 0 ? 1 : -1);
        const long end = static_cast<long>(random() % 3) - 1;
        logits.push_back({mid, off});
        finer.push_back({(mid + end * off) << 64, 0});
      }
      try {
        const std::vector<kernel::Near> found = numbers.softmax(logits), right = fine.softmax(finer);
        for (std::size_t k = 0; k < found.size(); ++k) {
          CHECK(((found[k].mid - found[k].rad) << 64) <= right[k].mid + right[k].rad);
          CHECK(((found[k].mid + found[k].rad) << 64) >= right[k].mid - right[k].rad);
          if (off == 0 && bits > 20) CHECK(found[k].rad <= 20);
        }
      } catch (const Failure&) {
        CHECK(off * 4 > unit);
      }
    }
    // Powers, beside those of MPFR.
    kernel::Powers finer(problem.source.layer->base, bits + 40);
    for (int turn = 0; turn < 200; ++turn) {
      Integer at = (Integer(random()) << bits) >> random() % 70;
      if (turn < 20) at = Integer(turn) << bits >> 4;
      if (turn == 20) at = (bits + 1) * unit;
      if (turn == 21) at = (bits + 1) * unit - 1;
      const kernel::Near found = numbers.power(at);
      const kernel::Enclosure right = finer(at, unit);
      CAPTURE(at);
      const Integer least = (found.mid - found.rad) << 40, most = (found.mid + found.rad) << 40;
      CHECK(least <= right.most);
      CHECK(most >= right.least);
      CHECK(found.rad <= 3);
      CHECK(found.mid >= 0);
      CHECK(found.mid <= unit + 2);
    }
  }
}

TEST_CASE("a layer is enclosed the same on one thread and on two, for all examples or those asked for") {
  const Case c = case_of(sample("doubled").toml);
  const kernel::Problem problem(c), other(c);
  const kernel::Layer given = kernel::given_layer(problem);
  const std::vector<std::size_t> all = kernel::all_below(problem.T),
                                 cols = kernel::all_below(problem.H * problem.d);
  const kernel::EnclosedZ z = kernel::stack_enclosed_z(problem, given, all, cols, 40, false);
  use_threads(2);
  for (const std::size_t t : all) {
    const kernel::EnclosedZ row = kernel::stack_enclosed_z(other, given, {t}, cols, 40, false);
    for (const std::size_t j : cols) {
      CHECK(row.mid[0][j] == z.mid[t][j]);
      CHECK(row.rad[0][j] == z.rad[t][j]);
    }
  }
  use_threads(1);
  CHECK(kernel::stack_enclosed_z(problem, given, {}, cols, 40, false).mid.empty());
}
