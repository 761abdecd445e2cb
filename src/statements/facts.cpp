#include "statements/facts.hpp"

#include <algorithm>
#include <stdexcept>

namespace attest {

Fact Fact::at_least(std::string quantity, mpz_class bound) {
  return {Kind::at_least, std::move(quantity), std::move(bound)};
}

Fact Fact::at_most(std::string quantity, mpz_class bound) {
  return {Kind::at_most, std::move(quantity), std::move(bound)};
}

std::string Fact::text() const {
  if (kind == Kind::layer) return "let " + quantity;
  return quantity + (kind == Kind::at_least ? " >= " : " <= ") + bound.get_str();
}

std::optional<Bounds> bounds_without_proof(const std::string& quantity, const Knowledge& computed) {
  // The upper bounds, and the quantities that have them; the lower bounds are 0.
  static const std::vector<std::pair<std::string, std::vector<std::string>>> table = {
      {"min(T, H*d)", {"rank(Z(", "capacity", "tail_rank", "numerical_rank"}},
      {"min(T, H*d+d_out)", {"rank(Z|Y)"}},
      {"T", {"distinct(Z)", "accurate"}},
      {"T*H", {"saturated"}},
      {"min(T, d)", {"kruskal(", "rank(queries)"}},
      {"min(n, d)", {"rank(contexts)", "rank(mixed-contexts)", "rank(subset-contexts)", "rank(encoding)"}},
      {"min(size(subset), d)", {"rank(subset-queries)"}},
      {"min(distinct(tokens), d)", {"rank(tokens)"}},
      {"min(distinct(tokens), d+1)", {"rank(affine-tokens)"}},
      {"d", {"rank(differences)"}},
      {"min(rows(a), cols(a))", {"rank(a)"}},
      {"min(rows(b), cols(b))", {"rank(b)"}},
      {"min(rows(c), cols(c))", {"rank(c)"}},
      {"min(rows(a)+rows(c), cols(a)+cols(c))", {"rank(block)"}},
      {"min(rows(vectors), cols(vectors))", {"rank(vectors)", "rank(shifted)"}},
      {"1", {"separator", "vertex_limit", "perturbation", "weights", "one_hot", "network(", "readout"}}};
  for (const auto& [most, names] : table) {
    for (const std::string& name : names) {
      const bool matches = name.back() == '(' ? quantity.starts_with(name) : quantity == name;
      if (matches) return Bounds{0, evaluate(most, computed).upper};
    }
  }
  return std::nullopt;
}

void FactBase::add(const Fact& fact) {
  if (fact.kind == Fact::Kind::layer) return;
  const auto [place, fresh] = proved_.try_emplace(fact.quantity);
  Bounds& known = place->second;
  if (fresh) {
    order_.push_back(fact.quantity);
    const std::optional<Bounds> trivial = bounds_without_proof(fact.quantity, computed_);
    if (!trivial)
      throw std::logic_error("a fact about " + fact.quantity + ", which is not a quantity that facts bound");
    known = *trivial;
  }
  if (fact.kind == Fact::Kind::at_least) {
    known.lower = std::max(known.lower, fact.bound);
  } else {
    known.upper = std::min(known.upper, fact.bound);
  }
  if (known.lower > known.upper) {
    throw Contradiction("the facts " + Fact::at_least(fact.quantity, known.lower).text() + " and " +
                        Fact::at_most(fact.quantity, known.upper).text() + " contradict each other");
  }
}

Bounds FactBase::of(const std::string& quantity) const {
  const auto found = proved_.find(quantity);
  if (found != proved_.end()) return found->second;
  if (const std::optional<Bounds> trivial = bounds_without_proof(quantity, computed_)) return *trivial;
  return computed_(quantity);
}

Knowledge FactBase::knowledge() const {
  return [this](const std::string& quantity) { return of(quantity); };
}

std::optional<Bounds> size_of(const Case& c, const Claim& claim, const std::string& name) {
  const auto exactly = [](const mpz_class& value) { return Bounds{value, value}; };
  const auto extent = [&](const std::string& prefix, std::size_t dimension) -> std::optional<Bounds> {
    const std::string key = name.substr(prefix.size(), name.size() - prefix.size() - 1);
    if (!claim.has(key)) return std::nullopt;
    return exactly(claim.array(key).shape().at(dimension));
  };
  if (c.layer) {
    const Dimensions& layer = *c.layer;
    if (c.data.members && (name == "n" || name == "r")) {
      Bounds tokens{static_cast<unsigned long>(layer.context), 0};
      for (std::size_t t = 0; t < layer.examples; ++t) {
        const mpz_class size = static_cast<unsigned long>(c.tokens(t));
        tokens = {std::min(tokens.lower, size), std::max(tokens.upper, size)};
      }
      if (name == "n") return tokens;
      const mpz_class most = static_cast<unsigned long>(layer.head_dim);
      return Bounds{std::min(tokens.lower, most), std::min(tokens.upper, most)};
    }
    const std::pair<const char*, std::size_t> sizes[] = {
        {"T", layer.examples},       {"H", layer.heads},
        {"n", layer.context},        {"d", layer.embed_dim},
        {"d_h", layer.head_dim},     {"d_v", layer.value_dim},
        {"d_out", layer.output_dim}, {"r", std::min(layer.context, layer.head_dim)}};
    for (const auto& [size, value] : sizes) {
      if (name == size) return exactly(value);
    }
  }
  if (name == "size(subset)" && claim.has("subset")) return exactly(claim.subset().size());
  if (name.starts_with("rows(")) return extent("rows(", 0);
  if (name.starts_with("cols(")) return extent("cols(", 1);
  for (const ArgumentSpec& argument : claim.spec->arguments) {
    if (argument.key != name) continue;
    if (argument.type == ArgumentSpec::Type::flag) return exactly(claim.flag(name) ? 1 : 0);
    if (const auto* value = claim.has(name) ? std::get_if<mpz_class>(&claim.arguments.at(name)) : nullptr)
      return exactly(*value);
  }
  return std::nullopt;
}

}  // namespace attest
