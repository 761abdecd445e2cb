#include "tests/oracle/truth.hpp"

#include <algorithm>

#include "tests/oracle/oracle.hpp"

namespace attest::test {

Answer Oracle::judge(const Json& steps, const Json& step) {
  const auto& text = step.at("fact").get_ref<const std::string&>();
  if (text.starts_with("let ")) return Answer::yes;
  const Bound bound(text);
  const std::string& of = bound.quantity;
  if (bound.number <= 0 && bound.at_least) return Answer::yes;
  if (!source.before.empty() && of != "rank(encoding)") return judge_deep(bound);
  if (of.starts_with("rank(Z(") || of == "capacity" || of == "tail_rank") {
    if (!bound.at_least && bound.number >= integer(std::min(T, H * d))) return Answer::yes;  // the shape
    if (tokens.empty()) return Answer::unknown;
  }
  if (of.starts_with("rank(Z(") && of != "rank(Z(any))") {
    const std::string name = of.substr(7, of.size() - 9);
    return judge_layer(bound, name == "given" ? given() : built(steps, std::stoul(name)));
  }
  if (of == "rank(Z|Y)") {
    if (!bound.at_least && bound.number >= integer(T))
      return Answer::yes;  // the shape, with or without labels
    return source.weights ? judge_labels(bound) : Answer::unknown;
  }
  if (of.starts_with("memorized(")) return memorized(bound);
  if (of == "saturated") return judge_saturated(bound);
  if (of == "numerical_rank") return judge_numerical_rank(bound);
  if (of == "accurate") return judge_accurate(bound);
  if (of == "distinct(Z)") return judge_different_rows(bound);
  if (step.at("rule") != "theorem" && bound.at_least) {
    if (of == "separator") return separator(step);
    if (of == "vertex_limit") return vertex_limit(step);
    if (of == "weights") return weights(step);
    if (of == "one_hot") return one_hot(step);
    if (of == "readout") return readout(steps, step);
    if (of == "tail_rank") return tail_rank(steps, step, bound);
    if (of == "lambda_rank") return lambda_rank(steps, step, bound);
    if (of == "network(given)") return network(step);
  }
  const std::optional<mpz_class> value = value_of(of);
  return value ? bound.of(*value) : Answer::unknown;
}

void Oracle::collect(const Json& steps, const Json& step, Json& into) {
  const auto& text = step.at("fact").get_ref<const std::string&>();
  Json plain = step;
  plain.erase("label");
  into.push_back(text.starts_with("rank(Z(") ? Json(text) : plain);
  const auto refer = [&](std::size_t k) { collect(steps, steps.at(k), into); };
  if (text.starts_with("rank(Z(") && text[7] >= '0' && text[7] <= '9') refer(std::stoul(text.substr(7)));
  if (step.contains("layer") && step["layer"].is_number()) refer(step["layer"].get<std::size_t>());
  if (step.contains("layer") && step["layer"].is_object() && step["layer"].contains("rescaled"))
    refer(step["layer"]["rescaled"].at("of").get<std::size_t>());
}

Truths::Truths(const Case& source) : oracle_(std::make_unique<Oracle>(source)) {}
Truths::~Truths() = default;

Answer Truths::judge(const Json& steps, std::size_t k) {
  Json key = Json::array();
  Oracle::collect(steps, steps.at(k), key);
  const auto [place, fresh] = oracle_->judged.emplace(key.dump(), Answer::unknown);
  if (fresh) place->second = oracle_->judge(steps, steps.at(k));
  return place->second;
}

}  // namespace attest::test
