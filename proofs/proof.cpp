#include "proofs/proof.hpp"

#include "base/hints.hpp"
#include "base/isolated.hpp"
#include "base/text.hpp"
#include "kernel/quantities/examples.hpp"
#include "kernel/quantities/quantities.hpp"
#include "proofs/quantities.hpp"
#include "theory/failure.hpp"

namespace attest {

ClaimProof prove_by(Prover prover, const Case& c, const Claim& claim, const Effort& effort) {
  ClaimProof proof{ProofScript(c, claim), "", false};
  proof.script.tell(effort.told);
  proof.script.guess(effort.guess);
  const auto limit = [&](const std::string& what) {  // what was proved until then stays
    proof.reason = what;
    proof.limited = proof.cut_off = true;
  };
  try {
    if (const std::optional<Case> own = own_problem(c, claim))
      prover(*own, claim, effort, proof);
    else
      prover(c, claim, effort, proof);
  } catch (const Failure& failure) {  // the kernel does not tell: not known
    proof.reason = failure.what();
  } catch (const LimitError& error) {
    limit(error.what());
  } catch (const std::bad_alloc& error) {
    limit(memory_text(error));
  } catch (const Contradiction& contradiction) {
    throw Contradiction(located(c.path.string(), claim.place,
                                "claim " + std::to_string(claim.index) + " (" + claim.statement +
                                    "): " + contradiction.what() +
                                    "; one of them is wrong, which is a defect of attest, not of the case"));
  }
  if (conclude(claim, proof.script.facts()).verdict != Verdict::undecided) {
    proof.reason.clear();
    proof.limited = false;
  }
  return proof;
}

/// Whether a lower bound of a quantity serves a schema. A condition is served by lower bounds on the side
/// that must not be smaller; a conclusion's expression grows with its quantities.
static bool wants_lower_bound(const Theorem& schema, const std::string& quantity) {
  for (const std::string& condition : schema.conditions) {
    const std::size_t at = condition.find(quantity), at_least = condition.find(">=");
    if (at != std::string::npos)
      return at_least != std::string::npos ? at < at_least : at > condition.find("<=");
  }
  return schema.conclusion.find(">=") != std::string::npos;
}

void derive(ProofScript& script, const std::string& theorem, const std::string& layer) {
  const Theorem& schema = *find_theorem(theorem);
  std::string text = schema.conclusion;
  for (const std::string& condition : schema.conditions) text += " and " + condition;
  std::vector<std::string> quantities = quantities_in(text);
  quantities.erase(quantities.begin());  // what is bounded
  std::vector<ProofScript::Number> uses;
  std::vector<Fact> facts;
  for (std::string quantity : quantities) {
    const std::size_t w = quantity.find("(W)");
    if (w != std::string::npos) quantity.replace(w, 3, "(" + layer + ")");
    for (ProofScript::Number k = 0; k < script.steps().size(); ++k) {
      const Fact& fact = script.fact(k);
      const bool lower = fact.kind == Fact::Kind::at_least;
      if (fact.quantity != quantity || lower != wants_lower_bound(schema, quantity)) continue;
      const Bounds best = script.of(quantity);
      if (fact.bound != (lower ? best.lower : best.upper)) continue;
      uses.push_back(k);
      facts.push_back(fact);
      break;
    }
  }
  const Fact fact = apply_theorem(schema, facts, layer, script.facts().knowledge());
  const Bounds known = script.of(fact.quantity);
  if (fact.kind == Fact::Kind::at_least ? fact.bound > known.lower : fact.bound < known.upper)
    script.theorem(theorem, uses, layer);
}

ProvedPart::ProvedPart(const Case& c, const Part& part,
                       const std::function<void(const Case&, ProofScript&)>& prove)
    : part_(part),
      case_(std::make_unique<Case>(part_of(c, part))),
      others_(part.examples ? kernel::distinct_examples(kernel::Problem(c), std::nullopt, *part.examples)
                            : 0),
      inner_(*case_) {
  prove(*case_, inner_);
}

std::string unmet_bounds(const ProofScript& script, const std::string& quantity, const std::string& what) {
  const Bounds known = script.of(quantity);
  return "the bounds " + known.lower.get_str() + " <= " + what + " <= " + known.upper.get_str() +
         " do not meet";
}

std::size_t upper_bound_of(const ProofScript& script, const std::string& quantity) {
  return script.of(quantity).upper.get_ui();
}

}  // namespace attest
