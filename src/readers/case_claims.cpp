// [[claim]] of a case file: statements, expectations and arguments.
#include <algorithm>
#include <stdexcept>

#include "base/hints.hpp"
#include "base/meter.hpp"
#include "base/text.hpp"
#include "problem/numbers.hpp"
#include "readers/case_reader.hpp"
#include "theory/statements.hpp"

namespace attest {

std::vector<const toml::table*> CaseReader::claim_tables() const {
  const toml::node* const node = toml_.root().get("claim");
  if (node == nullptr) {
    throw InputError(toml_.name(), "line 1, column 1", "the case has no claims",
                     "add [[claim]] with statement = \"rank\", for example");
  }
  const toml::array* const list = node->as_array();
  if (node->is_table()) toml_.fail(*node, "claim is a table", "write [[claim]], with two brackets");
  if (list == nullptr) toml_.wrong_type(*node, "claim", "an array of tables: write [[claim]]");
  if (list->empty()) toml_.fail(*node, "the case has no claims", "add [[claim]] with statement = \"rank\"");
  std::vector<const toml::table*> out;
  for (const toml::node& item : *list)
    out.push_back(&toml_.table(item, "a claim", "a table: write [[claim]]"));
  return out;
}

const ClaimSpec* CaseReader::find_statement(const std::string& name) const {
  for (const Statement& each : statements()) {
    if (name == each.spec.name) return &each.spec;
  }
  return nullptr;
}

Claim CaseReader::read_statement(const toml::table& table) const {
  std::vector<std::string> known;
  for (const Statement& each : statements()) known.push_back(each.spec.name);
  const toml::node* const node = table.get("statement");
  if (node == nullptr) {
    toml_.fail(table, "the claim has no key \"statement\"", "the statements are " + joined(known));
  }
  Claim claim;
  claim.index = case_.claims.size();
  claim.place = toml_.place_of(table);
  if (!claim.place.empty()) {
    claim.line = table.source().begin.line;
    claim.column = table.source().begin.column;
  }
  claim.statement = toml_.text(*node, "statement");
  claim.spec = find_statement(claim.statement);
  if (claim.spec == nullptr) {
    const std::string guess = nearest(claim.statement, known);
    toml_.fail(*node, "unknown statement " + in_quotes(claim.statement),
               (guess.empty() ? "" : "did you mean " + in_quotes(guess) + "? ") + "the statements are " +
                   joined(known));
  }
  std::vector<std::string> keys = {"statement", "expect", "name"}, required;
  for (const ArgumentSpec& argument : claim.spec->arguments) {
    keys.push_back(argument.key);
    if (argument.required) required.push_back(argument.key);
  }
  toml_.require_known_keys(table, "a claim of " + claim.statement, keys);
  for (const std::string& key : required) {
    if (!table.contains(key)) {
      toml_.fail(table, claim.statement + " needs the key \"" + key + "\"",
                 "its keys are " + joined(required));
    }
  }
  if (const toml::node* const expect = table.get("expect")) read_expectation(*expect, claim);
  if (const toml::node* const name = table.get("name")) {
    claim.name = toml_.text(*name, "name");
    if (claim.name.find_first_not_of(' ') == std::string::npos ||
        one_line(claim.name, claim.name.size()) != claim.name)
      toml_.fail(*name, "name is " + in_quotes(claim.name) + ", which is no name for a claim",
                 "some characters that show, on one line, with no :: before a word and no ##[");
  }
  require_parts(table, *claim.spec);
  return claim;
}

void CaseReader::read_expectation(const toml::node& node, Claim& claim) const {
  std::vector<std::string> words;
  for (const Verdict verdict :
       {Verdict::verified, Verdict::refuted, Verdict::inapplicable, Verdict::undecided})
    words.emplace_back(verdict_name(verdict));
  words.emplace_back("verified-as-stated");
  const std::string word = toml_.text(node, "expect");
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) {
    toml_.fail(node, "expect is " + in_quotes(word), "it must be " + joined(words, "or"));
  }
  claim.expect_as_stated = found + 1 == words.end();
  claim.expect = claim.expect_as_stated ? Verdict::verified : static_cast<Verdict>(found - words.begin());
}

