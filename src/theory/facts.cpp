#include "theory/facts.hpp"

#include <algorithm>
#include <stdexcept>

namespace attest {

std::string Fact::text() const {
  if (kind == Kind::layer) return "let " + quantity;
  return quantity + (kind == Kind::at_least ? " >= " : " <= ") + bound.get_str();
}

std::optional<std::string> match(const std::string& quantity, const std::string& form) {
  const std::size_t star = form.find('*');
  if (star == std::string::npos) return quantity == form ? std::optional("") : std::nullopt;
  const std::string before = form.substr(0, star), after = form.substr(star + 1);
  if (quantity.size() + 1 < form.size() || !quantity.starts_with(before) || !quantity.ends_with(after))
    return {};
  return quantity.substr(star, quantity.size() - form.size() + 1);
}

bool has_form(const std::string& quantity, const std::vector<std::string>& forms) {
  return std::ranges::any_of(forms,
                             [&](const std::string& form) { return match(quantity, form).has_value(); });
}

const Quantity* find_quantity(const std::string& quantity) {
  for (const Quantity& each : quantities()) {
    if (has_form(quantity, each.forms)) return &each;
  }
  return nullptr;
}

std::optional<Bounds> bounds_without_proof(const std::string& quantity, const Knowledge& computed) {
  const Quantity* const known = find_quantity(quantity);
  if (known == nullptr) return std::nullopt;
  return Bounds{0, evaluate(known->most, computed).upper};
}

void FactBase::add(const Fact& fact) {
  if (fact.kind == Fact::Kind::layer) return;
  const std::optional<Bounds> trivial = bounds_without_proof(fact.quantity, computed_);
  if (!trivial)
    throw std::logic_error("a fact about " + fact.quantity + ", which is not a quantity that facts bound");
  Bounds& known = proved_.emplace(fact.quantity, *trivial).first->second;
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
  if (const std::optional<std::string> name = right(quantity)) return proved_.at(*name);
  if (const std::optional<Bounds> trivial = bounds_without_proof(quantity, computed_)) return *trivial;
  return computed_(quantity);
}

std::optional<std::string> FactBase::right(const std::string& form) const {
  if (form.find('*') == std::string::npos) return {};
  for (const auto& [name, bounds] : proved_)
    if (bounds.lower >= 1 && match(name, form)) return name;
  return {};
}

Knowledge FactBase::knowledge() const {
  return [this](const std::string& quantity) { return of(quantity); };
}

std::optional<Bounds> size_of(const Case& c, const Claim& claim, const std::string& name) {
  const auto exactly = [](const mpz_class& value) { return Bounds{value, value}; };
  if (c.layer) {
    const Dimensions& layer = *c.layer;
    if (name == "r") {
      const auto size = [&](const std::string& of) { return size_of(c, claim, of).value(); };
      return evaluate("min(n, d_h)", size);
    }
    if (name == "convex") return exactly(layer.convex() ? 1 : 0);
    if (name == "query_bias") return exactly(layer.query_bias ? 1 : 0);
    if (name == "n" && c.data.members) {
      Bounds tokens = exactly(c.tokens(0));
      for (std::size_t t = 1; t < layer.examples; ++t) {
        const mpz_class size = c.tokens(t);
        tokens = {std::min(tokens.lower, size), std::max(tokens.upper, size)};
      }
      return tokens;
    }
    const std::size_t heads = claim.has("heads") ? claim.size("heads") : layer.heads;
    const std::map<std::string, std::size_t> sizes = {{"T", layer.examples},      {"H", heads},
                                                      {"n", layer.context},       {"d", layer.embed_dim},
                                                      {"d_h", layer.head_dim},    {"d_v", layer.value_dim},
                                                      {"d_out", layer.output_dim}};
    if (name == "before") return exactly(c.stack.size());
    if (name == "free(before)") return exactly(layer.given_stack ? 0 : c.stack.size());
    if (name == "paths(before)") {
      mpz_class product = 1;
      for (const StackLayer& each : c.stack)
        product *= each.kind == StackLayer::Kind::attention ? each.heads + (each.residual ? 1 : 0) : 0;
      return exactly(product);
    }
    if (name == "parameters(before)") {
      mpz_class sum = 0;
      for (const StackLayer& each : c.stack)
        sum += mpz_class(each.heads) * layer.embed_dim * (2 * mpz_class(each.head_dim) + layer.embed_dim);
      return exactly(sum);
    }
    if (const auto size = sizes.find(name); size != sizes.end()) return exactly(size->second);
  }
  if (name == "size(subset)" && claim.has("subset")) return exactly(claim.subset().size());
  const auto rows = match(name, "rows(*)"), cols = match(name, "cols(*)");
  if (rows && claim.has(*rows)) return exactly(claim.array(*rows).shape().at(0));
  if (cols && claim.has(*cols)) return exactly(claim.array(*cols).shape().at(1));
  for (const ArgumentSpec& argument : claim.spec->arguments) {
    if (argument.key != name) continue;
    if (argument.type == ArgumentSpec::Type::flag || argument.type == ArgumentSpec::Type::option)
      return exactly(claim.flag(name) ? 1 : 0);
    if (const auto* value = claim.has(name) ? std::get_if<mpz_class>(&claim.arguments.at(name)) : nullptr)
      return exactly(*value);
  }
  return std::nullopt;
}

}  // namespace attest
