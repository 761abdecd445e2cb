// The rule `zero`: vectors that annihilate a matrix.
#include <algorithm>
#include <optional>

#include "kernel/layers/blocks.hpp"
#include "kernel/layers/jacobian.hpp"
#include "kernel/rules/common.hpp"
#include "kernel/rules/rules.hpp"

namespace attest::kernel {
namespace {

Rational rational_of(const PowerSums::Scalar& value) {
  return value.at(0);
}

/// The vectors of a `zero`, for the right side of a matrix or the left.
struct Kernel {
  bool right;
  std::size_t size;  ///< of a vector
  std::vector<RingVector> vectors;

  std::size_t most_rank() const { return size - vectors.size(); }
};

/// Reads them for a matrix of this size, and checks that they are independent under a character (with `g`) or
/// mod p. Without a ring they are rational.
Kernel independent_vectors(const Step& step, std::size_t height, std::size_t width,
                           const Ring* number = nullptr) {
  const bool right = choice(step["side"], "right", "left");
  const bool beside = step.of.find('|') != std::string::npos;  // the blocks have columns beside them
  ENSURE(!right || (match(step.of, "rank(*)") && !beside), "the side left", "right");
  Kernel kernel{right, right ? width : height, {}};
  const PowerSums ring{number != nullptr && number->two};
  for (const Json& entries : array(step["vectors"])) {
    RingVector& vector = kernel.vectors.emplace_back();
    std::size_t least = 0;
    for (const Json& entry : array(entries)) {
      array(entry, 2);
      const std::size_t position = index(entry[0], kernel.size);
      ENSURE(position >= least, "increasing positions", count(position));
      least = position + 1;
      if (number == nullptr) string(entry[1]);
      PowerSums::Scalar value = element(entry[1], ring);
      if (!value.empty()) vector.emplace_back(position, std::move(value));
    }
  }
  const std::size_t size = kernel.vectors.size();
  ENSURE(size <= kernel.size, "at most " + count(kernel.size) + " vectors", count(size));
  std::optional<Character> character;
  if (step.has("g")) character.emplace(*number, word(step["p"]), word(step["g"]));
  const Word p = character ? character->p : prime(step["p"]);
  Matrix images(size, kernel.size);
  for (std::size_t k = 0; k < size; ++k) {
    for (const auto& [position, value] : kernel.vectors[k]) {
      ENSURE(character || (value.size() == 1 && value.begin()->first == 0),
             "rational values when there is no g", "a sum of powers");
      images[k][position] = character ? character->image(value) : residue(rational_of(value), p);
    }
  }
  ENSURE(rows_independent(std::move(images), p), "vectors that are independent mod p", "dependent ones");
  return kernel;
}

/// The same with rational vectors that annihilate a matrix over Q.
Kernel kernel_of(const Step& step, const Rows& rows) {
  Kernel kernel = independent_vectors(step, rows.size(), rows.width());
  std::vector<Vector> factors;
  for (const RingVector& vector : kernel.vectors) {
    std::vector<Rational> entries(kernel.right ? kernel.size : 0);
    std::vector<Vector> used_rows;
    for (const auto& [position, value] : vector) {
      if (kernel.right) {
        entries[position] = rational_of(value);
      } else {
        entries.push_back(rational_of(value));
        used_rows.push_back(rows.exact(position));
      }
    }
    ENSURE(kernel.right || is_zero(combination(entries, used_rows)),
           "y M = 0 for vector " + count(factors.size()), "another vector");
    factors.emplace_back(entries);
  }
  if (kernel.right && !factors.empty()) rows.ensure_annihilated(factors);
  return kernel;
}

void ensure_annihilated_for_all_weights(const Step& step, const GenericLayer& generic,
                                        const std::vector<RingVector>& vectors) {
  Logits logits(step.problem, generic.layer);
  const Blocks blocks("capacity", step.problem, step.claim);
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    for (std::size_t h = 0; h < generic.layer.heads.size(); ++h)
      ENSURE(annihilates_from_left(PowerSums(), logits, blocks, h, vectors[k]),
             "y Z = 0 for all weights, for vector " + count(k), "another value");
  }
}

}  // namespace

/// rank(M) <= (columns or rows of M) - |vectors|, when the vectors are rational, independent mod the prime
/// p, and annihilate M (of a family: one member) from the right or the left.
Fact rules::zero(const Step& step) {
  const Family members = matrices(step);
  ENSURE(members.size > 0, "a family with a member", "none, as the subset is empty");
  const std::size_t member = step.has("member") ? index(step["member"], members.size) : 0;
  return Fact::at_most(step.of, kernel_of(step, members.member(member)).most_rank());
}

/// kruskal(V) <= (non-zero entries of y) - 1, when y is the only vector, not 0 mod the prime p, and y V =
/// 0.
Fact rules::dependent(const Step& step) {
  array(step["vectors"], 1);
  return Fact::at_most(step.of,
                       kernel_of(step, matrices(step).member(0)).vectors[0].size() - 1);  // not 0 mod p
}

