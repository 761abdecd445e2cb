// A layer behind a stack. From below by enclosures: a minor with an approximate inverse, rows that are apart.
// From above by what contains the vectors that enter, by examples that are equal or opposite, by equal heads.
// Enclosures never show a deficiency that has another reason.
#include "proofs/stack.hpp"

#include <algorithm>
#include <bit>
#include <set>

#include "base/errors.hpp"
#include "base/meter.hpp"
#include "kernel/layers/enclosed_z.hpp"
#include "kernel/layers/stack_enclosures.hpp"
#include "problem/generate.hpp"
#include "search/arithmetic/balls.hpp"
#include "search/arithmetic/owned.hpp"
#include "search/free_stack.hpp"
#include "search/layer.hpp"

namespace attest {
namespace {

constexpr slong kStackPrecisions[] = {128, 512, 2048};
constexpr slong kRoom = 8;  // bits
constexpr double kEnclosedSubsets = 1e6;
constexpr slong kLeast = 4096 - kMostBits;  // what is below 2^kLeast takes more bits than a step may have

// log2 of an upper bound of the entries, at least 0.
slong size(const BallMatrix& a) {
  return std::max<slong>(exponent(a), 0);
}

// Rows and columns of a minor that is invertible, by elimination with balls.
MinorIndices invertible_minor(BallMatrix a, std::size_t most, slong precision) {
  std::vector<std::size_t> rows = range(0, a.rows()), cols = range(0, a.cols());
  MinorIndices minor;
  OwnedMagnitude best, least;
  Ball factor;
  for (std::size_t r = 0; r < most; ++r) {
    std::size_t row = rows.size(), col = cols.size();
    mag_zero(best);
    for (const std::size_t i : rows)
      for (const std::size_t j : cols) {
        arb_get_mag_lower(least, a(i, j).get());
        if (mag_cmp(least, best) <= 0) continue;
        mag_swap(best, least);
        row = i;
        col = j;
      }
    if (mag_cmp_2exp_si(best, kLeast) <= 0) break;
    minor.rows.push_back(row);
    minor.cols.push_back(col);
    std::erase(rows, row);
    std::erase(cols, col);
    meter().work(rows.size() * cols.size() * 100);
    for (const std::size_t i : rows) {
      arb_div(factor.get(), a(i, col).get(), a(row, col).get(), precision);
      for (const std::size_t j : cols) arb_submul(a(i, j).get(), factor.get(), a(row, j).get(), precision);
    }
  }
  return minor;
}

mpq_class middle(const Ball& x) {
  OwnedRational q;
  arf_get_fmpq(q, arb_midref(x.get()));
  mpq_class result;
  fmpq_get_mpq(result.get_mpq_t(), q);
  return result;
}

// The step that shows it to be invertible in the Z of this quantity; false when these enclosures do not.
bool add_inverse(const std::string& of, const BallMatrix& z, const MinorIndices& minor, slong precision,
                 ProofScript& script) {
  const std::size_t r = minor.rows.size();
  const BallMatrix a = submatrix(z, minor.rows, minor.cols);
  const std::optional<BallMatrix> inverse = solve(a, ball_identity(r), precision);
  if (!inverse) return false;
  // Entries of R to so many bits after the binary point that I - R A is small, and of A as many that R times
  // what they are off is.
  const slong bits = static_cast<slong>(std::bit_width(r)), digits = size(a) + bits + kRoom,
              wanted = size(*inverse) + 2 * bits + kRoom;
  if (wanted > static_cast<slong>(kMostBits)) return false;
  BallMatrix R(r, r);
  std::vector<std::vector<mpq_class>> rows(r);
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t j = 0; j < r; ++j) {
      if (mag_cmp_2exp_si(arb_radref((*inverse)(i, j).get()), -digits) > 0 ||
          mag_cmp_2exp_si(arb_radref(a(i, j).get()), -wanted) > 0)
        return false;
      R(i, j) = rounded((*inverse)(i, j), -digits);
      rows[i].push_back(middle(R(i, j)));
    }
  script.add("inverse", Fact::at_least(of, r),
             {{"rows", minor.rows}, {"cols", minor.cols}, {"precision", wanted}, {"inverse", rows}});
  return true;
}

const char* const kOpen = ": enclosures show no more, and no exact reason for less was found";

// Rows of Z that are apart, and with how many bits that shows.
struct Apart {
  std::vector<std::size_t> rows;
  slong bits;
};

// The first rows that the enclosures tell from all of them before.
Apart told_apart(const BallMatrix& z, slong precision) {
  Apart found{{}, 2 * kRoom};
  Ball difference;
  OwnedMagnitude gap, best, least;
  for (std::size_t t = 0; t < z.rows(); ++t) {
    mag_inf(gap);  // from the nearest row that was found
    for (const std::size_t s : found.rows) {
      mag_zero(best);
      for (std::size_t j = 0; j < z.cols(); ++j) {
        arb_sub(difference.get(), z(t, j).get(), z(s, j).get(), precision);
        arb_get_mag_lower(least, difference.get());
        if (mag_cmp(least, best) > 0) mag_set(best, least);
      }
      if (mag_cmp(best, gap) < 0) mag_set(gap, best);
    }
    meter().work(found.rows.size() * 50);
    if (mag_cmp_2exp_si(gap, kLeast) <= 0) continue;
    found.rows.push_back(t);
    if (mag_is_inf(gap) != 0) continue;
    arf_t x;
    arf_init_set_mag_shallow(x, gap);
    found.bits = std::max(found.bits, 2 * kRoom - arf_abs_bound_lt_2exp_si(x));
  }
  return found;
}

BallMatrix balls(const kernel::EnclosedZ& z, slong bits) {
  BallMatrix result(z.mid.size(), z.mid.front().size());
  OwnedInteger integer;
  for (std::size_t i = 0; i < result.rows(); ++i)
    for (std::size_t j = 0; j < result.cols(); ++j) {
      fmpz_set_mpz(integer, z.mid[i][j].get_mpz_t());
      arb_set_fmpz(result(i, j).get(), integer);
      arb_add_error_2exp_si(result(i, j).get(),
                            static_cast<slong>(mpz_sizeinbase(z.rad[i][0].get_mpz_t(), 2)));
      arb_mul_2exp_si(result(i, j).get(), result(i, j).get(), -bits);
    }
  return result;
}

BallMatrix enclosed(const kernel::Problem& problem, const kernel::Layer& layer, slong bits) {
  const std::vector<std::size_t> all = kernel::all_below(problem.T);
  announce_enclosures(problem.source, all, static_cast<std::size_t>(bits));
  kernel::Logits logits(problem, layer);
  return balls(kernel::enclosed_z(logits, all, kernel::all_below(problem.H * problem.d),
                                  static_cast<std::size_t>(bits), nullptr, true),
               bits);
}

// Enclosures at rising precision, until what they show (`show`) is all that is known from above.
template <class Show>
void with_enclosures(const Case& c, const ProofScript& script, const std::string& of, Show show) {
  const kernel::Problem problem(c);
  const kernel::Layer given = kernel::given_layer(problem);
  for (const slong bits : kStackPrecisions) {
    if (script.of(of).decided()) return;
    show(enclosed(problem, given, bits), bits);
  }
}

// Heads u v^T of small integers times 2^shift.
std::vector<LetHead> heads_of_rank_one(const Case& c, std::uint64_t seed, int shift) {
  SplitMix64 random(seed, 0);
  const auto drawn = [&] {
    RationalVector v;
    for (std::size_t j = 0; j < c.layer->embed_dim; ++j)
      v.num.emplace_back(static_cast<long>(random.below(19)) - 9);
    return v;
  };
  std::vector<LetHead> heads;
  for (std::size_t h = 0; h < c.layer->heads; ++h) {
    LetHead& head = heads.emplace_back(LetHead{{drawn()}, {drawn()}, {}});
    if (shift < 0) head.key[0].den <<= -shift;
    for (mpz_class& x : head.key[0].num) x <<= std::max(shift, 0);
  }
  return heads;
}

// Weights of the last layer whose Z has the largest rank that is found behind the layers as they are: sizes
// of logits at which enclosures tell most.
void bound_by_enclosures(const Case& c, ProofScript& script) {
  constexpr int kShifts[] = {0, -4, -8, 4, -12};
  const kernel::Problem problem(c);
  const std::size_t most = upper_bound_of(script, "capacity");
  std::size_t best = 0;
  for (const slong bits : kStackPrecisions)
    for (std::uint64_t seed = 0; seed < std::size(kShifts) && best < most; ++seed) {
      const std::vector<LetHead> heads = heads_of_rank_one(c, seed, kShifts[seed]);
      kernel::Layer layer{kernel::Ring::of(*c.layer, true), {}};
      for (const LetHead& head : heads)
        layer.heads.push_back({{kernel::Vector(head.key[0].num, head.key[0].den)},
                               {kernel::Vector(head.query[0].num, head.query[0].den)},
                               {},
                               {}});
      const BallMatrix z = enclosed(problem, layer, bits);
      const MinorIndices minor = invertible_minor(z, most, bits);
      if (minor.rank() <= best) continue;
      ProofScript trial(c);  // so that no weights are written down that show nothing
      if (!add_inverse(ProofScript::rank_of(trial.let({{"heads", heads}})), z, minor, bits, trial)) continue;
      best = minor.rank();
      const ProofScript::Number number = script.label("weights of the last layer").let({{"heads", heads}});
      add_inverse(ProofScript::rank_of(number), z, minor, bits, script);
      derive(script, "some-weights", std::to_string(number));
    }
}

// Of what enters behind given layers, from above.
void derive_stack_hulls(const Case& c, ProofScript& script) {
  meter().work(c.data.hidden->size() * (100 + c.layer->embed_dim));
  for (const char* const theorem : {"entering-affine-hull", "entering-linear-hull", "entering-differences"})
    derive(script, theorem);
}

}  // namespace