void CaseReader::require_parts(const toml::table& table, const ClaimSpec& spec) const {
  if (has_stack() && !spec.needs_part("stack")) {
    std::vector<std::string> known;
    for (const Statement& each : statements())
      if (each.spec.needs_part("stack")) known.push_back(each.spec.name);
    toml_.fail(table, spec.name + " is not about a layer behind others, and the case has [[before]]",
               "behind other layers ask for " + joined(known, "or"));
  }
  if (spec.needs_part("layer") && !case_.layer) {
    toml_.fail(table, spec.name + " needs [layer]",
               "give heads, context, embed_dim, head_dim and examples there");
  }
  if (has_stack() && spec.needs_part("layers_before") && !toml_.root()["layer"]["layers_before"])
    toml_.fail(
        table, spec.name + " behind [[before]] is that of the last layer alone or that of all layers",
        std::string("say which in [layer]: layers_before = \"given\" takes the layers before as they are") +
            (spec.needs_part("given") ? "" : ", \"free\" frees the weights of all"));
  if (has_stack() && spec.needs_part("given") && spec.needs_part("layers_before") &&
      !case_.layer->given_stack)
    toml_.fail(table, spec.name + " is about the layer behind given ones, and layers_before is \"free\"",
               "write layers_before = \"given\", or claim capacity");
  if (has_stack() && case_.layer->given_stack && !spec.needs_part("weights") && !spec.needs_part("given") &&
      !spec.needs_part("layers_before"))
    toml_.fail(table, spec.name + " is about all weights of all layers, and layers_before is \"given\"",
               "write layers_before = \"free\", or make another case of this claim");
  const auto data = toml_.root()["data"];
  for (const std::string part : {"contexts", "queries", "labels"}) {
    const bool given =
        toml_.root().contains("data") &&
        (!data.is_table() || data[part] || data["generate"] || (part == "contexts" && data["hidden"]) ||
         (part == "queries" &&
          (projected() ? spec.needs_part("weights") && !spec.needs_part("matrices") : bool(data["hidden"]))));
    if (spec.needs_part(part) && !given && part == "queries" && projected()) {
      toml_.fail(table, spec.name + " needs queries, and [weights] gives projected ones or logits",
                 "ask for rank, or give weights that use the queries");
    }
    if (spec.needs_part(part) && !given) {
      toml_.fail(table, spec.name + " needs the " + part + " of [data]",
                 std::string("give ") + part + ", or generate");
    }
  }
  if (spec.needs_part("weights") && !toml_.root().contains("weights")) {
    toml_.fail(table, spec.name + " needs [weights]",
               "give key and query, combined, generate, layout and file, projected_queries and "
               "projected_keys, or logits");
  }
}

void CaseReader::require_what_is_read(const toml::table& table, const ClaimSpec& spec) const {
  if (spec.needs_part("layer") && !spec.needs_part("sinks") && !case_.layer->convex())
    toml_.fail(table, spec.name + " is about coefficients of the softmax, which sum to 1",
               "leave out sink and coefficients of [layer], or claim rank, capacity or another statement "
               "that takes them");
  if (spec.needs_part("layer") && !spec.needs_part("sinks") && case_.layer->query_bias)
    toml_.fail(table, spec.name + " is about weights without query biases",
               "leave out query_bias of [layer], or claim capacity");
  if (spec.needs_part("values") && !(case_.weights && case_.weights->value))
    toml_.fail(table, spec.name + " is about the outputs of the heads, and [weights] has no value",
               "give value (H, d, d_v), or layout and file; without values ask for rank");
  const bool given =
      spec.needs_part("weights") || spec.needs_part("given") || (has_stack() && case_.layer->given_stack);
  for (const StackLayer& layer : case_.stack) {
    if (layer.free && given)
      toml_.fail(table, spec.name + " is about given layers before the layer, and one has no weights",
                 "give its key and query or combined, or claim capacity with layers_before = \"free\" in "
                 "[layer], or functional-dimension");
    if (layer.kind != StackLayer::Kind::attention && !given)
      toml_.fail(table, spec.name + " is about all weights of all layers, and one before is no attention",
                 "behind an mlp or rmsnorm ask for what given ones do: rank, for example, or capacity with "
                 "layers_before = \"given\" in [layer]");
  }
  if (!case_.data.members || spec.needs_part("ragged") || (spec.needs.empty() && spec.few_sizes.empty()))
    return;
  const Members& members = *case_.data.members;
  std::size_t least = ~std::size_t{0}, most = 0;
  for (std::size_t t = 0; t + 1 < members.starts.size(); ++t) {
    const std::size_t size = members.list(t).size();
    least = std::min(least, size);
    most = std::max(most, size);
  }
  if (has_stack() && least == case_.layer->context) return;
  toml_.fail(
      table,
      spec.name + " is about contexts of n tokens each" + (has_stack() ? "" : " that share none") +
          "; here they " +
          (least == most ? "share tokens, or some of them are masked"
                         : "have " + std::to_string(least) + " to " + std::to_string(most) + " tokens"),
      has_stack() ? "leave out causal, window and mask" : "give contexts (T, n, d) or (n, d) without a mask");
}

