// The frame of a case file.
#include "input/case_file.hpp"

#include "input/case_reader.hpp"

namespace attest {

CaseReader::CaseReader(TomlFile toml, const std::filesystem::path& file, const std::vector<ClaimSpec>& specs,
                       const ReadOptions& options)
    : toml_(std::move(toml)), arrays_(toml_, file, options), specs_(specs) {
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
  if (before != nullptr) refuse_with_before(*before);
  if (const toml::node* const data = root.get("data")) read_data(*data);
  if (before != nullptr) read_before(*before);
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

std::size_t Case::tokens(std::size_t t) const {
  return data.members ? data.members->list(t).size() : layer->context;
}

std::size_t Case::token_row(std::size_t t, std::size_t i) const {
  if (data.members) return data.members->list(t)[i];
  return (data.shared_context ? 0 : t * layer->context) + i;
}

std::size_t Case::key_row(std::size_t t, std::size_t i) const {
  const std::size_t tokens = data.contexts->size() / layer->embed_dim;
  if (weights->projected_keys->shape()[0] == tokens) return token_row(t, i);
  return (data.members ? data.members->starts[t] : t * layer->context) + i;
}

Case read_case(const std::filesystem::path& file, const std::vector<ClaimSpec>& specs,
               const ReadOptions& options) {
  return CaseReader(TomlFile(file, options.memory_limit), file, specs, options).read();
}

}  // namespace attest
