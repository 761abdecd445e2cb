#include "kernel/quantities/quantities.hpp"

#include <map>
#include <memory>
#include <set>

#include "kernel/layers/stack_hulls.hpp"
#include "kernel/quantities/examples.hpp"
#include "theory/facts.hpp"

namespace attest::kernel {
namespace {

std::size_t distinct_token_sums(const Problem& problem) {
  std::set<Rational> sums;
  const Vector ones(std::vector<Integer>(problem.d, 1), 1);
  for (std::size_t row : problem.distinct_tokens())
    sums.insert(dot(Vector(problem.contexts(), row * problem.d, problem.d), ones));
  return sums.size();
}

/// Entries that are not 0, or, of rows of this width, not those of the first row.
std::size_t different(const std::optional<ExactArray>& array, std::size_t width = 0) {
  std::size_t found = 0;
  for (std::size_t i = 0; array && i < array->size(); ++i)
    found += array->at(i) == (width == 0 ? mpq_class(0) : array->at(i % width)) ? 0 : 1;
  return found;
}

std::size_t fractions(const ExactArray& array) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < array.size(); ++i) found += is_integer(array.at(i)) ? 0 : 1;
  return found;
}

/// Queries that are not (1, x, ..., x^{d-1}) for an x that no earlier one has. (For d = 1 every x will do.)
std::size_t off_moment_curve(const Problem& problem) {
  std::set<Rational> points;
  std::size_t off = 0;
  for (std::size_t t = 0; t < problem.T; ++t) {
    const Vector query = problem.query(t);
    const Rational x = problem.d > 1 ? query[1] : Rational(t);
    bool on = points.insert(x).second;
    Rational power = 1;
    for (std::size_t j = 0; on && j < problem.d; ++j, power *= x) on = query[j] == power;
    off += on ? 0 : 1;
  }
  return off;
}

/// Pairs of equal entries of E W' e.
Integer equal_entries(const Problem& problem, const Claim& claim) {
  std::map<Integer, std::size_t> counts;
  for (const Integer& x : products(problem, claim.array("w_prime"), claim.size("example")).num) ++counts[x];
  Integer pairs = 0;
  for (const auto& [x, number] : counts) pairs += Integer(number) * (number - 1) / 2;
  return pairs;
}

/// Of tokens that stand for the words sequences[t][i] at the positions i.
struct Sequences {
  bool sums;           ///< they are e(word) + p_i for some vectors e and p
  std::size_t spread;  ///< words and positions, less one for each set of them that no token joins to others
};

Sequences sequences_of(const Problem& problem, const ExactArray& words) {
  using Values = std::vector<Rational>;
  std::map<Rational, Values> of_word;
  std::map<std::size_t, Values> of_position;
  const auto token = [&](std::size_t t, std::size_t i) {
    return entries(Vector(problem.contexts(), problem.source.token_row(t, i) * problem.d, problem.d));
  };
  const auto less = [](Values a, const Values& b) {
    for (std::size_t j = 0; j < a.size(); ++j) a[j] -= b[j];
    return a;
  };
  std::size_t sets = 0;
  for (std::size_t first = 0; first < problem.n; ++first) {
    if (!of_position.emplace(first, Values(problem.d)).second) continue;
    ++sets;
    // What is joined to a position whose vector is set to 0.
    for (bool more = true; more;) {
      more = false;
      for (std::size_t t = 0; t < problem.T; ++t)
        for (std::size_t i = 0; i < problem.n; ++i) {
          const Rational word = words.at(t * problem.n + i);
          const auto e = of_word.find(word);
          const auto p = of_position.find(i);
          if ((e == of_word.end()) == (p == of_position.end())) continue;
          more = true;
          if (e == of_word.end())
            of_word.emplace(word, less(token(t, i), p->second));
          else
            of_position.emplace(i, less(token(t, i), e->second));
        }
    }
  }
  bool sums = true;
  for (std::size_t t = 0; t < problem.T; ++t)
    for (std::size_t i = 0; i < problem.n; ++i)
      sums = sums && less(token(t, i), of_word.at(words.at(t * problem.n + i))) == of_position.at(i);
  return {sums, of_word.size() + of_position.size() - sets};
}