void CaseReader::read_claim(const toml::table& table, Claim& claim) {
  const toml::node* number = nullptr;  // the one of a group of which a claim has at most one
  for (const ArgumentSpec& argument : claim.spec->arguments) {
    const toml::node* const node = table.get(argument.key);
    if (node == nullptr) {
      if (argument.type == ArgumentSpec::Type::word)
        claim.arguments.emplace(argument.key, words_in(argument.detail).front());
      if (argument.type == ArgumentSpec::Type::flag) claim.arguments.emplace(argument.key, false);
      continue;
    }
    if (argument.type == ArgumentSpec::Type::integer && !argument.detail.empty()) {
      if (number != nullptr) {
        toml_.fail(*node, "the claim has more than one of value, at_least and at_most",
                   "give one of them, or make two claims");
      }
      number = node;
    }
    ArgumentValue value = read_argument(*node, argument, claim);
    if (argument.type == ArgumentSpec::Type::option && !std::get<bool>(value)) continue;
    claim.arguments.emplace(argument.key, std::move(value));
  }
  require_alternatives(table, claim);
  if (claim.spec->few_sizes == "without data") require_network_data(table, claim);
}

void CaseReader::require_alternatives(const toml::table& table, const Claim& claim) const {
  for (const ArgumentSpec& argument : claim.spec->arguments) {
    if (argument.type != ArgumentSpec::Type::classes) continue;
    const std::string& other = argument.detail;
    if (claim.has(argument.key) == claim.has(other))
      toml_.fail(table,
                 claim.statement + (claim.has(other) ? " has both " : " has neither ") + argument.key +
                     (claim.has(other) ? " and " : " nor ") + other,
                 "give " + argument.key + ", an array (T), or " + other + ", which is about the labels");
    if (claim.has(other) && !case_.data.labels)
      toml_.fail(table, claim.statement + " with " + other + " needs the labels of [data]",
                 "give labels, or " + argument.key);
  }
}

ExactArray CaseReader::read_classes(const toml::node& node, const std::string& key) {
  ExactArray array = arrays_.read(node, key, {shape({"examples"})});
  const std::size_t classes = std::max<std::size_t>(2, case_.layer->output_dim);
  meter().work(kExactEntry * array.size());
  for (std::size_t t = 0; t < array.size(); ++t) {
    const mpq_class entry = array.at(t);
    if (entry.get_den() != 1 || entry < 0 || entry >= static_cast<unsigned long>(classes))
      toml_.fail(node, key + index_text({t}) + " is " + one_line(number_text(entry), 60),
                 "the classes are the integers 0 to " + std::to_string(classes - 1) +
                     (case_.layer->output_dim == 1 ? " (one output is class 1 against class 0)"
                                                   : ", as output_dim says"));
  }
  return array;
}

ArgumentValue CaseReader::read_argument(const toml::node& node, const ArgumentSpec& argument,
                                        const Claim& claim) {
  using Type = ArgumentSpec::Type;
  const std::string& key = argument.key;
  switch (argument.type) {
    case Type::integer:
      return toml_.whole_number(node, key);
    case Type::natural:
      return mpz_class(natural(node, key));
    case Type::example:
      return mpz_class(read_example(node, key));
    case Type::number:
      return toml_.number(node, key);
    case Type::positive: {
      const mpq_class value = toml_.number(node, key);
      if (value <= 0) {
        toml_.fail(node, key + " is " + one_line(number_text(value), 60), "it must be positive");
      }
      return value;
    }
    case Type::flag:
    case Type::option:
      return toml_.boolean(node, key);
    case Type::word: {
      const std::vector<std::string> words = words_in(argument.detail);
      const std::string word = toml_.text(node, key);
      if (std::find(words.begin(), words.end(), word) == words.end())
        toml_.fail(node, key + " is " + in_quotes(word),
                   "it must be " + joined(words, "or") +
                       (claim.statement == "proposition-3" && word == "given"
                            ? "; whether a network fits the labels of [data] is the statement relu-memorizes"
                            : ""));
      return word;
    }
    case Type::subset:
      return read_subset(node);
    case Type::coefficients: {
      const Shape rows = {{"size of subset", claim.subset().size()}, {"context", case_.layer->context}};
      ExactArray array = arrays_.read(node, key, {rows}, "the case");
      check_coefficients(node, array);
      return array;
    }
    case Type::matrix:
      return read_matrix(node, argument, claim);
    case Type::values:
      return arrays_.read(node, key, {shape({"examples"})});
    case Type::classes:
      return read_classes(node, key);
  }
  throw std::logic_error("an argument without a type");
}

