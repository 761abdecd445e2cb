#include "kernel/layers/stack_hulls.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "kernel/arithmetic/span.hpp"
#include "theory/failure.hpp"

namespace attest::kernel {
namespace {

/// A class of vectors: those of class -c are the opposites of those of class c, and those of class 0 are 0.
using Class = std::int64_t;

/// What a vector is made of: its own class, then those of its tokens in order.
std::vector<Class> parts(const std::vector<Class>& classes, std::size_t own,
                         std::span<const std::uint32_t> tokens, int sign) {
  std::vector<Class> result;
  for (const std::uint32_t token : tokens) result.push_back(sign * classes[token]);
  std::ranges::sort(result);
  result.insert(result.begin(), sign * classes[own]);
  return result;
}

/// Numbers things that have opposites: the same number for equal ones, its negative for opposite ones, 0 for
/// what is its own opposite.
template <class Key>
class Numbering {
public:
  Class operator()(const Key& key, const Key& opposite) {
    if (key == opposite) return 0;
    const bool turned = opposite < key;
    const Class number =
        numbers_.try_emplace(turned ? opposite : key, static_cast<Class>(numbers_.size()) + 1).first->second;
    return turned ? -number : number;
  }

private:
  std::map<Key, Class> numbers_;
};

/// Equal for vectors that rmsnorm with epsilon 0 makes equal, and opposite for those that it makes opposite:
/// with y the vector times the gains, y_j |y_j| / |x|^2.
Vector direction(const StackLayer& layer, const Vector& x) {
  const Rational square = dot(x, x);
  std::vector<Rational> y = entries(x);
  for (std::size_t j = 0; j < y.size() && square > 0; ++j) {
    if (layer.gain) y[j] *= layer.gain->at(j);
    y[j] *= abs(y[j]) / square;
  }
  return Vector(y);
}

bool is_zero(const std::optional<ExactArray>& array) {
  for (std::size_t k = 0; array && k < array->size(); ++k)
    if (array->at(k) != 0) return false;
  return true;
}

/// What the rows that matter span, and what their differences from the first of all, and of their sequence.
struct Spans {
  Span linear, affine, differences;
};

Spans hidden_spans(const Problem& problem) {
  const std::size_t d = problem.d, n = problem.n;
  Spans result{Span(d), Span(d), Span(d)};
  std::optional<Vector> first, of_sequence;
  std::size_t sequence = 0;
  for (const std::size_t row : used_rows(problem.source)) {
    const Vector x(*problem.source.data.hidden, row * d, d);
    if (!first) first = x;
    if (!of_sequence || row / n != sequence) of_sequence = x;
    sequence = row / n;
    result.linear.add(x);
    result.affine.add(combination({1, -1}, {x, *first}));
    result.differences.add(combination({1, -1}, {x, *of_sequence}));
  }
  return result;
}

}  // namespace

/// The classes of the rows that are used, as they enter the layer.
static std::vector<Class> stack_classes(const Problem& problem) {
  const Case& source = problem.source;
  const std::set<std::size_t> used = used_rows(problem.source);
  std::vector<Class> classes(source.data.hidden->size() / problem.d);
  Numbering<std::vector<Rational>> vectors;
  for (const std::size_t row : used) {
    Vector x(*source.data.hidden, row * problem.d, problem.d);
    if (const StackLayer& first = source.stack[0];
        first.kind == StackLayer::Kind::rmsnorm && first.epsilon == 0)
      x = direction(first, x);
    classes[row] = vectors(entries(x), entries(combination({-1}, {x})));
  }
  for (const StackLayer& layer : source.stack) {
    if (layer.kind == StackLayer::Kind::rmsnorm) continue;  // an odd function
    std::vector<Class> next(classes.size());
    Numbering<std::vector<Class>> made;
    std::map<Class, Class> images;
    const bool odd = layer.activation == "tanh" && is_zero(layer.bias_1) && is_zero(layer.bias_2);
    for (const std::size_t row : used) {
      if (layer.kind == StackLayer::Kind::attention) {
        const auto tokens = layer.members->list(row);
        next[row] = made(parts(classes, row, tokens, 1), parts(classes, row, tokens, -1));
      } else {
        next[row] =
            odd ? classes[row]
                : images.try_emplace(classes[row], static_cast<Class>(images.size()) + 1).first->second;
      }
    }
    classes = std::move(next);
  }
  return classes;
}

ExampleClasses example_classes(const Problem& problem) {
  const Case& source = problem.source;
  const std::vector<Class> classes = stack_classes(problem);
  // A query bias does not turn with the vectors: what is its own opposite need not be 0.
  const bool turns = !source.weights || is_zero(source.weights->query_bias);
  std::map<Class, std::size_t> different;
  std::map<std::vector<Class>, std::size_t> kinds;
  std::set<Class> directions;
  Numbering<std::vector<Class>> made;
  ExampleClasses result;
  for (std::size_t t = 0; t < problem.T; ++t) {
    const auto tokens = source.data.members->list(t);
    const std::size_t own = source.data.positions[t];
    const std::vector<Class> kind = parts(classes, own, tokens, 1);
    const Class each = made(kind, parts(classes, own, tokens, -1));
    const auto [of_kind, is_new] = kinds.emplace(kind, t);
    const std::size_t same = different.emplace(each, t).first->second;
    result.first.push_back(turns ? same : of_kind->second);
    if (turns ? each != 0 && directions.insert(std::abs(each)).second : is_new)
      result.directions.push_back(t);
  }
  result.different = turns ? different.size() : kinds.size();
  return result;
}

/// Whether a neuron of a layer before is 0 on all these rows, for exact reasons.
static bool is_off(const Problem& problem, const std::set<std::size_t>& rows, std::size_t layer,
                   std::size_t neuron);

/// At least what a functional is on the rows that the first `layers` layers put out: a mean is no larger than
/// the largest token. Empty where nothing is known.
static std::optional<Rational> most(const Problem& problem, const std::set<std::size_t>& rows,
                                    std::size_t layers, const Vector& f) {
  const std::size_t d = problem.d;
  std::optional<Rational> result;
  if (layers == 0) {
    for (const std::size_t row : rows) {
      const Rational x = dot(Vector(*problem.source.data.hidden, row * d, d), f);
      if (!result || x > *result) result = x;
    }
    return result;
  }
  const StackLayer& layer = problem.source.stack[layers - 1];
  if (layer.kind == StackLayer::Kind::rmsnorm || (layer.weight_2 && layer.activation != "relu")) return {};
  result = layer.bias_2 ? dot(Vector(*layer.bias_2, 0, d), f) : Rational(0);
  const auto add = [&](const Vector& g, const Rational& times, const Rational& bias) {
    const std::optional<Rational> x = result ? most(problem, rows, layers - 1, g) : std::nullopt;
    if (!x)
      result.reset();
    else
      *result += times * (*x + bias);
  };
  if (layer.residual) add(f, 1, 0);
  for (std::size_t h = 0; h < layer.heads; ++h) {
    std::vector<Vector> value;
    for (std::size_t j = 0; layer.value && j < d; ++j) value.emplace_back(*layer.value, (h * d + j) * d, d);
    add(layer.value ? products(value, f) : f, 1, 0);
  }
  for (std::size_t i = 0; layer.weight_2 && i < layer.weight_2->shape()[0]; ++i) {
    const Rational times = dot(Vector(*layer.weight_2, i * d, d), f);
    if (times > 0 && !is_off(problem, rows, layers - 1, i))
      add(Vector(*layer.weight_1, i, d, layer.weight_1->shape()[1]), times,
          layer.bias_1 ? layer.bias_1->at(i) : Rational(0));
  }
  return result;
}

bool is_off(const Problem& problem, const std::set<std::size_t>& rows, std::size_t layer,
            std::size_t neuron) {
  const StackLayer& network = problem.source.stack[layer];
  if (network.activation != "relu") return false;
  const std::optional<Rational> x =
      most(problem, rows, layer, Vector(*network.weight_1, neuron, problem.d, network.weight_1->shape()[1]));
  return x && *x + (network.bias_1 ? network.bias_1->at(neuron) : Rational(0)) <= 0;
}

/// Of as many vectors as there are classes of tokens: N span N dimensions, their differences N - 1, and those
/// within the examples N - c when the graph that joins the tokens of each has c components.
static Hulls class_hulls(const Problem& problem) {
  const std::vector<Class> classes = stack_classes(problem);
  std::map<Class, Class> parent;
  const auto root = [&](Class x) {
    while (parent.at(x) != x) x = parent[x] = parent.at(parent.at(x));
    return x;
  };
  std::set<Class> directions;
  std::size_t joined = 0;
  for (std::size_t t = 0; t < problem.T; ++t) {
    const auto tokens = problem.source.data.members->list(t);
    for (const std::size_t token : tokens) {
      const Class c = classes[token], first = classes[tokens[0]];
      if (c != 0) directions.insert(std::abs(c));
      parent.try_emplace(c, c);
      if (root(c) == root(first)) continue;
      parent[root(c)] = root(first);
      ++joined;
    }
  }
  return {directions.size(), parent.size() - 1, joined};
}

Hulls hulls(const Problem& problem) {
  const Case& source = problem.source;
  ENSURE(std::ranges::none_of(source.stack, &StackLayer::free), "weights of the layers before",
         "a layer without");
  const std::size_t d = problem.d;
  const std::set<std::size_t> used = used_rows(source);
  Spans spans = hidden_spans(problem);
  for (std::size_t k = 0; k < source.stack.size(); ++k) {
    const StackLayer& layer = source.stack[k];
    std::vector<std::optional<bool>> off(layer.weight_2 ? layer.weight_2->shape()[0] : 0);
    const auto next = [&](const Span& space, bool is_linear) {
      Span result(d);
      if (!is_linear && space.dimension() == 0) return result;  // equal vectors stay equal
      if (layer.kind == StackLayer::Kind::rmsnorm) {
        for (const Vector& v : spans.linear.basis()) {
          std::vector<Rational> scaled = entries(v);
          for (std::size_t j = 0; layer.gain && j < d; ++j) scaled[j] *= layer.gain->at(j);
          result.add(Vector(scaled));
        }
        return result;
      }
      if (layer.residual) result.add(space);
      for (std::size_t h = 0; h < layer.heads; ++h) {
        if (layer.value) result.add_images(space, *layer.value, h * d * d);
        if (!layer.value) result.add(space);
      }
      if (is_linear && layer.bias_2) result.add(Vector(*layer.bias_2, 0, d));
      for (std::size_t i = 0; i < off.size() && result.dimension() < d; ++i) {
        if (!off[i]) off[i] = is_off(problem, used, k, i);
        if (!*off[i]) result.add(Vector(*layer.weight_2, i * d, d));
      }
      return result;
    };
    Span next_affine = next(spans.affine, false), next_differences = next(spans.differences, false);
    spans = {next(spans.linear, true), std::move(next_affine), std::move(next_differences)};
  }
  const Hulls of_classes = class_hulls(problem);
  return {std::min(spans.linear.dimension(), of_classes.linear),
          std::min(spans.affine.dimension(), of_classes.affine),
          std::min(spans.differences.dimension(), of_classes.differences)};
}

StackDimensions stack_dimensions(const Problem& problem) {
  const Case& source = problem.source;
  const std::size_t d = problem.d;
  const Spans hidden = hidden_spans(problem);
  std::size_t q = hidden.linear.dimension(), v = hidden.differences.dimension();
  const auto exponents = [&](std::size_t heads, std::size_t d_h) -> Integer {
    const std::size_t m = std::min(d_h, v);
    return Integer(heads) * m * (v + q - m);
  };
  StackDimensions result;
  for (const StackLayer& layer : source.stack) {
    ENSURE(layer.kind == StackLayer::Kind::attention, "layers of attention", "another one");
    result.weights += exponents(layer.heads, layer.head_dim);
    // Of what z_1, ..., z_H are together, and how much of that what is kept leaves room for.
    const Integer w = Integer(layer.heads - 1) * v + q;
    const std::size_t kept = layer.residual ? v : 0, room = d - kept;
    const std::size_t e = w < room ? w.get_ui() : room;
    result.weights += d * (w - e);
    q = kept + e;
    const Integer moved = Integer(layer.heads) * v + kept;
    v = moved < d ? moved.get_ui() : d;
  }
  result.weights += exponents(problem.H, problem.d_h);
  const Integer means = Integer(problem.H - 1) * v + q;
  result.means = means < problem.T ? means.get_ui() : problem.T;
  return result;
}

ComposedMeans composed_means(const Problem& problem) {
  const Case& source = problem.source;
  const std::size_t d = problem.d;
  struct Combined {
    Span all, differences;
  };
  std::map<std::set<std::size_t>, Combined> known;  // by rows
  std::vector<const Combined*> examples;
  ComposedMeans result;
  Span hidden(d);
  for (const std::size_t t : example_classes(problem).directions) {
    const auto tokens = source.data.members->list(t);
    std::set<std::size_t> rows(tokens.begin(), tokens.end());
    for (std::size_t k = source.stack.size(); k-- > 0;) {
      if (!source.stack[k].members) continue;
      std::set<std::size_t> next;
      for (const std::size_t row : rows) {
        const auto list = source.stack[k].members->list(row);
        next.insert(list.begin(), list.end());
      }
      rows = std::move(next);
    }
    const auto [at, is_new] = known.try_emplace(rows, Combined{Span(d), Span(d)});
    if (is_new) {
      const Vector first(*source.data.hidden, *rows.begin() * d, d);
      for (const std::size_t row : rows) {
        const Vector x(*source.data.hidden, row * d, d);
        at->second.all.add(x);
        at->second.differences.add(combination({1, -1}, {x, first}));
      }
      hidden.add(at->second.all);
      examples.push_back(&at->second);
    }
    const Integer moves = Integer(problem.H) * at->second.differences.dimension();
    result.moved += moves < problem.d_out ? moves : Integer(problem.d_out);
  }
  result.hidden = hidden.dimension();
  // A map E takes x to differences when f(x E) = 0 for all functionals f that are 0 on these.
  Span conditions(d * result.hidden);
  for (const Combined* const example : examples)
    for (const Vector& f : example->differences.annihilators())
      for (const Vector& x : example->all.basis()) {
        std::vector<Rational> condition;
        for (const Vector& y : hidden.basis())
          for (std::size_t j = 0; j < d; ++j) condition.push_back(dot(f, y) * x[j]);
        conditions.add(Vector(condition));
      }
  result.maps = result.hidden * result.hidden - conditions.dimension();
  return result;
}

StackRanks stack_ranks(const Problem& problem) {
  const std::vector<Class> classes = stack_classes(problem);
  StackRanks result{problem.T, hulls(problem).linear};
  std::set<Class> queries;
  for (std::size_t t = 0; t < problem.T; ++t) {
    const Class query = std::abs(classes[problem.source.data.positions[t]]);
    if (!queries.insert(query).second) result.queries = std::min<std::size_t>(result.queries, 1);
    if (query == 0) result.queries = 0;
    std::set<Class> tokens;
    for (const std::size_t token : problem.source.data.members->list(t))
      tokens.insert(std::abs(classes[token]));
    tokens.erase(0);
    result.context = std::min(result.context, tokens.size());
  }
  return result;
}

std::size_t different_heads(const Problem& problem) {
  const Weights& weights = *problem.source.weights;
  const std::size_t d = problem.d, width = weights.combined ? d : weights.key->shape()[2];
  std::set<std::vector<Rational>> heads;
  for (std::size_t h = 0; h < problem.H; ++h) {
    std::vector<Rational> head;
    for (std::size_t j = 0; j < d; ++j) {
      const std::size_t first = (h * d + j) * width;
      const Vector key(weights.combined ? *weights.combined : *weights.key, first, width);
      for (std::size_t k = 0; k < d; ++k)
        head.push_back(weights.combined ? key[k]
                                        : dot(key, Vector(*weights.query, (h * d + k) * width, width)));
      head.push_back(weights.query_bias ? dot(key, Vector(*weights.query_bias, h * width, width))
                                        : Rational(0));
    }
    heads.insert(std::move(head));
  }
  return heads.size();
}

}  // namespace attest::kernel