/// Heads that differ from all earlier ones, or those of them that are not constant.
std::size_t count_heads(const HeadClasses& heads, bool moving) {
  std::size_t found = 0;
  for (std::size_t h = 0; h < heads.first.size(); ++h)
    found += heads.first[h] == h && !(moving && heads.constant[h]) ? 1 : 0;
  return found;
}

Integer compute(const Problem& problem, const Claim& claim, const LayerByName& layer, const PartByName& part,
                const std::string& name) {
  if (problem.has_stack()) {
    if (name == "distinct(examples)") return example_classes(problem).different;
    if (name == "directions(examples)") return example_classes(problem).directions.size();
    if (name == "dim(means)") return stack_dimensions(problem).means;
    if (name == "dim(weights)") return stack_dimensions(problem).weights;
    if (name == "dim(hidden)") return composed_means(problem).hidden;
    if (name == "dim(moved)") return composed_means(problem).moved;
    if (name == "dim(maps)") return composed_means(problem).maps;
    if (name == "dim(entering)") return hulls(problem).linear;
    if (name == "dim(entering-affine)") return hulls(problem).affine;
    if (name == "dim(entering-differences)") return hulls(problem).differences;
    if (name == "most(entering-queries)") return stack_ranks(problem).queries;
    if (name == "most(entering-contexts)") return stack_ranks(problem).context;
    if (name == "heads(given)") return different_heads(problem);
    // Not the data's: it enters other layers first.
    ENSURE(match(name, "in_shape(*)"), "a quantity of a layer behind others", name);
  }
  if (name == "distinct(contexts)") return distinct(problem.equal_contexts()).size();
  if (name == "distinct(tokens)") return problem.distinct_tokens().size();
  const std::optional<ExactArray>& labels = problem.source.data.labels;
  if (name == "distinct(examples)") return distinct_examples(problem);
  if (name == "distinct(labelled-examples)" && labels) return distinct_examples(problem, labels);
  if (name == "nonzero(labels)" && labels) return different(labels);
  if (name == "varying(labels)" && labels) return different(labels, problem.source.layer->output_dim);
  if (name == "distinct(token-sums)") return distinct_token_sums(problem);
  if (name == "fractions(inputs)") return fractions(problem.contexts()) + fractions(problem.queries());
  if (name == "varying(inputs)")
    return problem.shared() ? Integer(problem.d) : (Integer(problem.n) + 1) * problem.d;
  if (name == "off_moment_curve") return off_moment_curve(problem);
  if (name == "equal(entries)" && claim.has("w_prime")) return equal_entries(problem, claim);
  if (name == "sums(sequences)" && claim.has("sequences"))
    return sequences_of(problem, claim.array("sequences")).sums ? 1 : 0;
  if (name == "spread(sequences)" && claim.has("sequences"))
    return sequences_of(problem, claim.array("sequences")).spread;
  if (const auto of = match(name, "T(*)")) return part(*of).examples->size();
  if (const auto of = match(name, "H(*)")) return *part(*of).heads;
  if (const auto of = match(name, "distinct(outside(*))"))
    return distinct_examples(problem, std::nullopt, *part(*of).examples);
  const std::optional<Weights>& weights = problem.source.weights;
  if (name == "nonzero(value-bias)" && weights && weights->value) return different(weights->value_bias);
  if (const auto of = match(name, "heads(*)")) return count_heads(head_classes(problem, layer(*of)), false);
  if (const auto of = match(name, "moving(*)")) return count_heads(head_classes(problem, layer(*of)), true);
  if (const auto of = match(name, "in_shape(*)")) return layer(*of).in_shape ? 1 : 0;
  ENSURE(false, "a quantity that this case and claim have", name);
  return 0;
}

}  // namespace

Knowledge computed_quantities(const Problem& problem, const Claim& claim, LayerByName layer,
                              PartByName part) {
  auto known = std::make_shared<std::map<std::string, Bounds>>();
  return
      [&problem, &claim, layer = std::move(layer), part = std::move(part), known](const std::string& name) {
        const auto found = known->find(name);
        if (found != known->end()) return found->second;
        std::optional<Bounds> bounds = size_of(problem.source, claim, name);
        if (!bounds) {
          const Integer value = compute(problem, claim, layer, part, name);
          bounds = Bounds{value, value};
        }
        return known->emplace(name, *bounds).first->second;
      };
}

}  // namespace attest::kernel