void prove_stack_rank(const Case& c, ClaimProof& proof) {
  ProofScript& script = proof.script;
  derive_stack_hulls(c, script);
  derive(script, "any-coefficients", "given");
  derive(script, "equal-rows", "given");
  derive(script, "opposite-examples");
  derive(script, "entering-equal-heads");
  with_enclosures(c, script, kRank, [&](const BallMatrix& z, slong precision) {
    const MinorIndices minor = invertible_minor(z, upper_bound_of(script, kRank), precision);
    if (script.of(kRank).lower < minor.rank()) add_inverse(kRank, z, minor, precision, script);
  });
  derive(script, "some-coefficients", "given");
  proof.reason = unmet_bounds(script, kRank, "rank(Z)") + kOpen;
}

void prove_stack_injective(const Case& c, ClaimProof& proof) {
  ProofScript& script = proof.script;
  derive(script, "equal-outputs");
  with_enclosures(c, script, kDifferent, [&](const BallMatrix& z, slong precision) {
    const auto [rows, bits] = told_apart(z, precision);
    if (script.of(kDifferent).lower < rows.size())
      script.add("ball", Fact::at_least(kDifferent, rows.size()), {{"rows", rows}, {"precision", bits}});
  });
  proof.reason = unmet_bounds(script, kDifferent, "different outputs") + kOpen;
}

