// [layer] of a case file: sizes, base and scale.
#include <algorithm>

#include "base/text.hpp"
#include "readers/case_reader.hpp"

namespace attest {

bool CaseReader::few_sizes(const std::string& kind) const {
  const toml::array* const claims = toml_.root()["claim"].as_array();
  return claims != nullptr && !claims->empty() &&
         std::all_of(claims->begin(), claims->end(), [&](const toml::node& claim) {
           if (!claim.is_table()) return false;
           const auto name = (*claim.as_table())["statement"].value<std::string>();
           const ClaimSpec* const spec = name ? find_statement(*name) : nullptr;
           return spec != nullptr && spec->few_sizes == kind;
         });
}

void CaseReader::read_layer(const toml::node& node) {
  const toml::table& table = toml_.table(node, "layer", "a table [layer]");
  toml_.require_known_keys(
      table, "[layer]",
      {"heads", "context", "embed_dim", "head_dim", "examples", "output_dim", "value_dim", "base",
       "logit_scale", "sink", "coefficients", "query_bias", "layers_before"});
  Dimensions layer;
  const bool own_data = few_sizes("without data") && !toml_.root().contains("data");
  const bool few = own_data || few_sizes("always");
  const auto optional = [&](const char* key, std::size_t value, const char* meaning) {
    return few && !table.contains(key) ? value : dimension(table, key, meaning);
  };
  layer.context = dimension(table, "context", "length of the contexts, n");
  layer.embed_dim = dimension(table, "embed_dim", "embedding dimension, d");
  layer.heads = optional("heads", 1, "number of heads, H");
  layer.head_dim = optional("head_dim", layer.embed_dim, "head dimension, d_h");
  const bool network = own_data && !table.contains("examples");
  const std::size_t examples =
      network ? network_examples(*toml_.root()["claim"][0].as_table(), layer.embed_dim) : 1;
  layer.examples = optional("examples", examples, "number of examples, T");
  if (table.contains("output_dim"))
    layer.output_dim = dimension(table, "output_dim", "output dimension, d_out");
  layer.value_dim =
      table.contains("value_dim") ? dimension(table, "value_dim", "value dimension, d_v") : layer.output_dim;
  if (const toml::node* const base = table.get("base")) {
    if (!base->is_string()) toml_.wrong_type(*base, "base", "\"e\" or \"2\"");
    const std::string text = toml_.text(*base, "base");
    if (text != "e" && text != "2")
      toml_.fail(*base, "base is " + in_quotes(text), "it must be \"e\" or \"2\"");
    layer.base = text == "2" ? Base::two : Base::e;
  }
  if (const toml::node* const sink = table.get("sink")) layer.sink = toml_.boolean(*sink, "sink");
  if (const toml::node* const coefficients = table.get("coefficients")) {
    const std::string text = toml_.text(*coefficients, "coefficients");
    if (text != "softmax" && text != "sigmoid")
      toml_.fail(*coefficients, "coefficients is " + in_quotes(text),
                 "it must be \"softmax\" or \"sigmoid\"");
    layer.sigmoid = text == "sigmoid";
    if (layer.sigmoid && layer.sink)
      toml_.fail(*coefficients, "sigmoid coefficients have no denominator for a sink",
                 "leave one of coefficients and sink out");
  }
  if (const toml::node* const bias = table.get("query_bias"))
    layer.query_bias = toml_.boolean(*bias, "query_bias");
  if (const toml::node* const before = table.get("layers_before")) {
    const std::string text = toml_.text(*before, "layers_before");
    if (text != "given" && text != "free")
      toml_.fail(*before, "layers_before is " + in_quotes(text), "it must be \"given\" or \"free\"");
    if (!has_stack())
      toml_.fail(*before, "layers_before without [[before]]",
                 "leave it out, or add the layers before the layer as [[before]]");
    layer.given_stack = text == "given";
  }
  case_.layer = layer;
  if (const toml::node* const scale = table.get("logit_scale")) read_logit_scale(*scale);
  // Z itself is never held as a whole.
  const mpz_class examples_all = layer.examples, columns = mpz_class(layer.heads) * layer.embed_dim,
                  rows = std::min(examples_all, columns);
  arrays_.budget().add(toml_, node, examples_all * 64 + rows * columns * 8,
                       "indices of the examples (64 T) and a basis of Z (8 min(T, Hd) Hd)");
}

std::size_t CaseReader::network_examples(const toml::table& claim, std::size_t embed_dim) const {
  const toml::node* const neurons = claim.get("neurons");
  if (neurons == nullptr) return 1;  // read_statement reports it
  const toml::node* const bias = claim.get("output_bias");
  mpz_class examples = mpz_class(natural(*neurons, "neurons")) * (embed_dim + 1) + 1;
  if (bias != nullptr && toml_.boolean(*bias, "output_bias")) ++examples;
  if (examples > kMaxDimension)
    toml_.fail_limit(claim, "the claim needs " + examples.get_str() + " examples; the limit is 2^40");
  return examples.get_ui();
}

std::size_t CaseReader::natural(const toml::node& node, const std::string& name) const {
  const std::int64_t value = toml_.integer(node, name);
  if (value < 1) toml_.fail(node, name + " is " + std::to_string(value), "it must be at least 1");
  if (value > kMaxDimension)
    toml_.fail_limit(node, name + " is " + std::to_string(value) + "; the limit is 2^40");
  return static_cast<std::size_t>(value);
}

std::size_t CaseReader::dimension(const toml::table& table, const std::string& key,
                                  const std::string& meaning) const {
  const toml::node* const node = table.get(key);
  if (node == nullptr) toml_.fail(table, "[layer] has no key \"" + key + "\"", "add it: the " + meaning);
  return natural(*node, key);
}

void CaseReader::read_logit_scale(const toml::node& node) {
  const std::string forms =
      "write a non-zero exact number, \"1/sqrt(d)\", \"1/sqrt(d_h)\" or \"1/sqrt(N)\" with a positive "
      "integer N";
  LogitScale& scale = case_.layer->logit_scale;
  const std::string text = node.is_string() ? node.as_string()->get() : "";
  const std::string prefix = "1/sqrt(";
  if (!text.starts_with(prefix)) {
    scale.rational = toml_.number(node, "logit_scale");
    if (scale.rational == 0) toml_.fail(node, "logit_scale is 0", forms);
    return;
  }
  std::string radicand = text.substr(prefix.size());
  if (!radicand.ends_with(')')) toml_.fail(node, "logit_scale is " + in_quotes(text), forms);
  radicand.pop_back();
  mpz_class value = 0;
  if (radicand == "d") {
    value = case_.layer->embed_dim;
  } else if (radicand == "d_h") {
    value = case_.layer->head_dim;
  } else if (!radicand.empty() && radicand.find_first_not_of("0123456789") == std::string::npos) {
    value = mpz_class(radicand, 10);
  }
  if (value == 0) toml_.fail(node, "logit_scale is " + in_quotes(text), forms);
  if (mpz_perfect_square_p(value.get_mpz_t()) == 0 && !value.fits_ulong_p())
    toml_.fail(node, "the radicand of logit_scale is beyond 2^64", "give a smaller one");
  scale = inverse_root(value);
}

LogitScale CaseReader::inverse_root(const mpz_class& value) {
  if (mpz_perfect_square_p(value.get_mpz_t()) != 0) return {mpq_class(1, mpz_class(sqrt(value))), 0};
  return {1, value.get_ui()};
}

}  // namespace attest
