// [weights] of a case file: keys and queries in all forms, and the rest of a whole layer.
#include <algorithm>

#include "base/text.hpp"
#include "readers/case_reader.hpp"

namespace attest {

void CaseReader::read_weights(const toml::node& node) {
  const toml::table& table = toml_.table(node, "weights", "a table [weights]");
  toml_.require_known_keys(
      table, "[weights]",
      {"key",          "query",  "combined",   "generate", "key_bias",          "query_bias",
       "logit_scale",  "layout", "file",       "prefix",   "projected_queries", "projected_keys",
       "logits",       "value",  "value_bias", "output",   "output_bias",       "readout",
       "readout_bias", "skip",   "sink"});
  if (projected()) {
    read_projected(table);
    return;
  }
  const toml::node* const layout = table.get("layout");
  const toml::node* const generate = table.get("generate");
  const toml::node* const combined = table.get("combined");
  const toml::node* const key = table.get("key");
  const toml::node* const query = table.get("query");
  const std::string forms =
      "give key and query, combined, generate, layout and file, projected_queries and "
      "projected_keys, or logits";
  if (layout != nullptr) {
    toml_.refuse_keys(table,
                      {"key", "query", "combined", "generate", "key_bias", "query_bias", "value",
                       "value_bias", "output", "output_bias"},
                      "is given beside \"layout\", which reads all weights from its file", forms);
  } else {
    toml_.refuse_keys(table, {"file", "prefix"}, "is given without \"layout\"",
                      "say how the file stores the weights: layout = \"torch\", for example");
  }
  if (generate != nullptr) refuse_beside_generate(table, {"key", "query", "combined"});
  if (combined != nullptr) toml_.refuse_keys(table, {"key", "query"}, "is given beside \"combined\"", forms);
  if (layout == nullptr && generate == nullptr && combined == nullptr && key == nullptr && query == nullptr) {
    toml_.fail(table, "[weights] has no weights", forms);
  }
  if (key != nullptr && query == nullptr) toml_.fail(*key, "key is given without query", forms);
  if (query != nullptr && key == nullptr) toml_.fail(*query, "query is given without key", forms);

  const Shape factor = shape({"heads", "embed_dim", "head_dim"});
  Weights weights;
  if (layout != nullptr) {
    const Dimensions& layer = *case_.layer;
    weights =
        arrays_.read_layout(table, {layer.heads, layer.embed_dim, layer.head_dim}, whole(table) || valued());
  } else if (generate != nullptr) {
    const Generator generator = arrays_.read_generator(*generate, "weights.generate", nullptr);
    weights.key = arrays_.draw(*generate, "key", generator, factor, stream::key);
    weights.query = arrays_.draw(*generate, "query", generator, factor, stream::query);
  } else if (combined != nullptr) {
    weights.combined = arrays_.read(*combined, "combined", {shape({"heads", "embed_dim", "embed_dim"})});
  } else {
    weights.key = arrays_.read(*key, "key", {factor});
    weights.query = arrays_.read(*query, "query", {factor});
  }
  if (layout == nullptr) {
    weights.key_bias = read_bias(table, "key_bias");
    weights.query_bias = read_bias(table, "query_bias");
  }
  read_scale_of_weights(table, layout != nullptr && !find_layout(toml_.text(*layout, "layout"))->stacked);
  case_.weights = std::move(weights);
}

void CaseReader::read_scale_of_weights(const toml::table& table, bool scaled) {
  const bool scale_in_layer = toml_.root()["layer"].as_table()->contains("logit_scale");
  if (const toml::node* const scale = table.get("logit_scale")) {
    if (scale_in_layer)
      toml_.fail(*scale, "logit_scale is given in [layer] and in [weights]", "give it once");
    read_logit_scale(*scale);
  } else if (scaled && !scale_in_layer) {
    case_.layer->logit_scale = inverse_root(case_.layer->head_dim);
  }
}

void CaseReader::read_projected(const toml::table& table) {
  const toml::node* const queries = table.get("projected_queries");
  const toml::node* const keys = table.get("projected_keys");
  const toml::node* const logits = table.get("logits");
  toml_.refuse_keys(
      table, {"key", "query", "combined", "generate", "key_bias", "query_bias", "layout", "file", "prefix"},
      "is given beside projected queries and keys, or logits",
      "give the weights or what the softmax sees, not both");
  if (logits != nullptr && (queries != nullptr || keys != nullptr))
    toml_.fail(*logits, "logits are given beside projected queries or keys", "give one or the other");
  if (logits == nullptr && (queries == nullptr || keys == nullptr))
    toml_.fail(queries != nullptr ? *queries : *keys, "projected queries and keys belong together",
               "give projected_queries and projected_keys, or logits");
  if (!case_.data.contexts)
    toml_.fail(table, "projected queries and keys, or logits, need the contexts that are averaged",
               "give contexts or hidden in [data]");
  case_.weights = logits != nullptr ? read_logits(*logits) : Weights{};
  if (logits == nullptr) {
    case_.weights->projected_queries = read_projected_queries(*queries);
    case_.weights->projected_keys = read_projected_keys(*keys);
  }
  read_scale_of_weights(table, logits == nullptr);
}

bool CaseReader::hidden() const {
  return !own_rows_.empty();
}

ExactArray CaseReader::read_projected_queries(const toml::node& node) {
  const std::size_t T = case_.layer->examples, H = case_.layer->heads, m = case_.layer->head_dim;
  std::vector<Shape> shapes = {shape({"examples", "heads", "head_dim"})};
  if (hidden()) shapes.push_back(by_sequence("heads"));
  ExactArray array = arrays_.read(node, "projected_queries", shapes);
  if (array.shape().size() == 4) array = array.rows(own_rows_, H * m);
  return std::move(array).reshaped({T, H, m});
}

Shape CaseReader::by_sequence(const char* heads) const {
  Shape result = shape({"context", heads, "head_dim"});
  result.insert(result.begin(), {"S", sequences_});
  return result;
}

ExactArray CaseReader::read_projected_keys(const toml::node& node) {
  const std::size_t n = case_.layer->context, H = case_.layer->heads, m = case_.layer->head_dim,
                    T = case_.layer->examples;
  ExactArray array = arrays_.read_any(node, "projected_keys");
  std::vector<std::size_t> found = array.shape();
  const std::vector<std::size_t> given = found;
  // By tokens: (S, L, ...) of hidden vectors, (n, ...) of a context for all; else by examples.
  const bool one_context = found.size() == 3 && contexts_shared_;
  if (one_context) found.insert(found.begin(), 1);
  const std::size_t blocks = hidden() ? sequences_ : one_context ? 1 : T;
  const std::string what = hidden() ? "(S, L, H_kv, d_h)" : "(T, n, H_kv, d_h)";
  const auto wanted = [&](std::size_t groups) { return shape_text({blocks, n, groups, m}); };
  const bool fits = found.size() == 4 && found[0] == blocks && found[1] == n && found[3] == m;
  if (!fits || H % found[2] != 0) {
    const bool turned =
        found.size() == 4 && found[0] == blocks && found[2] == n && found[3] == m && H % found[1] == 0;
    toml_.fail(
        node,
        "projected_keys has shape " + shape_text(given) + "; it must be " + what + " = " + wanted(H) +
            (H > 1 ? ", with a number H_kv of key heads that divides heads = " + std::to_string(H) : ""),
        turned ? "here the heads come before the tokens: store transpose(0, 2, 1, 3)"
               : "correct the array or [layer]");
  }
  const std::size_t groups = found[2], width = groups * m;
  if (hidden() || one_context) {
    if (!kept_.empty()) array = array.rows(kept_, width);
  } else if (!source_columns_.empty()) {
    array = array.rows(slots(), width);
  }
  const std::size_t rows = array.size() / width;
  return std::move(array).reshaped({rows, groups, m});
}

std::vector<std::size_t> CaseReader::slots() const {
  const std::size_t n = case_.layer->context, T = case_.layer->examples;
  std::vector<std::size_t> result;
  for (std::size_t t = 0; t < T; ++t) {
    for (std::size_t i = 0; i < case_.tokens(t); ++i)
      result.push_back(t * n + (source_columns_.empty() ? i : source_columns_[result.size()]));
  }
  return result;
}

Weights CaseReader::read_logits(const toml::node& node) {
  const std::size_t n = case_.layer->context, H = case_.layer->heads, T = case_.layer->examples;
  std::vector<Shape> shapes = {shape({"examples", "heads", "context"})};
  if (hidden()) shapes.push_back({{"S", sequences_}, {"heads", H}, {"L", n}, {"L", n}});
  const ExactArray logits = arrays_.read(node, "logits", shapes);
  const bool by_sequence = logits.shape().size() == 4;
  std::vector<std::size_t> entries;
  for (const std::size_t slot : slots()) {
    const std::size_t t = slot / n, i = slot % n;
    for (std::size_t h = 0; h < H; ++h) {
      entries.push_back(by_sequence ? ((own_rows_[t] / n * H + h) * n + own_rows_[t] % n) * n + i
                                    : (t * H + h) * n + i);
    }
  }
  const std::size_t rows = entries.size() / H;
  arrays_.budget().add(toml_, node, mpz_class(entries.size()) * 16, "logits");
  Weights weights;
  weights.projected_keys = logits.rows(entries, 1).reshaped({rows, H, 1});
  weights.projected_queries = ExactArray({T, H, 1}, std::vector<std::int64_t>(T * H, 1));
  return weights;
}

void CaseReader::read_sink(const toml::table& table) {
  const Dimensions& layer = *case_.layer;
  Weights& weights = *case_.weights;
  const toml::node* const node = table.get("sink");
  if (node != nullptr && !layer.sink)
    toml_.fail(*node, "[weights] has the logits of sinks, and [layer] has none", "sink = true in [layer]");
  if (layer.convex()) return;
  if (weights.key_bias)
    toml_.fail(table,
               "key_bias is given for a layer with a sink or sigmoid coefficients, to which it matters",
               "give projected_queries and projected_keys, which have it in them");
  if (!layer.sink) return;
  weights.sink = node != nullptr ? arrays_.read(*node, "sink", {shape({"heads"})})
                                 : ExactArray({layer.heads}, std::vector<std::int64_t>(layer.heads, 0));
  for (std::size_t h = 0; layer.logit_scale.irrational() && h < layer.heads; ++h)
    if (weights.sink->at(h) != 0)
      toml_.fail(*node,
                 "a sink whose logit is not 0 beside logits with the irrational scale 1/sqrt(" +
                     std::to_string(layer.logit_scale.radicand) + ") is not supported",
                 "give logits, or queries, with the scale multiplied in, and a rational logit_scale");
}

std::optional<ExactArray> CaseReader::read_bias(const toml::table& table, const std::string& name) {
  const toml::node* const node = table.get(name);
  if (node == nullptr) return std::nullopt;
  if (table.contains("combined")) {
    toml_.fail(*node, name + " is given beside \"combined\"", "biases belong to key and query, or generate");
  }
  return arrays_.read(*node, name, {shape({"heads", "head_dim"})});
}

bool CaseReader::whole(const toml::table& table) const {
  return table.contains("skip") || table.contains("readout") || table.contains("readout_bias") ||
         std::any_of(case_.claims.begin(), case_.claims.end(),
                     [](const Claim& claim) { return claim.spec->needs_part("whole"); });
}

bool CaseReader::valued() const {
  return std::any_of(case_.claims.begin(), case_.claims.end(),
                     [](const Claim& claim) { return claim.spec->needs_part("values"); });
}

void CaseReader::require_form(const toml::table& table, const char* key, const ExactArray& array,
                              const std::vector<std::size_t>& form, const std::string& names,
                              const std::string& hint) const {
  const std::vector<std::size_t>& shape = array.shape();
  bool fits = shape.size() == form.size();
  std::string expected;
  for (std::size_t k = 0; k < form.size(); ++k) {
    fits = fits && (form[k] == kAny || shape[k] == form[k]);
    expected += (expected.empty() ? "" : ", ") + (form[k] == kAny ? "any" : std::to_string(form[k]));
  }
  if (fits) return;
  const toml::node* const node = table.get(key);
  toml_.fail(node != nullptr ? *node : static_cast<const toml::node&>(table),
             std::string(key) + " has shape " + shape_text(shape),
             "it must be " + names + " = (" + expected + ")" + hint);
}

void CaseReader::read_whole_layer(const toml::table& table) {
  Weights& weights = *case_.weights;
  Dimensions& layer = *case_.layer;
  const std::size_t H = layer.heads, d = layer.embed_dim, T = layer.examples;
  const bool from_layout = table.contains("layout");
  bool given = whole(table);
  const auto check = [&](const char* key, const std::optional<ExactArray>& array,
                         const std::vector<std::size_t>& form, const std::string& names) {
    const bool turned = array && form.size() == 2 && array->shape().size() == 2 &&
                        array->shape()[1] == form[0] && array->shape()[0] != form[0];
    if (array)
      require_form(table, key, *array, form, names,
                   turned ? "; if it is transposed, say so: transpose = true, --readout-linear" : "");
  };
  const auto read = [&](const char* key, std::optional<ExactArray>& to, const std::vector<std::size_t>& form,
                        const std::string& names) {
    if (const toml::node* const node = table.get(key)) {
      to = arrays_.read_any(*node, key);
      given = true;
    }
    check(key, to, form, names);
  };
  read("value", weights.value, {H, d, kAny}, "(H, d, d_v)");
  const std::size_t d_v = weights.value ? weights.value->shape()[2] : d;
  if (weights.value) {
    const toml::node* const size = toml_.root()["layer"].as_table()->get("value_dim");
    if (size != nullptr && layer.value_dim != d_v)
      toml_.fail(*size,
                 "value_dim is " + std::to_string(layer.value_dim) + ", but the value weights have " +
                     std::to_string(d_v),
                 "leave it out: the weights say it");
    layer.value_dim = d_v;
  }
  read("value_bias", weights.value_bias, {H, d_v}, "(H, d_v)");
  if (const toml::node* const output = table.get("output")) {
    ExactArray array = arrays_.read_any(*output, "output");
    const std::vector<std::size_t> shape = array.shape();
    if (shape.size() == 2 && shape[0] == H * d_v) array = std::move(array).reshaped({H, d_v, shape[1]});
    weights.output = std::move(array);
    given = true;
  }
  check("output", weights.output, {H, d_v, kAny}, "(H, d_v, m)");
  const std::size_t m = weights.output ? weights.output->shape()[2] : H * d_v;
  read("output_bias", weights.output_bias, {m}, "(m)");
  if (const toml::node* const skip = table.get("skip"); skip != nullptr && skip->is_boolean()) {
    if (!toml_.boolean(*skip, "skip"))
      toml_.fail(*skip, "skip is false", "leave it out, or give true or an array (T, m)");
    if (!case_.data.queries && own_tokens_.empty())
      toml_.fail(*skip, "skip = true adds the queries, and the case has none",
                 "give what is added as an array (T, m)");
    if (m != d)
      toml_.fail(*skip,
                 "skip = true adds vectors of d = " + std::to_string(d) +
                     " entries to outputs of m = " + std::to_string(m),
                 "give what is added as an array (T, m)");
    const ExactArray& source = case_.data.queries ? *case_.data.queries : *case_.data.contexts;
    arrays_.budget().add(toml_, *skip, mpz_class(T) * d * (source.bytes() / source.size()), "skip");
    weights.skip = case_.data.queries ? source : source.rows(own_tokens_, d);
  } else {
    read("skip", weights.skip, {T, m}, "(T, m)");
  }
  read("readout", weights.readout, {m, layer.output_dim}, "(m, d_out)");
  read("readout_bias", weights.readout_bias, {layer.output_dim}, "(d_out)");
  if (given && (whole(table) || !valued()) && !weights.readout && m != layer.output_dim)
    toml_.fail(table,
               "the layer puts out " + std::to_string(m) +
                   " numbers, but [layer] says output_dim = " + std::to_string(layer.output_dim),
               from_layout || weights.output
                   ? "give a readout (m, d_out), or output_dim = " + std::to_string(m)
                   : "give output (H, d_v, m), a readout (m, d_out), or output_dim = " + std::to_string(m));
}

}  // namespace attest
