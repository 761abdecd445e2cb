// The frame of a case file.
#include "readers/case_file.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/hints.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "problem/digest.hpp"
#include "problem/numbers.hpp"
#include "readers/case_reader.hpp"
#include "theory/statements.hpp"

namespace attest {
namespace {

/// A subset that the claim need not name and does not: the last n - 1 examples (Lemma 3).
void fill_in_subset(const Case& c, Claim& claim) {
  for (const ArgumentSpec& argument : claim.spec->arguments) {
    if (argument.type != ArgumentSpec::Type::subset || claim.has(argument.key)) continue;
    const std::size_t T = c.layer->examples;
    std::vector<std::size_t> subset(std::min(c.layer->context - 1, T));
    std::iota(subset.begin(), subset.end(), T - subset.size());
    claim.arguments.emplace(argument.key, std::move(subset));
  }
}

/// Of arrays by where their entries are: what several claims name is hashed once.
using Digests = std::map<std::pair<const void*, std::vector<std::size_t>>, std::string>;

/// An argument of a claim in its name: "head = 1", "which", and of what is long its digest, "classes
/// #1a2b3c4d". Empty for a default, and for what is claimed.
std::string argument_in_name(const ArgumentSpec& argument, const ArgumentValue& value, Digests& digests) {
  constexpr std::size_t kLongest = 60, kDigest = 8;
  const auto digest = [&](const std::string& hex) { return argument.key + " #" + hex.substr(0, kDigest); };
  if (argument.detail == "number" || argument.key == "heads") return "";
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? argument.key : "";
  if (const auto* array = std::get_if<ExactArray>(&value)) {
    const void* const entries =
        std::visit([](const auto& all) { return static_cast<const void*>(all.data()); }, array->storage());
    std::string& hex = digests[{entries, array->shape()}];
    if (hex.empty()) hex = sha256_hex(array_digest(*array));
    return digest(hex);
  }
  std::string text;
  if (const auto* integer = std::get_if<mpz_class>(&value)) text = integer->get_str();
  if (const auto* number = std::get_if<mpq_class>(&value)) text = number_text(*number);
  if (const auto* subset = std::get_if<std::vector<std::size_t>>(&value)) text = index_text(*subset);
  if (const auto* word = std::get_if<std::string>(&value)) {
    if (*word == words_in(argument.detail).front()) return "";
    text = *word;
  }
  return text.size() > kLongest ? digest(sha256_hex(text)) : argument.key + " = " + text;
}

/// Names for the claims that have none: what is claimed, and with which arguments, so that a claim keeps its
/// name when others come or go. Of several that claim the same the second is "... (2)".
void fill_in_names(Case& c, const std::string& file) {
  std::set<std::string> taken;
  for (const Claim& claim : c.claims)
    if (!claim.name.empty() && !taken.insert(claim.name).second)
      throw InputError(file, claim.place, "another claim has the name " + in_quotes(claim.name),
                       "a name of its own for each claim");
  std::map<std::string, std::size_t> times;
  Digests digests;
  for (Claim& claim : c.claims) {
    if (!claim.name.empty()) continue;
    std::string says =
        claim.statement +
        (asks_for_a_number(statement(claim.statement)) ? ": " + one_line(claimed_text(claim)) : "");
    std::string with;
    for (const ArgumentSpec& argument : claim.spec->arguments) {
      if (!claim.has(argument.key)) continue;
      const std::string part = argument_in_name(argument, claim.arguments.at(argument.key), digests);
      if (!part.empty()) with += (with.empty() ? "" : ", ") + part;
    }
    if (!with.empty()) says += " (" + with + ")";
    do {
      const std::size_t k = ++times[says];
      claim.name = says + (k == 1 ? "" : " (" + std::to_string(k) + ")");
    } while (!taken.insert(claim.name).second);
  }
}

/// Proposition 3 without [data] is about the paper's data set: the shared context [I_n 0] and the queries
/// (1, x, ..., x^(d-1)), x = t - floor(T / 2).
void fill_in_data(Case& c) {
  const bool own = std::any_of(c.claims.begin(), c.claims.end(),
                               [](const Claim& claim) { return claim.spec->few_sizes == "without data"; });
  if (!own || c.data.contexts || c.data.queries) return;
  const std::size_t n = c.layer->context, d = c.layer->embed_dim, T = c.layer->examples;
  std::vector<mpq_class> context(n * d), queries;
  for (std::size_t i = 0; i < n; ++i) context[i * d + i] = 1;
  for (std::size_t t = 0; t < T; ++t) {
    const mpq_class x = mpq_class(t) - T / 2;
    mpq_class power = 1;
    for (std::size_t j = 0; j < d; ++j, power *= x) queries.push_back(power);
  }
  c.data.shared_context = true;
  c.data.contexts = ExactArray({n, d}, std::move(context));
  c.data.queries = ExactArray({T, d}, std::move(queries));
}

// With what the statements fill in, when it has what they require. `name` is how errors call the case.
Case completed(Case result, const std::string& name) {
  fill_in_data(result);
  for (Claim& claim : result.claims) {
    fill_in_subset(result, claim);
    check_requirements(result, claim, name);
  }
  fill_in_names(result, name);
  return result;
}

}  // namespace

CaseReader::CaseReader(TomlFile toml, const std::filesystem::path& file, const ReadOptions& options)
    : toml_(std::move(toml)), arrays_(toml_, file, options) {
  case_.path = file;
}

Case CaseReader::read() {
  const toml::table& root = toml_.root();
  read_format();
  toml_.require_known_keys(root, "the case",
                           {"format", "title", "layer", "data", "before", "weights", "claim"});
  if (const toml::node* const title = root.get("title")) case_.title = toml_.text(*title, "title");
  if (const toml::node* const layer = root.get("layer")) read_layer(*layer);
  const std::vector<const toml::table*> claims = claim_tables();
  // Statements first: a wrong one should not cost the reading of large arrays.
  for (const toml::table* claim : claims) case_.claims.push_back(read_statement(*claim));
  for (const char* part : {"data", "before", "weights"}) {
    const toml::node* const node = root.get(part);
    if (node != nullptr && !case_.layer)
      toml_.fail(*node, "[" + std::string(part) + "] needs [layer]", "give the sizes there");
  }
  const toml::node* const before = root.get("before");
  if (before != nullptr) refuse_with_stack(*before);
  if (const toml::node* const data = root.get("data")) read_data(*data);
  if (before != nullptr) read_stack(*before);
  if (const toml::node* const weights = root.get("weights")) {
    read_weights(*weights);
    read_sink(*weights->as_table());
    read_whole_layer(*weights->as_table());
  }
  for (std::size_t i = 0; i < claims.size(); ++i) {
    require_what_is_read(*claims[i], *case_.claims[i].spec);
    read_claim(*claims[i], case_.claims[i]);
  }
  return std::move(case_);
}

void CaseReader::read_format() {
  const toml::node* const format = toml_.root().get("format");
  if (format == nullptr)
    throw InputError(toml_.name(), "line 1, column 1", "there is no key \"format\"", "add format = 1");
  const std::int64_t version = toml_.integer(*format, "format");
  if (version != 1) {
    toml_.fail(*format, "format " + std::to_string(version) + " is not supported",
               "this version reads format = 1");
  }
}

Case read_case(const std::filesystem::path& file, const ReadOptions& options) {
  return completed(CaseReader(TomlFile(file, options.memory_limit), file, options).read(), file.string());
}

Case read_case(const CaseValues& values, const ReadOptions& options) {
  return completed(CaseReader(TomlFile(values.name, toml_of(values)), values.path, options).read(),
                   values.name);
}

}  // namespace attest