// The largest minor that a few nested characters show; they stop at what is known from above.
template <class Minor>
static void bound_by_characters(const Case& c, const std::string& quantity, ProofScript& script,
                                Minor minor_of) {
  const std::size_t most = upper_bound_of(script, quantity);
  std::optional<NestedCharacter> used;
  MinorIndices best;
  for (std::size_t k = 0; best.rank() < most; ++k) {
    const std::optional<NestedCharacter> character = nested_character(c, k);
    if (!character) break;
    std::optional<MinorIndices> minor = minor_of(*character, most);
    if (!minor || minor->rank() <= best.rank()) continue;
    best = std::move(*minor);
    used = character;
  }
  if (!used) return;
  script.label("random integers as weights of all layers");
  script.add("nested", Fact::at_least(quantity, best.rank()),
             {{"primes", used->primes},
              {"bound", used->bound},
              {"seed", used->seed},
              {"rows", best.rows},
              {"cols", best.cols}});
}

// Whether its conditions are shown.
static bool derive_if_shown(ProofScript& script, const char* theorem) {
  const bool shown =
      std::ranges::all_of(find_theorem(theorem)->conditions, [&](const std::string& condition) {
        return decide(condition, script.facts().knowledge()) == Truth::yes;
      });
  if (shown) derive(script, theorem);
  return shown;
}

static constexpr const char* kUnproved =
    ": no weights with a larger rank were found, and no reason why there are none";

void prove_stack_capacity(const Case& c, ClaimProof& proof) {
  if (c.layer->given_stack) {
    derive_stack_hulls(c, proof.script);
    derive(proof.script, "any-weights");
    derive(proof.script, "opposite-outputs");
    bound_by_enclosures(c, proof.script);
    proof.reason = unmet_bounds(proof.script, "capacity", "capacity") + kOpen;
    return;
  }
  derive(proof.script, "stack-means");
  derive(proof.script, "opposite-outputs");
  bound_by_characters(c, "capacity", proof.script, [&](const NestedCharacter& character, std::size_t) {
    return minor_of_stack_z(c, character);
  });
  proof.reason = unmet_bounds(proof.script, "capacity", "capacity") + kUnproved;
}

