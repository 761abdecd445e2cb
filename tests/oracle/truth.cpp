#include "tests/oracle/truth.hpp"

#include <algorithm>
#include <set>

#include "tests/oracle/oracle.hpp"

namespace attest::test {

Answer Oracle::judge(const Json& steps, const Json& step) {
  const auto& text = step.at("fact").get_ref<const std::string&>();
  if (text.starts_with("let ")) return Answer::yes;
  const Bound bound(text);
  const std::string& of = bound.quantity;
  if (bound.number <= 0 && bound.at_least) return Answer::yes;
  if (!source.stack.empty() && of != "rank(encoding)" && of != "functional_dimension")
    return judge_stack(bound, steps);
  if (step.at("rule") == "part") return judge_part(step, bound);
  if (of == "largest_rank") {
    if (!bound.at_least && bound.number >= integer(T)) return Answer::yes;  // the shape
    if (tokens.empty()) return Answer::unknown;
    return judge_part({{"heads", T}}, bound);  // more than T heads add nothing
  }
  if (of.starts_with("rank(Z(") || of == "capacity" || of == "tail_rank") {
    if (!bound.at_least && bound.number >= integer(std::min(T, H * d))) return Answer::yes;  // the shape
    if (tokens.empty()) return Answer::unknown;
  }
  if (of.starts_with("rank(Z(") && of != "rank(Z(any))") {
    const std::string name = of.substr(7, of.size() - 9);
    return judge_layer(bound, name == "given" ? given() : built(steps, std::stoul(name)));
  }
  if ((of == "functional_dimension" || of.starts_with("rank(J(")) && !bound.at_least &&
      bound.number >= integer(T * d_out))
    return Answer::yes;  // the shape
  if (of.starts_with("rank(J(")) {
    const std::string name = of.substr(7, of.size() - 9);
    if (name == "given") return judge_jacobian(bound, given_training());
    const Json& random = steps.at(std::stoul(name)).at("layer").at("random");
    return judge_jacobian(bound, random_training(random.at("bound"), random.at("seed")));
  }
  if (of.starts_with("rank(Z|") || of.starts_with("rank(head") || of.starts_with("rank(outputs")) {
    const std::size_t beside =
        (of.find("|1") != std::string::npos ? 1 : 0) + (of.ends_with("Y)") ? d_out : 0);
    if (!bound.at_least && (bound.number >= integer(T) || bound.number >= integer(H * d + beside)))
      return Answer::yes;  // the shape, with or without labels
    return source.weights ? judge_blocks(bound) : Answer::unknown;
  }
  if (of.starts_with("memorized(")) return memorized(bound);
  if (of.starts_with("which(")) return judge_which(of);
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

Answer Oracle::judge_part(const Json& step, const Bound& bound) const {
  Oracle part = *this;
  part.known.clear();
  if (step.contains("heads")) part.H = step["heads"].get<std::size_t>();
  if (step.contains("examples")) {
    part.tokens.clear(), part.queries.clear();
    for (const std::size_t t : indices(step["examples"])) {
      part.tokens.push_back(tokens.at(t));
      part.queries.push_back(queries.at(t));
    }
    part.T = part.tokens.size();
  }
  // A case may leave out the queries; then bounds are about all of them.
  const std::optional<mpz_class> value = queries.empty() ? part.any_coefficients() : part.capacity();
  return value ? bound.of(*value) : Answer::unknown;
}

Answer Oracle::judge_which(const std::string& stated) const {
  const auto independent = [&](const std::set<std::size_t>& examples) {
    if (examples.empty()) return Answer::yes;
    const Json part = {{"examples", examples}};
    return judge_part(part, Bound("capacity >= " + std::to_string(examples.size())));
  };
  std::vector<std::size_t> order(T);
  for (std::size_t t = 0; t < T; ++t) order[t] = t;
  if (claim.has("values")) {
    const ExactArray& values = claim.array("values");
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t s, std::size_t t) { return values.at(s) > values.at(t); });
  }
  std::set<std::size_t> chosen;
  for (const std::size_t t : order) {
    chosen.insert(t);
    const Answer found = independent(chosen);
    if (found == Answer::unknown) return found;
    if (found == Answer::no) chosen.erase(t);
  }
  const auto join = [](const std::set<std::size_t>& examples) {
    std::string text;
    for (const std::size_t t : examples) text += (text.empty() ? "" : ",") + std::to_string(t);
    return text;
  };
  std::string truth = "which(" + join(chosen);
  for (std::size_t t = 0; t < T; ++t) {
    if (chosen.contains(t)) continue;
    std::set<std::size_t> others;
    for (const std::size_t s : chosen) {
      std::set<std::size_t> exchanged = chosen;
      exchanged.erase(s), exchanged.insert(t);
      const Answer found = independent(exchanged);
      if (found == Answer::unknown) return found;
      if (found == Answer::yes) others.insert(s);
    }
    truth += ";" + std::to_string(t) + ":" + join(others);
  }
  return answer(stated == truth + ")");
}

void Oracle::collect(const Json& steps, const Json& step, Json& into) {
  const auto& text = step.at("fact").get_ref<const std::string&>();
  Json plain = step;
  plain.erase("label");
  into.push_back(text.starts_with("rank(Z(") ? Json(text) : plain);
  const auto refer = [&](std::size_t k) { collect(steps, steps.at(k), into); };
  if ((text.starts_with("rank(Z(") || text.starts_with("rank(J(")) && text[7] >= '0' && text[7] <= '9')
    refer(std::stoul(text.substr(7)));
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
