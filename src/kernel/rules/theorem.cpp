// The rule `theorem`.
#include <set>

#include "base/text.hpp"
#include "kernel/layers/jacobian.hpp"
#include "kernel/rules/rules.hpp"

namespace attest::kernel {

/// The conclusion of a theorem of the table, for a layer when it has a W, when its conditions follow from
/// the facts that are used, the bounds that need no proof, and what the case computes.
Fact rules::theorem(const Step& step) {
  const std::string& name = string(step["theorem"]);
  const Theorem* const schema = find_theorem(name);
  ENSURE(schema != nullptr, "a theorem of the table", in_quotes(name));
  std::vector<Fact> facts;
  std::set<Word> uses;
  for (const Json& number : array(step["uses"])) {
    facts.push_back(step.used(number));
    ENSURE(uses.insert(word(number)).second, "each step once in uses", number.dump());
  }
  std::string layer_name;
  if (step.has("layer")) {
    const Json& which = step["layer"];
    static const Json given = "given";
    layer_name = which == given ? "given" : count(word(which));
    const Layer& examined = step.layer(layer_name);  // exists
    if (schema->conclusion.find("rank(J(W))") != std::string::npos) Jacobian(step.problem, examined);
  }
  std::vector<std::size_t> parts;
  if (step.has("parts")) parts = list(step["parts"], array(step["parts"]).size(), word);
  return apply_theorem(*schema, facts, layer_name, step.computed, parts);
}

}  // namespace attest::kernel