/// rank(M) <= (columns or rows) - |vectors|, M made of heads (Blocks), when the vectors, sums of powers of
/// b, are independent under a character (mod p when they are rational), and x M = 0 or M x = 0 in the group
/// ring; with columns beside the blocks from the left. distinct(Z) <= T - |vectors|: from the left, and
/// each is a multiple of e_s - e_t.
Fact rules::zero_of_z(const Step& step) {
  const Layer& examined = layer_of(step);
  const PowerSums ring{examined.ring.two};
  Logits logits(step.problem, examined);
  const Blocks blocks(step.of, step.problem, step.claim);
  const Kernel kernel = independent_vectors(step, step.problem.T, blocks.columns(), &examined.ring);
  for (std::size_t k = 0; k < kernel.vectors.size(); ++k) {
    const RingVector& vector = kernel.vectors[k];
    const std::string where = " for vector " + count(k);
    const auto sum = [&](const auto& factor_of) {
      PowerSums::Scalar result;
      for (const auto& [t, value] : vector) ring.add(result, value, factor_of(t));
      return result;
    };
    // Independent multiples of e_s - e_t are the edges of a forest, each of which joins two equal rows.
    ENSURE(step.of != kDifferentRows || (vector.size() == 2 && sum([](std::size_t) { return 1; }).empty()),
           "a multiple of e_s - e_t as vector " + count(k), "another");
    for (std::size_t t = 0; kernel.right && t < step.problem.T; ++t)
      ENSURE(annihilates_from_right(ring, logits, blocks, t, vector), "Z x = 0" + where,
             "another value in row " + count(t));
    for (std::size_t h = 0; !kernel.right && h < blocks.heads; ++h) {
      ENSURE(annihilates_from_left(ring, logits, blocks, h, vector), "y Z = 0" + where,
             "another value in head " + count(blocks.first + h));
    }
    for (std::size_t col = 0; !kernel.right && col < blocks.beside(step.problem); ++col)
      ENSURE(sum([&](std::size_t t) { return blocks.beside(step.problem, t, col); }).empty(),
             "y Y = 0" + where, "another value in column " + count(col));
  }
  return Fact::at_most(step.of, kernel.most_rank());
}

/// rank(J(W)) <= columns - |vectors|, when the vectors are rational, independent mod the prime p, and J x =
/// 0 in the group ring.
Fact rules::zero_of_j(const Step& step) {
  const Layer& examined = step.layer(*match(step.of, "rank(J(*))"));
  const Jacobian jacobian(step.problem, examined);
  const Kernel kernel = independent_vectors(step, jacobian.height(), jacobian.width());
  ENSURE(kernel.right, "the side right", "left");
  Logits logits(step.problem, examined);
  for (std::size_t k = 0; k < kernel.vectors.size(); ++k) {
    std::vector<std::pair<std::size_t, Rational>> x;
    for (const auto& [column, value] : kernel.vectors[k]) x.emplace_back(column, rational_of(value));
    ENSURE(jacobian.annihilates(logits, x), "J x = 0 for vector " + count(k), "another value");
  }
  return Fact::at_most(step.of, kernel.most_rank());
}

/// capacity <= T - |vectors|, when y Z = 0 in the group ring whose exponents are H-tuples of d x d
/// matrices, for independent vectors y over it; independent as each has an index where it alone is not 0.
/// Rational vectors that are independent mod the prime p: largest_rank <= T - |vectors| too, and one head
/// will do.
Fact rules::zero_for_all_weights(const Step& step) {
  if (step.has("p")) {
    const Kernel kernel = independent_vectors(step, step.problem.T, 0);
    ensure_annihilated_for_all_weights(step, GenericLayer(step.problem, 1), kernel.vectors);
    return Fact::at_most(step.of, kernel.most_rank());
  }
  ENSURE(step.of == "capacity", "a prime p", "none");
  ENSURE(step.problem.source.layer->convex(), "coefficients that sum to 1", "a sink, or sigmoid ones");
  ENSURE(!choice(step["side"], "right", "left"), "the side left", "right");
  const std::size_t d = step.problem.d, size = checked_size(checked_size(d, d), step.problem.H);
  std::vector<Vector> exponents;  // one after the other
  struct Coefficients {
    std::size_t position;
    std::vector<Rational> coefficients;
  };
  std::vector<std::vector<Coefficients>> values;
  for (const Json& entries : array(step["vectors"])) {
    values.emplace_back();
    for (const Json& entry : array(entries)) {
      Coefficients& value = values.back().emplace_back();
      value.position = index(array(entry, 2)[0], step.problem.T);
      const bool increasing =
          values.back().size() == 1 || values.back().rbegin()[1].position < value.position;
      ENSURE(increasing, "increasing positions", count(value.position));
      const Json constant = Json::array({Json::array({entry[1], Json::array()})});
      for (const Json& term : array(entry[1].is_string() ? constant : entry[1])) {
        value.coefficients.push_back(rational(array(term, 2)[0]));
        std::vector<Rational> exponent(size);
        for (const Json& at : array(term[1])) {
          array(at, 2);
          exponent[index(at[0], size)] += rational(at[1]);
        }
        exponents.emplace_back(exponent);
      }
    }
  }
  const GenericLayer generic(step.problem, step.problem.H, exponents);
  const PowerSums ring;
  std::vector<RingVector> vectors;
  std::vector<std::size_t> uses(step.problem.T);
  std::size_t next = 0;
  for (const std::vector<Coefficients>& all : values) {
    vectors.emplace_back();
    for (const Coefficients& value : all) {
      PowerSums::Scalar sum;
      for (const Rational& c : value.coefficients) ring.add_term(sum, c, generic.exponent(exponents[next++]));
      if (sum.empty()) continue;
      ++uses[value.position];
      vectors.back().emplace_back(value.position, std::move(sum));
    }
  }
  for (const RingVector& vector : vectors)
    ENSURE(std::ranges::any_of(vector, [&](const auto& entry) { return uses[entry.first] == 1; }),
           "in each vector an index that no other one has", "a vector without");
  ensure_annihilated_for_all_weights(step, generic, vectors);
  return Fact::at_most(step.of, step.problem.T - vectors.size());
}

}  // namespace attest::kernel
