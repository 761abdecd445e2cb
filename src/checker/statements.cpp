#include "checker/statements.hpp"

#include <algorithm>

#include "checker/patterns.hpp"

namespace attest::checker {
namespace {

const std::set<std::string> kHullSteps = {"affine-hull", "token-minor"};
const std::set<std::string> kRankSteps = {"character-minor", "structure", "right-kernel", "left-kernel"};
const std::set<std::string> kKruskalSteps = {"kruskal-lower", "kruskal-upper"};
const std::set<std::string> kContextSteps = {"contexts-full-rank", "context-dependent"};

struct Statement {
  std::vector<const std::set<std::string>*> groups;
  std::set<std::string> steps;  ///< further ones
  std::set<std::string> layers;
};

const std::map<std::string, Statement> kStatements = {
    {"rank", {{&kHullSteps, &kRankSteps}, {}, {"given"}}},
    {"kruskal-rank", {{&kKruskalSteps}, {}, {}}},
    {"general-position", {{&kKruskalSteps}, {}, {}}},
    {"assumption-1", {{&kKruskalSteps}, {}, {}}},
    {"assumption-2", {{&kContextSteps}, {}, {}}},
    {"affine-hull-bound", {{&kHullSteps, &kRankSteps}, {"random"}, {"given", "random"}}},
    {"proposition-1",
     {{&kHullSteps, &kRankSteps, &kKruskalSteps, &kContextSteps}, {"construction"}, {"construction"}}},
    {"theorem-1",
     {{&kHullSteps, &kRankSteps, &kKruskalSteps, &kContextSteps},
      {"construction", "too-many-examples", "readout-enclosure", "readout-exact"},
      {"construction"}}},
    {"proposition-2", {{&kHullSteps, &kRankSteps}, {"random", "contexts-differ"}, {"given", "random"}}},
    {"proposition-5", {{&kHullSteps, &kRankSteps}, {"random", "token-sums-differ"}, {"given", "random"}}},
    {"claim-1",
     {{}, {"subset-too-large", "subset-dependent", "subset-context-dependent", "claim-1-weights"}, {}}},
    {"claim-2", {{&kKruskalSteps, &kContextSteps}, {"subset-too-large", "claim-2-weights"}, {}}},
    {"lemma-1", {{}, {"matrix-rank"}, {}}},
    {"lemma-2", {{}, {"matrix-rank"}, {}}},
    {"lemma-3", {{&kKruskalSteps, &kContextSteps}, {"lemma-3-separator"}, {}}},
    {"lemma-4", {{}, {"lemma-4-lambda", "equal-entries"}, {}}},
    {"lemma-5", {{}, {"matrix-rank", "spectral-gap"}, {}}},
    {"assumption-3", {{&kKruskalSteps}, {}, {}}},
    {"proposition-4", {{&kKruskalSteps, &kContextSteps}, {"outputs-full-rank"}, {}}},
    {"remark-1",
     {{&kHullSteps, &kRankSteps, &kKruskalSteps, &kContextSteps}, {"construction"}, {"construction"}}},
    {"skip-connection",
     {{&kHullSteps, &kRankSteps, &kKruskalSteps, &kContextSteps},
      {"construction", "too-many-examples", "readout-enclosure", "readout-exact"},
      {"construction"}}},
    {"finite-lambda",
     {{&kHullSteps, &kKruskalSteps, &kContextSteps},
      {"construction", "character-minor", "finite-lambda-bound", "rescaled"},
      {"construction", "rescaled"}}},
    {"positional-encoding", {{}, {"vandermonde-nodes", "too-many-positions", "zero-encoding"}, {}}},
    {"proposition-3",
     {{&kKruskalSteps, &kContextSteps},
      {"moment-curve", "kronecker-labels", "transcendental-labels", "network-weights", "pattern-search"},
      {}}},
};

bool constant_sum(const Problem& problem) {
  std::optional<Rational> sum;
  for (std::size_t t = 0; t < (problem.shared() ? 1 : problem.T); ++t) {
    for (const Vector& token : *problem.context(t)) {
      Integer numerators = 0;
      for (const Integer& entry : token.num) numerators += entry;
      const Rational next(numerators, token.den);
      if (sum && *sum != next) return false;
      sum = next;
    }
  }
  return true;
}

Json interval(std::size_t lower, std::size_t upper) {
  ensure(lower <= upper, "a lower bound <= the upper bound",
         std::to_string(lower) + " and " + std::to_string(upper));
  return {{"lower", lower}, {"upper", upper}};
}

/// The verdict on a number known to lie in [lower, upper].
Verdict decide_number(const Claim& claim, std::size_t lower, std::size_t upper) {
  const auto verdict = [](bool verified, bool refuted) {
    return verified ? Verdict::verified : refuted ? Verdict::refuted : Verdict::undecided;
  };
  if (claim.value)
    return verdict(lower == upper && *claim.value == lower, *claim.value < lower || *claim.value > upper);
  if (claim.at_least) return verdict(*claim.at_least <= lower, *claim.at_least > upper);
  if (claim.at_most) return verdict(*claim.at_most >= upper, *claim.at_most < lower);
  return verdict(lower == upper, false);
}

/// What the layer of Theorem 1 spends and what it memorizes, W_D included.
Json layer_parameters(const Problem& problem) {
  const Integer H = problem.H, d_v = problem.d_v, d_out = problem.d_out;
  const Integer layer = H * problem.d * (Integer(2) * problem.d_h + d_v) + H * d_v * d_out + d_out * d_out;
  const Integer memorized = d_out * problem.T;
  return {
      {"layer", number(layer)}, {"memorized", number(memorized)}, {"most_examples", number(layer / d_out)}};
}

}  // namespace

std::string decided(const Facts& facts, bool holds, const char* witness) {
  ensure(holds || facts.shown.count(witness) != 0, std::string("a step ") + witness, "none");
  return holds ? "holds" : "fails";
}

bool step_belongs(const std::string& statement, const std::string& argument) {
  const auto found = kStatements.find(statement);
  ensure(found != kStatements.end(), "a statement of this format", statement);
  for (const auto* group : found->second.groups) {
    if (group->count(argument) != 0) return true;
  }
  return found->second.steps.count(argument) != 0;
}

bool layer_belongs(const std::string& statement, const std::string& layer) {
  const auto found = kStatements.find(statement);
  ensure(found != kStatements.end(), "a statement of this format", statement);
  return found->second.layers.count(layer) != 0;
}

Conclusion conclude(const Problem& problem, const Claim& claim, const Facts& facts, bool cut_short) {
  if (about_given_labels(claim)) return conclude_given_labels(problem, claim, facts);
  const std::string& statement = claim.statement;
  const auto shown = [&](const char* argument) { return facts.shown.count(argument) != 0; };
  const auto is = [&](std::initializer_list<const char*> names) {
    return std::find(names.begin(), names.end(), statement) != names.end();
  };
  const bool construction = layer_belongs(statement, "construction");
  const bool about_z = construction || layer_belongs(statement, "given");
  const std::size_t needed = std::min(problem.n, problem.T);  // the Kruskal rank of Assumption 1
  // H (r - 1) + 1, for Remark 1 with r no larger than the Kruskal rank.
  const auto paper_bound = [&](std::size_t kruskal) {
    const std::size_t r = statement == "remark-1" ? std::min(problem.r, kruskal) : problem.r;
    return r == 0 ? 0 : std::min(problem.T, problem.H * (r - 1) + 1);
  };
  Conclusion end;

  std::size_t lower = facts.rank_lower, upper = std::min(problem.T, problem.H * problem.d);
  if (about_z) {
    upper = std::min(upper, facts.hull_bound.value_or(upper));
    end.result["bounds"] = {{"paper_lower", paper_bound(facts.kruskal_lower)}, {"affine_hull", upper}};
    upper = std::min(upper, facts.rank_upper.value_or(upper));
    if (statement == "rank" || (construction ? shown("construction") : facts.rank_examined)) {
      end.result["rank"] = interval(lower, upper);
    }
  }
  const bool about_kruskal = is({"kruskal-rank", "general-position", "assumption-1", "assumption-3"});
  if (about_kruskal || statement == "remark-1")
    end.result["kruskal_rank"] = interval(facts.kruskal_lower, facts.kruskal_upper);
  if (cut_short) return end;

  if (statement == "rank") {
    end.verdict = decide_number(claim, lower, upper);
  } else if (statement == "kruskal-rank") {
    end.verdict = decide_number(claim, facts.kruskal_lower, facts.kruskal_upper);
  } else if (about_kruskal) {
    const std::size_t target = statement == "general-position" ? std::min(problem.d, problem.T) : needed;
    if (facts.kruskal_lower >= target) {
      end.verdict = Verdict::verified;
    } else if (facts.kruskal_upper < target) {
      end.verdict = Verdict::refuted;
    }
  } else if (statement == "assumption-2") {
    if (shown("contexts-full-rank")) end.verdict = Verdict::verified;
    if (shown("context-dependent")) end.verdict = Verdict::refuted;
  } else if (statement == "affine-hull-bound") {
    if (facts.hull_bound) end.verdict = Verdict::verified;
  } else if (statement == "lemma-1") {
    end.result["ranks"] = facts.ranks;
    const auto& ranks = facts.ranks;
    if (ranks.size() == 3 && ranks.at("block") >= ranks.at("a") + ranks.at("c"))
      end.verdict = Verdict::verified;
  } else if (statement == "positional-encoding") {
    // Not 0 also for n > d: the first d positions have rank d.
    end.result["encoding_rank"] = problem.n == 1 && problem.d == 1 ? 0 : std::min(problem.n, problem.d);
    if (shown("vandermonde-nodes")) end.verdict = Verdict::verified;
    if (shown("too-many-positions") || shown("zero-encoding")) end.verdict = Verdict::refuted;
  } else {
    // The statements with hypotheses and a conclusion.
    Findings findings;
    std::map<std::string, std::string>& hypotheses = findings.hypotheses;
    bool& proved = findings.proved;
    const bool theorem = is({"theorem-1", "skip-connection"});
    // Remark 1 is about the Kruskal rank, of which only the interval is known.
    if (construction)
      proved = facts.constructed_rank >= (theorem ? problem.T : paper_bound(facts.kruskal_upper));
    if (statement == "finite-lambda") {
      proved = proved && shown("finite-lambda-bound");
      if (shown("construction"))
        end.result["sweep"] = conclude_sweep(claim, facts, end.result["bounds"]["affine_hull"]);
      if (facts.unknown_up_to) end.result["unknown_up_to"] = *facts.unknown_up_to;
    }
    if (statement == "proposition-2" || statement == "proposition-5") {
      const bool second = statement == "proposition-2";
      const std::size_t bound = problem.H * ((second ? problem.n : problem.d) - 1) + 1;
      proved = facts.hull_bound && *facts.hull_bound <= bound;
      if (second) hypotheses["shared-context"] = decided(facts, problem.shared(), "contexts-differ");
      if (!second) hypotheses["constant-sum"] = decided(facts, constant_sum(problem), "token-sums-differ");
      const std::size_t full = std::min(problem.T, bound);
      if (facts.rank_examined && (lower == full || upper < full)) end.result["tight"] = lower == full;
    }
    if (statement == "claim-1" || statement == "claim-2") {
      const std::size_t allowed = statement == "claim-1" ? problem.r : problem.r - 1;
      const bool small = claim.subset->size() <= allowed;
      hypotheses["subset-size"] = decided(facts, small, "subset-too-large");
      // The weights have rank at most r, as the claims say, only for a subset of this size.
      proved = small && shown((statement + "-weights").c_str());
    }
    if (statement == "claim-1") {
      const bool weights = shown("claim-1-weights");
      hypotheses["subset-queries"] = weights ? "holds" : shown("subset-dependent") ? "fails" : "undecided";
      hypotheses["subset-contexts"] = weights                             ? "holds"
                                      : shown("subset-context-dependent") ? "fails"
                                                                          : "undecided";
    }
    if (theorem) {
      hypotheses["examples"] =
          decided(facts, problem.T <= problem.H * (problem.r - 1) + 1, "too-many-examples");
      end.result["parameters"] = layer_parameters(problem);
    }
    conclude_lemma(problem, claim, facts, findings);
    if (statement == "proposition-3") conclude_network(problem, claim, facts, findings);

    const bool sufficient =
        is({"proposition-1", "finite-lambda", "theorem-1", "skip-connection", "claim-2", "lemma-3"});
    if (sufficient || is({"proposition-3", "proposition-4"})) {
      hypotheses[statement == "proposition-4" ? "assumption-3" : "assumption-1"] =
          facts.kruskal_lower >= needed  ? "holds"
          : facts.kruskal_upper < needed ? "fails"
          : sufficient && proved         ? "sufficient"
                                         : "undecided";
    }
    if (sufficient || is({"proposition-3", "proposition-4", "remark-1"})) {
      hypotheses["assumption-2"] = shown("contexts-full-rank")  ? "holds"
                                   : shown("context-dependent") ? "fails"
                                                                : "undecided";
    }
    bool all = true, failed = false;
    for (const auto& [name, state] : hypotheses) {
      all = all && (state == "holds" || state == "sufficient");
      failed = failed || state == "fails";
    }
    end.result.update(findings.result);
    if (is({"lemma-2", "lemma-5"})) end.result["ranks"] = facts.ranks;
    end.result["hypotheses"] = hypotheses;
    end.result["conclusion"] = proved ? "proved" : "open";
    end.verdict = failed             ? Verdict::inapplicable
                  : all && proved    ? Verdict::verified
                  : findings.refuted ? Verdict::refuted
                                     : Verdict::undecided;
  }
  if (about_z && (end.verdict == Verdict::verified || end.verdict == Verdict::refuted)) {
    ensure(facts.hull_bound.has_value(), "an affine-hull step", "none");
  }
  return end;
}

}  // namespace attest::checker
