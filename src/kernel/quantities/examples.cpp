#include "kernel/quantities/examples.hpp"

#include <algorithm>
#include <set>

#include "kernel/arithmetic/span.hpp"

namespace attest::kernel {

std::vector<ExampleClass> classes_of_examples(const Problem& problem,
                                              const std::optional<ExactArray>& labels) {
  const std::vector<std::size_t> queries = first_equal(problem.queries(), problem.d);
  // Different queries are different examples, without a look at many tokens.
  const bool different = distinct(queries).size() == problem.T;
  std::vector<std::size_t> outputs(problem.T);
  if (labels) outputs = first_equal(*labels, problem.d_out);
  std::vector<ExampleClass> classes;
  for (std::size_t t = 0; t < problem.T; ++t)
    classes.push_back({different ? 0 : problem.equal_token_sets()[t], queries[t], outputs[t]});
  return classes;
}

std::size_t distinct_examples(const Problem& problem, const std::optional<ExactArray>& labels,
                              const std::vector<std::size_t>& others) {
  if (problem.source.weights && problem.source.weights->projected_keys) return problem.T;  // not compared
  const auto classes = classes_of_examples(problem, labels);
  std::set<ExampleClass> different(classes.begin(), classes.end());
  for (const std::size_t t : others) different.erase(classes[t]);
  return different.size();
}

bool different_tokens(const Problem& problem, std::size_t example) {
  const auto token = [&](std::size_t i) {
    return problem.equal_tokens()[problem.source.token_row(example, i)];
  };
  std::size_t i = 1;
  while (i < problem.source.tokens(example) && token(i) == token(0)) ++i;
  return i < problem.source.tokens(example);
}

std::optional<std::size_t> MovingQueries::add(const Problem& problem, std::size_t example) {
  const Vector query = problem.query(example);
  if (is_zero(query) || !different_tokens(problem, example)) return std::nullopt;
  std::vector<Integer> direction = primitive(query).num;
  const auto first = std::ranges::find_if(direction, [](const Integer& x) { return x != 0; });
  if (*first < 0)
    for (Integer& x : direction) x = -x;
  const auto [found, added] = directions_.emplace(std::move(direction), example);
  return added ? std::nullopt : std::optional(found->second);
}

std::size_t hulls_of_moving(const Problem& problem, const std::vector<Vector>& within) {
  const Dimensions& layer = *problem.source.layer;
  Span inside(problem.d);
  for (const Vector& x : within) inside.add(x);
  std::set<std::pair<bool, std::size_t>> contexts;
  for (std::size_t t = 0; t < problem.T; ++t)
    contexts.emplace(is_zero(problem.query(t)), problem.equal_contexts()[t]);
  // Multiples of these are in all heads: the same for all, or, with sinks, for all with so many tokens.
  std::map<std::size_t, std::vector<Vector>> common;
  for (const auto& [still, t] : contexts) {
    const std::vector<Vector> tokens = problem.context(t);
    if (still) common[layer.sink ? tokens.size() : 0].push_back(mean(tokens));
    if (!still && layer.convex()) common[0].push_back(tokens[0]);
    for (const Vector& x : tokens)
      if (!still) inside.add(layer.convex() ? combination({1, -1}, {x, tokens[0]}) : x);
  }
  std::size_t most = layer.heads * inside.dimension();
  for (const auto& [number, vectors] : common) {
    Span all = inside;
    for (const Vector& x : vectors) all.add(x);
    most += all.dimension() - inside.dimension();
  }
  return most;
}

}  // namespace attest::kernel
