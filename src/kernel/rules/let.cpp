// The rule `let`.
#include "kernel/rules/common.hpp"
#include "kernel/rules/rules.hpp"

namespace attest::kernel {

/// let Z(k), k the step's number, when the layer is
/// - random: key and query weights drawn with a bound from 1 to 2^62 and a seed below 2^63,
/// - rescaled: an earlier layer with heads, with another lambda in every separator, or
/// - heads: H heads sum_i key_i query_i^T + lambda u v^T, of d_h terms at most.
Fact rules::let(const Step& step) {
  ENSURE(step.problem.source.layer.has_value(), "a case with [layer]", "none");
  Layer layer{Ring::of(*step.problem.source.layer, true), {}};
  const Json& definition = step["layer"];
  if (definition.contains("random")) {
    const Json& random = object(object(definition, "random").at("random"), "bound seed");
    const Word bound = word(random.at("bound")), seed = word(random.at("seed"));
    // The ranges of case files.
    ENSURE(bound >= 1 && bound <= (Word{1} << 62), "a bound from 1 to 2^62", count(bound));
    ENSURE(seed < (Word{1} << 63), "a seed below 2^63", count(seed));
    layer = random_layer(step.problem, bound, seed);
  } else if (definition.contains("rescaled")) {
    const Json& rescaled = object(object(definition, "rescaled").at("rescaled"), "of lambda");
    layer = built_layer(step, rescaled.at("of"));
    const Rational lambda = rational(rescaled.at("lambda"));
    for (Head& head : layer.heads) {
      if (head.lambda) head.lambda = lambda;
    }
  } else {
    for (const Json& value : array(object(definition, "heads").at("heads"), step.problem.H)) {
      object(value, step.problem.source.layer->sink ? "key query separator? sink" : "key query separator?");
      if (step.problem.source.layer->sink) layer.sinks.push_back(rational(value.at("sink")));
      Head head;
      head.key = vectors(value.at("key"), array(value.at("key")).size(), step.problem.d);
      head.query = vectors(value.at("query"), head.key.size(), step.problem.d);
      if (value.contains("separator")) {
        const Json& separator = object(value.at("separator"), "u v lambda");
        head.key.push_back(vector(separator.at("u"), step.problem.d));
        head.query.push_back(vector(separator.at("v"), step.problem.d));
        head.lambda = rational(separator.at("lambda"));
      }
      ENSURE(head.key.size() <= step.problem.d_h, "weights of rank at most " + count(step.problem.d_h),
             count(head.key.size()) + " terms");
      layer.heads.push_back(std::move(head));
    }
  }
  step.define(std::move(layer));
  return {Fact::Kind::layer, "Z(" + step.number + ")", 0};
}

}  // namespace attest::kernel
