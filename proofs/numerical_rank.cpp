// How many singular values of Z exceed the tolerance: Z is enclosed by integers, and the singular vectors
// that binary64 guesses, rounded to integers, show how many there are at least and at most.
#include <algorithm>
#include <cmath>
#include <optional>

#include "kernel/layers/enclosed_z.hpp"
#include "proofs/affine_hull_bound.hpp"
#include "proofs/provers.hpp"
#include "search/binary64.hpp"
#include "search/layer.hpp"

namespace attest {
namespace {

// Relative distances of squares of singular values and tolerance that are told apart: what nearly always
// suffices, and what is tried then.
constexpr double kDistances[] = {0x1p-20, 0x1p-48};
constexpr std::size_t kMostWanted = kMostBits / 2;

// The bits with which Z is to be enclosed, so that the enclosures move rows of the matrix that is to be
// diagonally dominant by less than a fraction of the distance.
double bits_for(const Case& c, const mpq_class& tolerance, double distance) {
  const Dimensions& dims = *c.layer;
  const auto size = [](std::size_t x) { return std::log2(static_cast<double>(x)); };
  double off = 0;  // behind other layers Z is known to a few units, whatever enters
  if (c.stack.empty()) {
    mpq_class largest = 1;
    for (std::size_t k = 0; k < c.data.contexts->size(); ++k)
      largest = std::max(largest, mpq_class(abs(c.data.contexts->at(k))));
    off = binary_logarithm(largest) + size(dims.context);
  }
  return off + 2 + (size(dims.examples) + size(dims.heads) + size(dims.embed_dim)) / 2 + 5 +
         size(std::min(dims.examples, dims.heads * dims.embed_dim)) - binary_logarithm(tolerance) -
         std::log2(distance);
}

// Of the integers near 2^bits Z, or of their transpose.
Matrix<mpz_class> matrix(const kernel::IntegerMatrix& z, bool turned) {
  const std::size_t height = z.size(), width = z.front().size();
  Matrix<mpz_class> result(turned ? width : height, turned ? height : width);
  for (std::size_t i = 0; i < height; ++i)
    for (std::size_t j = 0; j < width; ++j) (turned ? result(j, i) : result(i, j)) = z[i][j];
  return result;
}

// sqrt(x) 2^-bits moved by `distance` 2^-bits, rounded down or up to `digits` bits after the binary point.
mpq_class root(const mpq_class& x, const mpz_class& distance, std::size_t bits, bool up) {
  constexpr mp_bitcnt_t kExtra = 24;
  mpz_class scaled = x.get_num() << 2 * kExtra;
  mpz_fdiv_q(scaled.get_mpz_t(), scaled.get_mpz_t(), x.get_den_mpz_t());
  mpz_class value = sqrt(scaled);
  const mpz_class move = distance << kExtra;
  value = up ? mpz_class(value + 2 + move) : mpz_class(value - move);
  mpq_class result(std::max(value, mpz_class(0)), mpz_class(1) << (bits + kExtra));
  result.canonicalize();
  return result;
}

}  // namespace

void prove_numerical_rank(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  const mpq_class& tolerance = claim.number("tolerance");
  const std::size_t T = c.layer->examples, width = c.layer->heads * c.layer->embed_dim,
                    size = std::min(T, width);
  if (c.stack.empty()) {  // what needs no enclosure is there when a limit is hit
    AffineHull hull(c);
    add_affine_hull(hull, proof.script);
    derive(proof.script, "any-coefficients", "given");
    derive(proof.script, "equal-rows", "given");
    derive(proof.script, "singular-values");
  }
  const kernel::Problem problem(c);
  const kernel::Layer given = kernel::given_layer(problem);
  kernel::Logits logits(problem, given);
  for (const double distance : kDistances) {
    const double wanted = std::max(0.0, std::ceil(bits_for(c, tolerance, distance)));
    if (wanted > static_cast<double>(kMostWanted)) {
      proof.reason = "the tolerance is too small";
      proof.limited = true;
      return;
    }
    const auto bits = static_cast<std::size_t>(wanted);
    announce_enclosures(c, kernel::all_below(T), bits);
    const kernel::EnclosedZ z =
        kernel::enclosed_z(logits, kernel::all_below(T), kernel::all_below(width), bits, nullptr, true);
    const mpz_class entries = mpz_class(T) * width,
                    moved = (*std::ranges::max_element(z.rad))[0] * (sqrt(entries) + 1);
    mpq_class scaled = tolerance;
    mpq_mul_2exp(scaled.get_mpq_t(), scaled.get_mpq_t(), bits);
    mpz_class whole;
    mpz_fdiv_q(whole.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
    // The proved checker's enclosures are others.
    const mpz_class room = 2 * moved + 4, above = whole + 1 + room, below = whole - room;
    if (below <= 0) continue;
    const auto add = [&](ProofScript& script, const SpectralSplit& split) {
      if (!split.above.empty())
        script.add("ball", Fact::at_least("numerical_rank", split.above.size()),
                   {{"side", "above"}, {"bits", bits}, {"vectors", split.above}});
      if (!split.below.empty())
        script.add("ball", Fact::at_most("numerical_rank", size - split.below.size()),
                   {{"side", "below"}, {"bits", bits}, {"vectors", split.below}});
    };
    // What the first guess shows is there when a limit is hit later on, and may be enough.
    std::optional<SpectralSplit> first;
    const auto found = [&](const SpectralSplit& split) {
      first = split;
      ProofScript early(c, claim);
      add(early, split);
      for (Json step : early.steps()) {
        step["early"] = true;
        if (effort.told) effort.told(step);
      }
      return !early.settled();
    };
    SpectralSplit split;
    try {
      split = split_spectrum(matrix(z.mid, T > width), 2 * moved, below, above, distance, found);
    } catch (const std::exception&) {
      if (first) add(proof.script, *first);
      throw;
    }
    const bool decided = split.above.size() + split.below.size() == size;
    if (!decided && distance != kDistances[1] && !split.cut_off) continue;
    add(proof.script, split);
    for (const SingularValue& value : split.around)
      proof.singular_values.push_back(
          {value.index, root(value.lower, moved, bits, false), root(value.upper, moved, bits, true)});
    break;
  }
  proof.reason = "some singular values are too close to the tolerance to be told from it";
}

}  // namespace attest
