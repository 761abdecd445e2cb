// [[before]] of a case file: the stack.
#include "base/text.hpp"
#include "readers/case_reader.hpp"

namespace attest {

void CaseReader::refuse_with_stack(const toml::node& node) const {
  const toml::table* const data = toml_.root()["data"].as_table();
  if (data == nullptr || !data->contains("hidden"))
    toml_.fail(node, "[[before]] without \"hidden\" in [data]",
               "layers before the layer are about hidden vectors (S, L, d) with positions");
  toml_.refuse_keys(*data, {"mixed"}, "is given beside [[before]]", "leave it out");
  if (case_.layer->base != Base::e)
    toml_.fail(node, "[[before]] with base = \"2\"", "layers before the layer have base \"e\"");
  if (!case_.layer->convex())
    toml_.fail(node, "[[before]] with a sink or sigmoid coefficients", "the layer has a plain softmax");
  if (case_.layer->query_bias)
    toml_.fail(node, "[[before]] with query_bias in [layer]",
               "capacities behind layers are those of weights without biases: leave it out");
  if (projected())
    toml_.fail(node, "[[before]] beside projected queries and keys, or logits",
               "these are what the softmax sees, whatever is before: leave out [[before]], or give weights");
  if (toml_.root()["weights"]["skip"].is_boolean())
    toml_.fail(*toml_.root()["weights"]["skip"].node(),
               "skip = true adds the hidden vectors that enter the layer, which are no exact numbers behind "
               "[[before]]",
               "leave it out, or give what is added as an array (T, m)");
}

ExactArray CaseReader::read_shaped(const toml::table& table, const char* key,
                                   const std::vector<std::size_t>& form, const std::string& names) {
  ExactArray array = arrays_.read_any(*table.get(key), key);
  require_form(table, key, array, form, names, "");
  return array;
}

void CaseReader::read_stack(const toml::node& node) {
  const toml::array* const list = node.as_array();
  if (node.is_table()) toml_.fail(node, "before is a table", "write [[before]], with two brackets");
  if (list == nullptr || list->empty())
    toml_.fail(node, "before is no array of tables", "write [[before]], with kind = \"attention\"");
  for (const toml::node& item : *list) {
    const toml::table& table = toml_.table(item, "a layer before", "a table: write [[before]]");
    const toml::node* const kind = table.get("kind");
    const std::string forms = "the kinds are attention, mlp and rmsnorm";
    if (kind == nullptr) toml_.fail(table, "[[before]] has no key \"kind\"", forms);
    const std::string name = toml_.text(*kind, "kind");
    if (name == "attention")
      case_.stack.push_back(read_attention(table));
    else if (name == "mlp")
      case_.stack.push_back(read_mlp(table));
    else if (name == "rmsnorm")
      case_.stack.push_back(read_rmsnorm(table));
    else
      toml_.fail(*kind, "unknown kind " + in_quotes(name), forms);
  }
}

StackLayer CaseReader::read_attention(const toml::table& table) {
  toml_.require_known_keys(table, "[[before]] of kind \"attention\"",
                           {"kind", "heads", "head_dim", "combined", "key", "query", "value", "residual",
                            "causal", "window", "mask"});
  StackLayer layer;
  const std::size_t d = case_.layer->embed_dim;
  const toml::node* const heads = table.get("heads");
  if (heads == nullptr)
    toml_.fail(table, "[[before]] has no key \"heads\"", "add it: the number of heads, H");
  const std::size_t H = layer.heads = natural(*heads, "heads");
  const bool combined = table.contains("combined");
  if (const toml::node* const size = table.get("head_dim")) {
    toml_.refuse_keys(table, {"combined", "key", "query", "value"}, "is given beside head_dim",
                      "head_dim stands for weights of any values; those that are given have their own shape");
    layer.free = true;
    layer.head_dim = natural(*size, "head_dim");
  } else if (combined == table.contains("key") || combined == table.contains("query"))
    toml_.fail(table, "[[before]] of kind \"attention\" has neither combined nor key and query, or both",
               "give combined (H, d, d), or key and query (H, d, d_h); or head_dim, for claims about all "
               "weights");
  if (combined) {
    layer.combined = read_shaped(table, "combined", {H, d, d}, "(H, d, d)");
    layer.head_dim = d;
  } else if (!layer.free) {
    layer.key = read_shaped(table, "key", {H, d, kAny}, "(H, d, d_h)");
    layer.head_dim = layer.key->shape()[2];
    layer.query = read_shaped(table, "query", {H, d, layer.head_dim}, "(H, d, d_h), as key");
  }
  if (table.contains("value")) layer.value = read_shaped(table, "value", {H, d, d}, "(H, d, d)");
  if (const toml::node* const residual = table.get("residual"))
    layer.residual = toml_.boolean(*residual, "residual");
  layer.members = tokens_before(table);
  return layer;
}

Members CaseReader::tokens_before(const toml::table& table) {
  const std::size_t n = case_.layer->context;
  const View view = read_view(table, view_);
  std::vector<bool> keys = takes_part_;
  if (const toml::node* const mask = table.get("mask")) keys = read_mask(*mask, sequences_, true);
  Members members;
  members.starts.push_back(0);
  arrays_.budget().add(toml_, table, mpz_class(sequences_) * n * (n * sizeof(std::uint32_t) + 8),
                       "the tokens of a layer before");
  for (std::size_t row = 0; row < sequences_ * n; ++row) {
    const auto [first, end] = view.of(row % n, n);
    for (std::size_t i = row - row % n + first; takes_part_[row] && i < row - row % n + end; ++i) {
      if (keys[i] && takes_part_[i]) members.rows.push_back(static_cast<std::uint32_t>(i));
    }
    members.starts.push_back(members.rows.size());
    if (takes_part_[row] && members.list(row).empty())
      toml_.fail(table,
                 "position " + std::to_string(row % n) + " of sequence " + std::to_string(row / n) +
                     " has no token in a layer before",
                 "a mask leaves every position that takes part at least one token");
  }
  return members;
}

StackLayer CaseReader::read_mlp(const toml::table& table) {
  toml_.require_known_keys(table, "[[before]] of kind \"mlp\"",
                           {"kind", "weight_1", "bias_1", "weight_2", "bias_2", "activation", "residual"});
  StackLayer layer;
  layer.kind = StackLayer::Kind::mlp;
  const std::size_t d = case_.layer->embed_dim;
  for (const char* const key : {"weight_1", "weight_2", "activation"})
    if (!table.contains(key))
      toml_.fail(table, "[[before]] of kind \"mlp\" has no key " + in_quotes(key),
                 "give weight_1 (d, m), weight_2 (m, d) and activation");
  layer.weight_1 = read_shaped(table, "weight_1", {d, kAny}, "(d, m)");
  const std::size_t m = layer.weight_1->shape()[1];
  layer.weight_2 = read_shaped(table, "weight_2", {m, d}, "(m, d)");
  if (table.contains("bias_1")) layer.bias_1 = read_shaped(table, "bias_1", {m}, "(m)");
  if (table.contains("bias_2")) layer.bias_2 = read_shaped(table, "bias_2", {d}, "(d)");
  layer.activation = toml_.text(*table.get("activation"), "activation");
  if (layer.activation != "relu" && layer.activation != "silu" && layer.activation != "tanh")
    toml_.fail(*table.get("activation"), "activation is " + in_quotes(layer.activation),
               "it must be \"relu\", \"silu\" or \"tanh\"");
  if (const toml::node* const residual = table.get("residual"))
    layer.residual = toml_.boolean(*residual, "residual");
  return layer;
}

StackLayer CaseReader::read_rmsnorm(const toml::table& table) {
  toml_.require_known_keys(table, "[[before]] of kind \"rmsnorm\"", {"kind", "gain", "epsilon"});
  StackLayer layer;
  layer.kind = StackLayer::Kind::rmsnorm;
  if (table.contains("gain")) layer.gain = read_shaped(table, "gain", {case_.layer->embed_dim}, "(d)");
  const toml::node* const epsilon = table.get("epsilon");
  if (epsilon != nullptr) layer.epsilon = toml_.number(*epsilon, "epsilon");
  const toml::node& place = epsilon != nullptr ? *epsilon : static_cast<const toml::node&>(table);
  if (sgn(layer.epsilon) < 0) toml_.fail(place, "epsilon is negative", "it must be at least 0");
  // No vector is divided by 0: of what is not defined nothing would be claimed.
  if (layer.epsilon != 0) return layer;
  if (!case_.stack.empty())
    toml_.fail(place, "epsilon is 0 behind another layer", "a positive one; 0 is for the first layer alone");
  const std::size_t d = case_.layer->embed_dim;
  for (std::size_t row = 0; row < takes_part_.size(); ++row) {
    bool zero = takes_part_[row];
    for (std::size_t j = 0; j < d && zero; ++j) zero = case_.data.hidden->at(row * d + j) == 0;
    if (zero)
      toml_.fail(place,
                 "epsilon is 0, and so is the vector at position " +
                     std::to_string(row % case_.layer->context) + " of sequence " +
                     std::to_string(row / case_.layer->context),
                 "a positive epsilon, as 0 has no direction");
  }
  return layer;
}

}  // namespace attest