void prove_behind_stack(const Case& c, const Claim& claim, const Effort& effort, ClaimProof& proof) {
  ProofScript& script = proof.script;
  std::vector<Clause> clauses = hypotheses_of(claim);
  clauses.push_back(conclusion_of(claim));
  const auto names = [](const Clause& clause, const std::string& quantity) {
    return std::ranges::count(quantities_in(clause.proposition), quantity) > 0;
  };
  const auto is_named = [&](const std::string& quantity) {
    return std::ranges::any_of(clauses, [&](const Clause& clause) { return names(clause, quantity); });
  };
  // Whether more than this bound from below is of use.
  const auto open_at = [&](const std::string& quantity, std::size_t lower) {
    const Knowledge known = [&](const std::string& name) {
      return name == quantity ? Bounds{lower, script.of(name).upper} : script.of(name);
    };
    return std::ranges::any_of(clauses, [&](const Clause& clause) {
      return names(clause, quantity) && decide(clause.proposition, known) == Truth::open;
    });
  };
  const kernel::Problem& problem = script.problem();
  const std::vector<std::size_t> all = kernel::all_below(problem.T);
  // As many bits as show it, at most the last of these.
  const auto shown = [&](const auto& shows) -> slong {
    for (const slong bits : kStackPrecisions) {
      announce_enclosures(c, all, static_cast<std::size_t>(bits));
      if (shows(problem.enclosed_stack(static_cast<std::size_t>(bits), all))) return bits;
    }
    return 0;
  };
  if (is_named("kruskal(queries)")) derive(script, "entering-queries");
  if (is_named("rank(contexts)")) derive(script, "entering-contexts");
  for (const bool mixed : {false, true}) {
    const char* const contexts = mixed ? "rank(mixed-contexts)" : "rank(contexts)";
    if (is_named(contexts) && upper_bound_of(script, contexts) >= problem.n)
      if (const slong bits = shown([&](const kernel::EnclosedStack& stack) {
            return std::ranges::all_of(all,
                                       [&](std::size_t t) { return stack.tokens_independent(t, mixed); });
          }))
        script.add("ball", Fact::at_least(contexts, problem.n), {{"precision", bits}});
    const char* const queries = mixed ? "kruskal(mixed-queries)" : "kruskal(queries)";
    if (!is_named(queries)) continue;
    const std::size_t most = upper_bound_of(script, queries);
    std::size_t best = 0;
    slong bits = 0;
    for (double subsets = 1; best < most && open_at(queries, best); ++best) {
      subsets *= static_cast<double>(problem.T - best) / static_cast<double>(best + 1);
      proof.limited = proof.limited || subsets > std::min(effort.subsets, kEnclosedSubsets);
      const slong found = proof.limited ? 0 : shown([&](const kernel::EnclosedStack& stack) {
        return stack.queries_independent(best + 1, mixed);
      });
      if (found == 0) break;
      bits = found;
    }
    if (best > 0) script.add("ball", Fact::at_least(queries, best), {{"k", best}, {"precision", bits}});
  }
  if (is_named("capacity") || is_named("memorized(any)")) prove_stack_capacity(c, proof);
  if (is_named("memorized(any)")) derive_if_shown(script, "all-labels");
  if (proof.reason.empty())
    proof.reason = proof.limited ? "enclosures of more subsets than the effort allows"
                                 : "what enters" + std::string(kOpen);
}

void prove_stack_functional_dimension(const Case& c, ClaimProof& proof) {
  const std::string largest = "functional_dimension";
  ProofScript& script = proof.script;
  derive(script, "stack-means");
  derive(script, "opposite-outputs");
  derive(script, "stack-symmetries");
  derive(script, "opposite-jacobian-rows");
  bound_by_characters(c, largest, script, [&](const NestedCharacter& character, std::size_t most) {
    return minor_of_stack_jacobian(c, character, most);
  });
  const auto open = [&] { return !script.of(largest).decided(); };
  if (open() && derive_if_shown(script, "composed-means") && open())
    derive_if_shown(script, "composed-means-maps");
  proof.reason = unmet_bounds(script, largest, "functional dimension") + kUnproved;
}

}  // namespace attest