ExactArray CaseReader::read_matrix(const toml::node& node, const ArgumentSpec& argument, const Claim& claim) {
  ExactArray array = arrays_.read_any(node, argument.key);
  if (array.shape().size() != 2) {
    toml_.fail(node, argument.key + " has shape " + shape_text(array.shape()),
               "it must be a matrix, an array of rows");
  }
  const std::vector<std::string> like = words_in(argument.detail);
  for (std::size_t k = 0; k < like.size(); ++k) {
    const bool of_layer = like[k] == "d";
    const std::size_t size = of_layer ? case_.layer->embed_dim : claim.array(like[k]).shape()[k];
    if (array.shape()[k] != size) {
      toml_.fail(node, argument.key + " has shape " + shape_text(array.shape()),
                 "it must have " + std::to_string(size) + (k == 0 ? " rows" : " columns") + ", like " +
                     (of_layer ? "embed_dim" : like[k]));
    }
  }
  return array;
}

void CaseReader::require_network_data(const toml::table& table, const Claim& claim) const {
  const bool data = toml_.root().contains("data");
  if (!data && case_.layer->context > case_.layer->embed_dim) {
    toml_.fail(
        table,
        "the data set of " + claim.statement + " has the contexts [I_n 0], and context exceeds embed_dim",
        "give a context of at most embed_dim, or [data]");
  }
  if (data && (!case_.data.contexts || !case_.data.queries)) {
    toml_.fail(table, claim.statement + " needs contexts and queries in [data], or no [data]",
               "give both or neither");
  }
}

std::size_t CaseReader::read_example(const toml::node& item, const std::string& name) const {
  const std::int64_t value = toml_.integer(item, name);
  if (value < 0 || static_cast<std::uint64_t>(value) >= case_.layer->examples) {
    toml_.fail(item, "there is no example " + std::to_string(value),
               "the examples are 0 to " + std::to_string(case_.layer->examples - 1));
  }
  return static_cast<std::size_t>(value);
}

std::vector<std::size_t> CaseReader::read_subset(const toml::node& node) const {
  if (!node.is_array()) toml_.wrong_type(node, "subset", "an array of examples, like [0, 2]");
  if (node.as_array()->empty()) toml_.fail(node, "subset is empty", "name at least one example");
  std::vector<std::size_t> out;
  for (const toml::node& item : *node.as_array()) out.push_back(read_example(item, "a member of subset"));
  std::vector<std::size_t> sorted = out;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    toml_.fail(node, "subset has example " + std::to_string(*twice) + " twice", "name each example once");
  }
  return out;
}

void CaseReader::check_coefficients(const toml::node& node, const ExactArray& array) const {
  const std::size_t rows = array.shape()[0], columns = array.shape()[1];
  meter().work(kExactEntry * array.size());
  for (std::size_t i = 0; i < rows; ++i) {
    const toml::node& place = node.is_array() ? (*node.as_array())[i] : node;
    mpq_class sum = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      const mpq_class entry = array.at(i * columns + j);
      if (entry <= 0) {
        toml_.fail(place, "coefficients" + index_text({i, j}) + " is " + one_line(number_text(entry), 60),
                   "every coefficient is positive");
      }
      sum += entry;
    }
    if (sum != 1) {
      toml_.fail(place,
                 "row " + std::to_string(i) + " of coefficients sums to " + one_line(number_text(sum), 60),
                 "every row sums to exactly 1");
    }
  }
}

}  // namespace attest
