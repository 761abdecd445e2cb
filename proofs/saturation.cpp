// Figure 3 with every comparison proved: the largest softmax coefficient of head h at example t is
// 1 / sum_i b^(s (l_i - l_max)), enclosed until it is on one side of the threshold.
#include <algorithm>

#include "base/progress.hpp"
#include "proofs/deep.hpp"
#include "proofs/provers.hpp"
#include "search/arithmetic/balls.hpp"
#include "search/layer.hpp"

namespace attest {
namespace {

constexpr slong kSaturationPrecisions[] = {64, 256, 1024};
constexpr slong kMoreForChecker = 32;  // bits more for the checker, whose enclosures are others

// 1, 0 or -1 as the largest coefficient of the logits times `scale` is above the threshold, not known to be
// on a side of it, or at most the threshold.
int side(Base base, const LogitScale& scale, const std::vector<mpq_class>& logits, const mpq_class& threshold,
         slong precision) {
  Ball sum;
  for (const Ball& power : scaled_powers(base, scale, logits, precision))
    arb_add(sum.get(), sum.get(), power.get(), precision);
  const Ball bound(threshold, precision);
  arb_mul(sum.get(), sum.get(), bound.get(), precision);
  arb_sub_ui(sum.get(), sum.get(), 1, precision);
  return arb_is_negative(sum.get()) != 0 ? 1 : arb_is_nonnegative(sum.get()) != 0 ? -1 : 0;
}

}  // namespace

static void prove_saturation(const Case& c, const Claim& claim, const Effort&, ClaimProof& proof) {
  if (!c.before.empty()) return prove_deep_saturation(c, claim, proof);
  const AttentionLayer layer(c, *c.weights);
  const Dimensions& dims = *c.layer;
  const LogitScale rest = layer.ring() == Ring::two ? LogitScale() : dims.logit_scale;
  const std::size_t first = claim.has("head") ? claim.integer("head").get_ui() : 0,
                    heads = claim.has("head") ? 1 : dims.heads, T = dims.examples;
  std::size_t above = 0, below = 0;
  slong used = 0;
  for (std::size_t t = 0; t < T; ++t) {
    report_progress("coefficients", t, T);
    for (std::size_t h = first; h < first + heads; ++h) {
      const std::vector<mpq_class> logits = layer.logits(t, h);
      for (const slong precision : kSaturationPrecisions) {
        const int found = side(dims.base, rest, logits, claim.number("threshold"), precision);
        if (found == 0) continue;
        used = std::max(used, precision);
        (found > 0 ? above : below) += 1;
        break;
      }
    }
  }
  const auto bits = static_cast<std::size_t>(used + kMoreForChecker);
  if (above > 0) proof.script.counted("saturated", true, above, T * heads, bits);
  // Without this step the upper bound is T H, for the pairs of one head too.
  if (below > 0 || claim.has("head")) proof.script.counted("saturated", false, below, T * heads, bits);
  proof.reason = "some coefficients are too close to the threshold to be told from it";
}

const Registered registered{{"saturation", prove_saturation}};

}  // namespace attest
