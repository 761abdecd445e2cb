#include "kernel/problem_file.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/errors.hpp"
#include "base/text.hpp"
#include "kernel/certificate.hpp"
#include "kernel/problem.hpp"
#include "problem/digest.hpp"
#include "problem/numbers.hpp"
#include "theory/failure.hpp"
#include "theory/statements.hpp"

namespace attest::kernel {
namespace {

using Shape = std::vector<std::size_t>;

constexpr Word kPlain = Word{1} << 53;  // integers below are JSON integers
constexpr Word kLargestSize = Word{1} << 40;
constexpr std::size_t kAny = 0;  // an extent of a shape

/// A number in its one numeral.
Rational number(const Json& value) {
  if (value.is_number_integer()) {
    const auto plain = value.get<std::int64_t>();
    ENSURE(
        value.is_number_unsigned() ? value.get<Word>() < kPlain : plain < 0 && plain > -std::int64_t{kPlain},
        "an integer below 2^53, or a string", value.dump());
    return Rational(plain);
  }
  const Rational result = rational(value);
  ENSURE(number_text(result) == string(value) && (!is_integer(result) || abs(result) >= kPlain),
         "p/q in lowest terms, or an integer from 2^53 on", one_line(string(value), 60));
  return result;
}

Integer integer_number(const Json& value) {
  const Rational result = number(value);
  ENSURE(is_integer(result), "an integer", text(result));
  return result.get_num();
}

std::size_t size(const Json& value) {
  const Word result = word(value);
  ENSURE(result >= 1 && result <= kLargestSize, "a size from 1 to 2^40", count(result));
  return result;
}

/// A number as a binary float.
double binary(const Rational& value) {
  const double result = value.get_d();
  ENSURE(std::isfinite(result) && Rational(result) == value, "a binary float", text(value));
  return result;
}

ExactArray exact_array(const Json& value) {
  object(value, "shape class entries");
  const Shape shape = list(value.at("shape"), array(value.at("shape")).size(), size);
  std::size_t entries = 1;
  for (const std::size_t extent : shape) entries = checked_size(entries, extent);
  const Json& given = array(value.at("entries"), entries);
  const std::string& name = string(value.at("class"));
  ExactArray::Storage storage;
  if (std::ranges::all_of(given, [](const Json& entry) { return entry.is_number_integer(); }))
    storage = list(given, entries, [](const Json& entry) { return number(entry).get_num().get_si(); });
  else if (name == "q")
    storage = list(given, entries, number);
  else
    storage = list(given, entries, [](const Json& entry) { return binary(number(entry)); });
  ExactArray result(shape, std::move(storage));
  const std::string of_entries = words_in(array_digest(result)).at(1);
  ENSURE(name == of_entries, "the class " + of_entries, in_quotes(name));
  return result;
}

/// Ensures that the array has this shape, where it is given.
void ensure_shape(const char* name, const std::optional<ExactArray>& array, const Shape& expected) {
  const auto same = [](std::size_t a, std::size_t b) { return a == b || b == kAny; };
  ENSURE(!array || std::ranges::equal(array->shape(), expected, same),
         std::string(name) + " of shape " + shape_text(expected), shape_text(array->shape()));
}

Dimensions dimensions(const Json& value) {
  object(
      value,
      "heads context embed_dim head_dim examples output_dim value_dim base logit_scale sink? coefficients? "
      "query_bias? layers_before?");
  Dimensions layer{size(value.at("heads")),
                   size(value.at("context")),
                   size(value.at("embed_dim")),
                   size(value.at("head_dim")),
                   size(value.at("examples")),
                   size(value.at("output_dim")),
                   size(value.at("value_dim")),
                   Base::e,
                   {},
                   value.contains("sink"),
                   value.contains("coefficients"),
                   value.contains("query_bias"),
                   value.contains("layers_before")};
  ENSURE(!layer.sink || value.at("sink") == true, "the sink true", value.at("sink").dump());
  ENSURE(!layer.query_bias || value.at("query_bias") == true, "the query_bias true",
         value.at("query_bias").dump());
  ENSURE(!layer.sigmoid || (!layer.sink && value.at("coefficients") == "sigmoid"), "sigmoid coefficients",
         value.at("coefficients").dump());
  ENSURE(!layer.given_stack || value.at("layers_before") == "given", "the layers before as given",
         value.at("layers_before").dump());
  if (!choice(value.at("base"), "e", "2")) layer.base = Base::two;
  const std::string& scale = string(value.at("logit_scale"));
  const bool root = scale.starts_with("1/sqrt(") && scale.ends_with(')');
  const Rational found = rational(root ? Json(scale.substr(7, scale.size() - 8)) : value.at("logit_scale"));
  if (root) {
    ENSURE(is_integer(found) && found > 0 && found.get_num().fits_ulong_p() &&
               mpz_perfect_square_p(found.get_num_mpz_t()) == 0,
           "the root of no square", one_line(scale, 60));
    layer.logit_scale.radicand = found.get_num().get_ui();
  } else {
    layer.logit_scale.rational = found;
  }
  const std::string written = number_text(found);
  ENSURE(scale == (root ? "1/sqrt(" + written + ")" : written) && found != 0,
         "a scale in lowest terms, not 0", one_line(scale, 60));
  return layer;
}

/// The lists of tokens of all examples: rows of the contexts in the order of their first use.
Members members(const Json& value, const Dimensions& layer, std::size_t rows) {
  Members result{{0}, {}};
  std::size_t used = 0;
  bool own = true, shared = true;  // then there are no lists
  for (const Json& tokens : array(value, layer.examples)) {
    const std::vector<std::size_t> found = distinct_indices(tokens, rows);
    ENSURE(!found.empty() && found.size() <= layer.context, "1 to " + count(layer.context) + " tokens",
           count(found.size()));
    for (const std::size_t row : found) {
      ENSURE(row <= used, "rows in the order of their first use", count(row));
      used += row == used ? 1 : 0;
      own = own && row == result.rows.size();
      shared = shared && row == result.rows.size() % layer.context;
      result.rows.push_back(static_cast<std::uint32_t>(row));
    }
    result.starts.push_back(result.rows.size());
    own = own && found.size() == layer.context;
    shared = shared && found.size() == layer.context;
  }
  ENSURE(used == rows && rows >> 32 == 0, count(rows) + " rows that are used", count(used));
  ENSURE(!own && !shared, "lists that the shape of the contexts does not say", "such lists");
  return result;
}

/// The lists of tokens of rows of `hidden`, one for each of `owners`: increasing, of the owner's sequence; an
/// empty one where the row does not take part.
Members lists(const Json& value, const std::vector<std::size_t>& owners, std::size_t context,
              std::size_t rows) {
  Members result{{0}, {}};
  const Json& all = array(value, owners.size());
  for (std::size_t k = 0; k < owners.size(); ++k) {
    for (const std::size_t row : distinct_indices(all[k], rows)) {
      const bool first = result.rows.size() == result.starts.back();
      ENSURE(row / context == owners[k] / context && (first || row > result.rows.back()),
             "increasing rows of the sequence of row " + count(owners[k]), count(row));
      result.rows.push_back(static_cast<std::uint32_t>(row));
    }
    result.starts.push_back(result.rows.size());
  }
  return result;
}

/// A layer before the layer.
StackLayer before(const Json& json, std::size_t rows, const Dimensions& layer) {
  ENSURE(json.is_object() && json.contains("kind"), "a layer before with a kind", "none");
  StackLayer result;
  const std::string& kind = string(json.at("kind"));
  const std::size_t d = layer.embed_dim;
  std::string keys;
  if (kind == "attention") {
    object(json, "kind heads head_dim? residual members arrays");
    result.free = json.contains("head_dim");
    keys = result.free ? "" : "key? query? combined? value?";
    result.heads = size(json.at("heads"));
    if (result.free) result.head_dim = size(json.at("head_dim"));
    std::vector<std::size_t> owners(rows);
    std::iota(owners.begin(), owners.end(), 0);
    result.members = lists(json.at("members"), owners, layer.context, rows);
  } else if (kind == "mlp") {
    object(json, "kind activation residual arrays");
    keys = "weight_1 bias_1? weight_2 bias_2?";
    result.kind = StackLayer::Kind::mlp;
    result.activation = string(json.at("activation"));
    ENSURE(result.activation == "relu" || result.activation == "silu" || result.activation == "tanh",
           "relu, silu or tanh", in_quotes(one_line(result.activation, 20)));
  } else {
    ENSURE(kind == "rmsnorm", "attention, mlp or rmsnorm", in_quotes(one_line(kind, 20)));
    object(json, "kind epsilon arrays");
    keys = "gain?";
    result.kind = StackLayer::Kind::rmsnorm;
    result.epsilon = number(json.at("epsilon"));
    ENSURE(result.epsilon >= 0, "epsilon that is not negative", text(result.epsilon));
  }
  if (json.contains("residual")) {
    ENSURE(json.at("residual").is_boolean(), "true or false", json.at("residual").dump());
    result.residual = json.at("residual").get<bool>();
  }
  const Json& arrays = object(json.at("arrays"), keys);
  for (const auto& [key, to] : kStackArrays)
    if (arrays.contains(key)) result.*to = exact_array(arrays.at(key));
  const std::size_t H = result.heads, m = result.weight_1 ? result.weight_1->shape().back() : 0;
  ENSURE(result.kind != StackLayer::Kind::attention || result.free ||
             (result.key.has_value() == result.query.has_value() &&
              result.key.has_value() != result.combined.has_value()),
         "combined, or key and query", "others");
  ensure_shape("key", result.key, {H, d, kAny});
  if (!result.free) result.head_dim = result.key ? result.key->shape()[2] : d;
  if (result.key) ensure_shape("query", result.query, {H, d, result.key->shape()[2]});
  ensure_shape("combined", result.combined, {H, d, d});
  ensure_shape("value", result.value, {H, d, d});
  ensure_shape("weight_1", result.weight_1, {d, kAny});
  ensure_shape("weight_2", result.weight_2, {m, d});
  ensure_shape("bias_1", result.bias_1, {m});
  ensure_shape("bias_2", result.bias_2, {d});
  ensure_shape("gain", result.gain, {d});
  return result;
}

/// The hidden vectors, the stack, and which rows are examples and their tokens.
void read_stack(const Json& json, const Dimensions& layer, Case& to) {
  Data& data = to.data;
  const std::size_t n = layer.context;
  ENSURE(!data.contexts && !data.queries && data.hidden && layer.base == Base::e &&
             json.contains("members") && json.contains("positions"),
         "hidden vectors, their lists and positions, and base e", "others");
  ensure_shape("hidden", data.hidden, {kAny, n, layer.embed_dim});
  const std::size_t rows = data.hidden->size() / layer.embed_dim;
  if (rows >> 32 != 0) throw LimitError("more than 2^32 rows");
  data.positions = distinct_indices(array(json.at("positions"), layer.examples), rows);
  data.members = lists(json.at("members"), data.positions, n, rows);
  for (const Json& each : array(json.at("before"))) to.stack.push_back(before(each, rows, layer));
  ENSURE(!to.stack.empty(), "a layer before", "none");
  for (std::size_t t = 0; t < layer.examples; ++t)
    ENSURE(!data.members->list(t).empty(), "tokens of every example", "none of example " + count(t));
  const auto undamped = [](const StackLayer& each) {
    return each.kind == StackLayer::Kind::rmsnorm && each.epsilon == 0;
  };
  ENSURE(std::none_of(to.stack.begin() + 1, to.stack.end(), undamped),
         "a positive epsilon behind another layer", "0");
  for (const std::size_t row : used_rows(to)) {
    for (const StackLayer& each : to.stack)
      ENSURE(!each.members || !each.members->list(row).empty(), "tokens of every row that is used",
             "none of row " + count(row));
    // No vector is divided by 0.
    bool zero = undamped(to.stack.front());
    for (std::size_t j = 0; j < layer.embed_dim; ++j)
      zero = zero && data.hidden->at(row * layer.embed_dim + j) == 0;
    ENSURE(!zero, "a positive epsilon, or vectors that are not 0", "row " + count(row));
  }
}

/// Ensures that contexts, queries and labels have the sizes of the layer.
void ensure_data(const Json& json, const Dimensions& layer, Data& data) {
  const std::size_t T = layer.examples, n = layer.context, d = layer.embed_dim;
  ensure_shape("queries", data.queries, {T, d});
  ensure_shape("labels", data.labels, {T, layer.output_dim});
  if (json.contains("members")) {
    ENSURE(data.contexts.has_value(), "contexts, of which there are lists", "none");
    ensure_shape("contexts", data.contexts, {kAny, d});
    data.members = members(json.at("members"), layer, data.contexts->shape()[0]);
  } else if (data.contexts) {
    data.shared_context = data.contexts->shape().size() == 2;
    ensure_shape("contexts", data.contexts, data.shared_context ? Shape{n, d} : Shape{T, n, d});
  }
}

/// Of the layer before its read-out.
std::size_t outputs(const Weights& w, const Dimensions& layer) {
  return w.output ? w.output->shape()[2] : layer.heads * (w.value ? layer.value_dim : layer.embed_dim);
}

/// Ensures that the weights have one form, and the sizes of the layer.
void ensure_weights(const Weights& w, const Dimensions& layer, const Data& data) {
  const std::size_t T = layer.examples, H = layer.heads, d = layer.embed_dim;
  const int forms = (w.key ? 1 : 0) + (w.combined ? 1 : 0) + (w.projected_keys ? 1 : 0);
  ENSURE(forms == 1 && w.key.has_value() == w.query.has_value() &&
             w.projected_keys.has_value() == w.projected_queries.has_value() &&
             (w.key || (!w.key_bias && !w.query_bias)),
         "weights of one form", "none or several");
  for (const auto name : {&Weights::key, &Weights::query})
    ensure_shape("weights", w.*name, {H, d, layer.head_dim});
  for (const auto name : {&Weights::key_bias, &Weights::query_bias})
    ensure_shape("a bias", w.*name, {H, layer.head_dim});
  ensure_shape("combined", w.combined, {H, d, d});
  if (w.projected_keys) {
    ENSURE(!data.hidden && data.contexts && !data.queries, "contexts and no queries beside projected ones",
           "others");
    ensure_shape("projected_queries", w.projected_queries, {T, H, kAny});
    ensure_shape("projected_keys", w.projected_keys, {kAny, kAny, w.projected_queries->shape()[2]});
    const Shape& keys = w.projected_keys->shape();
    const std::size_t tokens = data.members ? data.members->rows.size() : T * layer.context;
    ENSURE(H % keys[1] == 0 && (keys[0] == data.contexts->size() / d || keys[0] == tokens),
           "keys of tokens, for groups of heads", shape_text(keys));
  }
  ENSURE(w.sink.has_value() == layer.sink, "logits of sinks for a layer with sinks", "none, or no sinks");
  ensure_shape("sink", w.sink, {H});
  ENSURE(layer.convex() || !w.key_bias, "no key biases beside a sink or sigmoid coefficients", "some");
  for (std::size_t h = 0; w.sink && layer.logit_scale.irrational() && h < H; ++h)
    ENSURE(w.sink->at(h) == 0, "sinks of logit 0 beside an irrational scale", text(w.sink->at(h)));
  ensure_shape("value", w.value, {H, d, layer.value_dim});
  const std::size_t d_v = w.value ? layer.value_dim : d;
  ensure_shape("value_bias", w.value_bias, {H, d_v});
  ensure_shape("output", w.output, {H, d_v, kAny});
  const std::size_t m = outputs(w, layer);
  ensure_shape("output_bias", w.output_bias, {m});
  ensure_shape("skip", w.skip, {T, m});
  ensure_shape("readout", w.readout, {m, layer.output_dim});
  ensure_shape("readout_bias", w.readout_bias, {layer.output_dim});
}

/// An argument of a claim whose earlier ones have been read.
ArgumentValue argument(const Json& value, const ArgumentSpec& spec, const Case& source, const Claim& claim) {
  using Type = ArgumentSpec::Type;
  const std::vector<std::string> words = words_in(spec.detail);
  switch (spec.type) {
    case Type::integer:
      return integer_number(value);
    case Type::natural:
      return Integer(size(value));
    case Type::example:
      return Integer(index(value, source.layer->examples));
    case Type::number:
      return number(value);
    case Type::positive: {
      const Rational result = number(value);
      ENSURE(result > 0, "a positive number", text(result));
      return result;
    }
    case Type::flag:
      ENSURE(value.is_boolean(), "true or false", value.dump());
      return value.get<bool>();
    case Type::option:
      ENSURE(value == true, "true, or no key", value.dump());
      return true;
    case Type::word:
      ENSURE(std::ranges::count(words, string(value)) == 1, "one of " + spec.detail,
             in_quotes(string(value)));
      return string(value);
    case Type::subset:
      return distinct_indices(value, source.layer->examples);
    case Type::coefficients:
    case Type::matrix:
    case Type::values:
    case Type::classes:
      break;
  }
  ExactArray result = exact_array(value);
  if (spec.type == Type::values) {
    ensure_shape("values", result, {source.layer->examples});
  } else if (spec.type == Type::classes) {
    ensure_shape("classes", result, {source.layer->examples});
    const Rational classes = std::max<std::size_t>(2, source.layer->output_dim);
    for (std::size_t t = 0; t < result.size(); ++t)
      ENSURE(is_integer(result.at(t)) && result.at(t) >= 0 && result.at(t) < classes, "a class",
             text(result.at(t)));
  } else if (spec.type == Type::coefficients) {
    const std::size_t n = source.layer->context;
    ensure_shape("coefficients", result, {claim.subset().size(), n});
    for (std::size_t k = 0; k < result.size(); k += n) {
      Rational sum = 0, least = 1;
      for (std::size_t i = 0; i < n; ++i) {
        sum += result.at(k + i);
        least = std::min(least, result.at(k + i));
      }
      ENSURE(sum == 1 && least > 0, "positive coefficients that sum to 1", text(sum));
    }
  } else {
    Shape expected(2, kAny);  // as another argument, or d
    for (std::size_t k = 0; k < words.size(); ++k)
      expected[k] = words[k] == "d" ? source.layer->embed_dim : claim.array(words[k]).shape()[k];
    ensure_shape("a matrix", result, expected);
  }
  return result;
}

/// Ensures that the case has what the statement needs, and reads the arguments.
Claim claim_of(const Json& json, const Case& source) {
  object(json, "statement expect arguments");
  Claim claim;
  claim.index = source.claims.size();
  claim.statement = string(json.at("statement"));
  const auto known =
      std::ranges::find(statements(), claim.statement, [](const Statement& each) { return each.spec.name; });
  ENSURE(known != statements().end(), "a statement", in_quotes(claim.statement));
  const ClaimSpec& spec = known->spec;
  claim.spec = &spec;
  const std::string& expected = string(json.at("expect"));
  claim.expect_as_stated = expected == "verified-as-stated";
  for (const Verdict verdict : {Verdict::refuted, Verdict::inapplicable, Verdict::undecided})
    if (expected == verdict_name(verdict)) claim.expect = verdict;
  ENSURE(claim.expect_as_stated || expected == verdict_name(claim.expect), "a verdict", in_quotes(expected));
  const Data& data = source.data;
  ENSURE(source.stack.empty() || spec.needs_part("stack"), "a statement about a layer behind others",
         spec.name);
  const bool one_layer = spec.needs_part("given") || (source.layer && source.layer->given_stack);
  ENSURE(source.stack.empty() || !spec.needs_part("given") || !spec.needs_part("layers_before") ||
             source.layer->given_stack,
         "layers before as given for " + spec.name, "free ones");
  ENSURE(!source.layer || !source.layer->given_stack || spec.needs_part("weights") ||
             spec.needs_part("given") || spec.needs_part("layers_before"),
         "a statement about the layer behind given ones", spec.name);
  for (const StackLayer& layer : source.stack)
    ENSURE(spec.needs_part("weights") || one_layer ? !layer.free : layer.kind == StackLayer::Kind::attention,
           "layers before with weights for a statement about these, and attention for one about all weights",
           spec.name);
  const bool own_data = spec.few_sizes == "without data";  // here it is written out
  const std::pair<const char*, bool> parts[] = {
      {"layer", source.layer.has_value()},
      {"contexts", data.contexts || data.hidden},
      {"queries", data.queries || data.hidden ||
                      (source.weights && source.weights->projected_keys && spec.needs_part("weights") &&
                       !spec.needs_part("matrices"))},
      {"labels", data.labels.has_value()},
      {"weights", source.weights.has_value()}};
  for (const auto& [part, given] : parts)
    ENSURE(given || !spec.needs_part(part), std::string(part) + " for " + spec.name, "none");
  ENSURE(!spec.needs_part("layer") || spec.needs_part("sinks") || source.layer->convex(),
         "coefficients of the softmax for " + spec.name, "a sink, or sigmoid ones");
  ENSURE(!spec.needs_part("layer") || spec.needs_part("sinks") || !source.layer->query_bias,
         "weights without query biases for " + spec.name, "free query biases");
  ENSURE(!spec.needs_part("values") || source.weights->value, "values for " + spec.name, "none");
  const auto fits = [&] {
    return source.weights->readout || outputs(*source.weights, *source.layer) == source.layer->output_dim;
  };
  ENSURE(!spec.needs_part("whole") || fits(), "as many outputs as output_dim, or a read-out", "others");
  ENSURE(!own_data || (data.contexts && data.queries), "contexts and queries for " + spec.name, "none");
  const auto is_whole = [&] {
    for (std::size_t t = 0; t < source.layer->examples; ++t)
      if (source.tokens(t) != source.layer->context) return false;
    return !source.stack.empty();
  };
  ENSURE(!data.members || spec.needs_part("ragged") || (spec.needs.empty() && spec.few_sizes.empty()) ||
             is_whole(),
         "contexts of one length for " + spec.name, "listed tokens");
  const Json& arguments = json.at("arguments");
  std::string keys;
  std::set<std::string> groups;  // of which one argument is there
  for (const ArgumentSpec& each : spec.arguments) {
    using Type = ArgumentSpec::Type;  // what has a default is written
    const bool written =
        each.required || each.type == Type::flag || each.type == Type::word || each.type == Type::subset;
    keys += each.key + (written ? " " : "? ");
  }
  object(arguments, keys);
  for (const ArgumentSpec& each : spec.arguments) {
    const bool given = arguments.contains(each.key);
    if (each.type == ArgumentSpec::Type::classes) {
      ENSURE(given != arguments.contains(each.detail), each.key + " or " + each.detail, "none or both");
      ENSURE(given || data.labels, "labels for " + each.detail, "none");
    }
    if (!given) continue;
    ENSURE(
        each.type != ArgumentSpec::Type::integer || each.detail.empty() || groups.insert(each.detail).second,
        "one " + each.detail, "several");
    claim.arguments.emplace(each.key, argument(arguments.at(each.key), each, source, claim));
  }
  return claim;
}

Case problem(const Json& json, const std::string& name) {
  object(json, "format digest layer arrays members? positions? before? claims");
  ENSURE(json.at("format") == "attest-problem/1", "the format attest-problem/1", json.at("format").dump());
  Case result;
  result.path = name;
  if (!json.at("layer").is_null()) result.layer = dimensions(json.at("layer"));
  Weights weights;
  bool weighted = false;
  std::string keys;
  for (const auto& each : kDataArrays) keys += std::string(each.name) + "? ";
  for (const auto& each : kWeightArrays) keys += std::string(each.name) + "? ";
  const Json& arrays = object(json.at("arrays"), keys);
  ENSURE(result.layer || (arrays.empty() && !json.contains("members")), "a layer for the data", "none");
  for (const auto& [key, to] : kDataArrays)
    if (arrays.contains(key)) result.data.*to = exact_array(arrays.at(key));
  for (const auto& [key, to] : kWeightArrays) {
    if (!arrays.contains(key)) continue;
    weights.*to = exact_array(arrays.at(key));
    weighted = true;
  }
  const Json& claims = array(json.at("claims"));
  ENSURE(!claims.empty(), "a claim", "none");
  const bool stack = json.contains("before") || json.contains("positions") || result.data.hidden;
  if (stack) {
    ENSURE(result.layer && json.contains("before"), "layers before, and a layer", "none");
    ENSURE(result.layer->convex(), "a plain softmax behind other layers", "a sink, or sigmoid coefficients");
    ENSURE(!result.layer->query_bias, "no query biases behind other layers", "some");
    ensure_data(Json::object(), *result.layer, result.data);
    read_stack(json, *result.layer, result);
  } else if (result.layer) {
    ENSURE(!result.layer->given_stack, "layers before that are given", "none");
    ensure_data(json, *result.layer, result.data);
  }
  if (weighted) {
    ensure_weights(weights, *result.layer, result.data);
    result.weights = std::move(weights);
  }
  for (const Json& claim : claims) result.claims.push_back(claim_of(claim, result));
  for (const Claim& claim : result.claims) check_requirements(result, claim, result.path.string());
  const std::string digest = problem_digest(result);
  ENSURE(digest == string(json.at("digest")), "the digest of these contents, " + digest,
         one_line(string(json.at("digest")), 64));
  return result;
}

}  // namespace

Case read_problem(std::string_view bytes, const std::string& name) {
  try {
    return problem(parse_json(bytes, name, "a problem is JSON (docs/certificate.md)", true), name);
  } catch (const Failure& failure) {
    throw InputError(name, "", failure.what(), "normalize_case.py writes problems (docs/certificate.md)");
  }
}

}  // namespace attest::kernel
