// The rule `minor`: a minor that is not 0 modulo a prime.
#include <set>

#include "kernel/layers/blocks.hpp"
#include "kernel/layers/jacobian.hpp"
#include "kernel/rules/common.hpp"
#include "kernel/rules/rules.hpp"

namespace attest::kernel {
namespace {

Fact minor_of(const Layer& examined, const Step& step) {
  const Character character(examined.ring, word(step["p"]), word(step["g"]));
  const Blocks blocks(step.of, step.problem, step.claim);
  const std::size_t width = blocks.columns();
  const Minor minor(step, step.problem.T, width + blocks.beside(step.problem));
  std::vector<std::size_t> within, beside;  // the columns
  for (const std::size_t col : minor.cols) {
    if (col < width)
      within.push_back(blocks.first * blocks.width + col);
    else
      beside.push_back(col - width);
  }
  Matrix image =
      blocks.outputs
          ? minor_of_outputs(step.problem, examined, character, minor.rows, within, beside.size())
          : kernel::minor_of_z(step.problem, examined, character, minor.rows, within, beside.size());
  for (std::size_t i = 0; i < image.rows; ++i) {
    for (std::size_t j = 0; j < beside.size(); ++j)
      image[i][within.size() + j] =
          residue(blocks.beside(step.problem, minor.rows[i], beside[j]), character.p);
  }
  if (step.of != kDifferentRows) return non_singular(step, std::move(image), character.p);
  std::set<std::vector<Word>> different;
  for (std::size_t i = 0; i < image.rows; ++i) different.emplace(image[i], image[i] + image.cols);
  ENSURE(different.size() == image.rows, "rows that are different mod p", "equal ones");
  return Fact::at_least(step.of, image.rows);
}

}  // namespace

/// rank(F) >= the rows of its members, when p is prime and the rows of every member are independent mod p.
Fact rules::independent_rows(const Step& step) {
  const Family members = matrices(step);
  const Word p = prime(step["p"]);
  std::size_t height = 0;
  for (std::size_t k = 0; k < members.size; ++k) {
    const Rows rows = members.member(k);
    height = rows.size();
    ENSURE(rows_independent(rows.residues(p, all_below(height), all_below(rows.width())), p),
           "rows that are independent mod p in every member", "dependent ones in member " + count(k));
  }
  return Fact::at_least(step.of, height);
}

/// rank(M) >= |rows|, when p is prime and the minor of these distinct rows and cols, equally many, is
/// non-singular mod p, which divides no denominator.
Fact rules::minor(const Step& step) {
  const Rows rows = matrices(step).member(0);
  const Word p = prime(step["p"]);
  const Minor minor(step, rows.size(), rows.width());
  return non_singular(step, rows.residues(p, minor.rows, minor.cols), p);
}

/// rank(M) >= |rows|, M made of heads (Blocks), when p = 2q + 1 and q are prime, g has order q mod p, and
/// the character b^x -> g^(x mod q) is defined on the minor of these distinct rows and cols, equally many,
/// and maps it to a non-singular one. distinct(Z) >= |rows|, when it maps these rows to different ones.
Fact rules::minor_of_z(const Step& step) {
  return minor_of(layer_of(step), step);
}

/// lambda_rank >= |rows|, when this is so of rank(Z(k)), every separator of layer k has the claim's lambda,
/// and every head but the first separates all examples but r - 1.
Fact rules::lambda_rank(const Step& step) {
  const Layer& examined = separated_layer(step);
  for (const Head& head : examined.heads)
    ENSURE(!head.lambda || *head.lambda == step.claim.number("lambda"), "the claim's lambda in every head",
           text(*head.lambda));
  return minor_of(examined, step);
}

/// rank(J(W)) >= |rows|, when this is so of the Jacobian of a layer with a read-out.
Fact rules::minor_of_j(const Step& step) {
  const Layer& examined = step.layer(*match(step.of, "rank(J(*))"));
  const Character character(examined.ring, word(step["p"]), word(step["g"]));
  const Jacobian jacobian(step.problem, examined);
  const Minor minor(step, jacobian.height(), jacobian.width());
  return non_singular(step, jacobian.minor(character, minor.rows, minor.cols), character.p);
}

}  // namespace attest::kernel
