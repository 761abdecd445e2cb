#include "certificate/proof_script.hpp"

#include <stdexcept>

#include "input/numbers.hpp"

namespace attest {
namespace {

Json to_json(const mpq_class& number) {
  return number_text(number);
}

Json to_json(const RationalVector& v) {
  Json numerators = Json::array();
  for (const mpz_class& x : v.num) numerators.push_back(x.get_str());
  return {{"den", v.den.get_str()}, {"num", std::move(numerators)}};
}

Json to_json(const RingTerms& terms) {
  Json list = Json::array();
  for (const auto& [coefficient, exponent] : terms) list.push_back({to_json(coefficient), to_json(exponent)});
  return list;
}

template <class Item>
Json list_of(const std::vector<Item>& items) {
  Json list = Json::array();
  for (const Item& item : items) list.push_back(to_json(item));
  return list;
}

template <class Item>
Json rows_of(const std::vector<std::vector<Item>>& rows) {
  Json list = Json::array();
  for (const auto& row : rows) list.push_back(list_of(row));
  return list;
}

template <class Value>
Json sparse(const std::vector<std::vector<std::pair<std::size_t, Value>>>& vectors) {
  Json list = Json::array();
  for (const auto& v : vectors) {
    Json entries = Json::array();
    for (const auto& [index, value] : v) entries.push_back({index, to_json(value)});
    list.push_back(std::move(entries));
  }
  return list;
}

Json step(const char* rule, const std::string& of) {
  return {{"rule", rule}, {"of", of}};
}

const char* side_name(ProofScript::Side side) {
  return side == ProofScript::Side::left ? "left" : "right";
}

}  // namespace

ProofScript::ProofScript(Knowledge computed) : computed_(std::move(computed)), facts_(computed_) {}

ProofScript& ProofScript::label(std::string text) {
  label_ = std::move(text);
  return *this;
}

ProofScript::Number ProofScript::add(Json body, Fact fact) {
  facts_.add(fact);
  body["fact"] = fact.text();
  if (!label_.empty()) body["label"] = std::move(label_);
  label_.clear();
  steps_.push_back(std::move(body));
  proved_.push_back(std::move(fact));
  return proved_.size() - 1;
}

ProofScript::Number ProofScript::let(Json layer) {
  return add({{"rule", "let"}, {"layer", std::move(layer)}},
             Fact{Fact::Kind::layer, "Z(" + std::to_string(proved_.size()) + ")", 0});
}

ProofScript::Number ProofScript::let_random(std::uint64_t bound, std::uint64_t seed) {
  return let({{"random", {{"bound", bound}, {"seed", seed}}}});
}

ProofScript::Number ProofScript::let_heads(const std::vector<LetHead>& heads) {
  Json list = Json::array();
  for (const LetHead& head : heads) {
    Json body = {{"key", list_of(head.key)}, {"query", list_of(head.query)}};
    if (head.separator) {
      body["separator"] = {{"u", to_json(head.separator->u)},
                           {"v", to_json(head.separator->v)},
                           {"lambda", to_json(head.separator->lambda)}};
    }
    list.push_back(std::move(body));
  }
  return let({{"heads", std::move(list)}});
}

ProofScript::Number ProofScript::let_rescaled(Number of, const mpq_class& lambda) {
  return let({{"rescaled", {{"of", of}, {"lambda", to_json(lambda)}}}});
}

ProofScript::Number ProofScript::minor(const std::string& of, const MinorWitness& minor) {
  Json body = step("minor", of);
  body["p"] = minor.p;
  if (minor.g != 0) body["g"] = minor.g;
  body["rows"] = minor.rows;
  body["cols"] = minor.cols;
  return add(std::move(body), Fact::at_least(of, minor.rows.size()));
}

ProofScript::Number ProofScript::independent_rows(const std::string& of, std::size_t rows, std::uint64_t p) {
  Json body = step("minor", of);
  body["p"] = p;
  return add(std::move(body), Fact::at_least(of, rows));
}

ProofScript::Number ProofScript::zero(const std::string& of, Side side,
                                      const std::vector<SparseRational>& vectors, std::size_t size,
                                      std::uint64_t p, std::size_t member) {
  Json body = step("zero", of);
  body["side"] = side_name(side);
  body["vectors"] = sparse(vectors);
  body["p"] = p;
  if (member != 0) body["member"] = member;
  const bool kruskal = of.starts_with("kruskal(");
  return add(std::move(body), Fact::at_most(of, kruskal ? vectors.at(0).size() - 1 : size - vectors.size()));
}

ProofScript::Number ProofScript::zero(const std::string& of, Side side,
                                      const std::vector<SparseRing>& vectors, std::size_t size,
                                      std::uint64_t p, std::uint64_t g) {
  Json body = step("zero", of);
  body["side"] = side_name(side);
  body["vectors"] = sparse(vectors);
  body["p"] = p;
  body["g"] = g;
  return add(std::move(body), Fact::at_most(of, size - vectors.size()));
}

ProofScript::Number ProofScript::subsets(const std::string& of, std::size_t k, std::uint64_t p,
                                         const std::string& method) {
  Json body = step("subsets", of);
  body["k"] = k;
  body["p"] = p;
  body["method"] = method;
  return add(std::move(body), Fact::at_least(of, k));
}

ProofScript::Number ProofScript::separator(const RationalVector& u, const RationalVector& v) {
  Json body = step("compare", "separator");
  body["u"] = to_json(u);
  body["v"] = to_json(v);
  return add(std::move(body), Fact::at_least("separator", 1));
}

ProofScript::Number ProofScript::network(const std::vector<Neuron>& neurons,
                                         const std::optional<mpq_class>& output_bias) {
  Json body = step("compare", "network(given)");
  body["neurons"] = Json::array();
  for (const Neuron& neuron : neurons)
    body["neurons"].push_back({{"w", list_of(neuron.w)}, {"b", to_json(neuron.b)}, {"a", to_json(neuron.a)}});
  if (output_bias) body["output_bias"] = to_json(*output_bias);
  return add(std::move(body), Fact::at_least("network(given)", 1));
}

ProofScript::Number ProofScript::perturbation(const mpq_class& mu, bool holds) {
  Json body = step("compare", "perturbation");
  body["mu"] = to_json(mu);
  body["side"] = holds ? "holds" : "fails";
  return add(std::move(body), holds ? Fact::at_least("perturbation", 1) : Fact::at_most("perturbation", 0));
}

ProofScript::Number ProofScript::counted(const std::string& of, bool above, std::size_t number,
                                         std::size_t all, std::size_t precision) {
  Json body = step("ball", of);
  body["side"] = above ? "above" : "below";
  body["count"] = number;
  body["precision"] = precision;
  return add(std::move(body), above ? Fact::at_least(of, static_cast<unsigned long>(number))
                                    : Fact::at_most(of, static_cast<unsigned long>(all - number)));
}

ProofScript::Number ProofScript::saturated(bool above, std::size_t number, std::size_t pairs,
                                           std::size_t precision) {
  return counted("saturated", above, number, pairs, precision);
}

ProofScript::Number ProofScript::accurate(bool right, std::size_t number, std::size_t examples,
                                          std::size_t precision) {
  return counted("accurate", right, number, examples, precision);
}

ProofScript::Number ProofScript::numerical_rank(bool above, std::size_t bits,
                                                const std::vector<std::vector<mpz_class>>& vectors,
                                                std::size_t size) {
  Json body = step("ball", "numerical_rank");
  body["side"] = above ? "above" : "below";
  body["bits"] = bits;
  Json& rows = body["vectors"] = Json::array();
  for (const std::vector<mpz_class>& vector : vectors) {
    rows.push_back(Json::array());
    for (const mpz_class& entry : vector) rows.back().push_back(entry.get_str());
  }
  const auto count = static_cast<unsigned long>(vectors.size());
  return add(std::move(body),
             above ? Fact::at_least("numerical_rank", count)
                   : Fact::at_most("numerical_rank", static_cast<unsigned long>(size) - count));
}

ProofScript::Number ProofScript::vertex_limit(std::size_t vertex, const mpq_class& lambda) {
  Json body = step("ball", "vertex_limit");
  body["vertex"] = vertex;
  body["lambda"] = to_json(lambda);
  return add(std::move(body), Fact::at_least("vertex_limit", 1));
}

ProofScript::Number ProofScript::one_hot(const std::vector<std::vector<RationalVector>>& right_inverses,
                                         const std::vector<RationalVector>& left_inverse,
                                         const RationalVector& u, const RationalVector& v,
                                         const mpq_class& lambda) {
  Json body = step("ball", "one_hot");
  body["right_inverses"] = rows_of(right_inverses);
  body["left_inverse"] = list_of(left_inverse);
  body["u"] = to_json(u);
  body["v"] = to_json(v);
  body["lambda"] = to_json(lambda);
  return add(std::move(body), Fact::at_least("one_hot", 1));
}

ProofScript::Number ProofScript::weights(const std::vector<std::vector<RationalVector>>& right_inverses,
                                         const std::vector<RationalVector>& left_inverse) {
  Json body = step("inverse", "weights");
  body["right_inverses"] = rows_of(right_inverses);
  body["left_inverse"] = list_of(left_inverse);
  return add(std::move(body), Fact::at_least("weights", 1));
}

ProofScript::Number ProofScript::readout(Number layer, const std::vector<std::size_t>& cols,
                                         std::size_t precision,
                                         const std::vector<std::vector<std::string>>& inverse,
                                         const std::vector<std::vector<BallText>>& weights) {
  Json body = step("inverse", "readout");
  body["layer"] = layer;
  body["cols"] = cols;
  body["precision"] = precision;
  body["inverse"] = inverse;
  body["weights"] = Json::array();
  for (const auto& row : weights) {
    Json balls = Json::array();
    for (const BallText& ball : row) balls.push_back({{"mid", ball.mid}, {"rad", ball.rad}});
    body["weights"].push_back(std::move(balls));
  }
  return add(std::move(body), Fact::at_least("readout", 1));
}

ProofScript::Number ProofScript::tail_rank(Number layer, const mpq_class& lambda,
                                           const std::vector<std::size_t>& rows,
                                           const std::vector<std::size_t>& cols,
                                           const std::vector<std::vector<std::string>>& inverse,
                                           const std::vector<mpq_class>& scale) {
  Json body = step("inverse", "tail_rank");
  body["layer"] = layer;
  body["lambda"] = to_json(lambda);
  body["rows"] = rows;
  body["cols"] = cols;
  body["inverse"] = inverse;
  body["scale"] = list_of(scale);
  return add(std::move(body), Fact::at_least("tail_rank", rows.size()));
}

ProofScript::Number ProofScript::split(Json trees) {
  Json body = step("split", "network(given)");
  body["trees"] = std::move(trees);
  return add(std::move(body), Fact::at_most("network(given)", 0));
}

ProofScript::Number ProofScript::theorem(const std::string& name, const std::vector<Number>& uses,
                                         const std::string& layer) {
  const Theorem* const schema = find_theorem(name);
  if (schema == nullptr) throw std::logic_error("there is no theorem " + name);
  std::vector<Fact> facts;
  for (const Number use : uses) facts.push_back(proved_.at(use));
  Json body = {{"rule", "theorem"}, {"theorem", name}, {"uses", uses}};
  if (layer == "given") {
    body["layer"] = layer;
  } else if (!layer.empty()) {
    body["layer"] = std::stoul(layer);
  }
  return add(std::move(body), apply_theorem(*schema, facts, layer, computed_));
}

}  // namespace attest
