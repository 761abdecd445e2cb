// [data] of a case file: contexts, queries, labels, and hidden vectors with masks.
#include "base/hints.hpp"
#include "base/meter.hpp"
#include "base/text.hpp"
#include "problem/numbers.hpp"
#include "readers/case_reader.hpp"

namespace attest {

Shape CaseReader::shape(const std::vector<std::string>& keys) const {
  const Dimensions& layer = *case_.layer;
  Shape out;
  for (const std::string& key : keys) {
    std::size_t value = 0;
    if (key == "heads") value = layer.heads;
    if (key == "context") value = layer.context;
    if (key == "embed_dim") value = layer.embed_dim;
    if (key == "head_dim") value = layer.head_dim;
    if (key == "examples") value = layer.examples;
    if (key == "output_dim") value = layer.output_dim;
    out.push_back({key, value});
  }
  return out;
}

void CaseReader::read_data(const toml::node& node) {
  const toml::table& table = toml_.table(node, "data", "a table [data]");
  toml_.require_known_keys(table, "[data]",
                           {"contexts", "queries", "labels", "generate", "mixed", "hidden", "positions",
                            "causal", "window", "mask"});
  read_arrays_of_data(table);
  select_tokens(table);
  if (const toml::node* const mixed = table.get("mixed");
      mixed != nullptr && toml_.boolean(*mixed, "mixed")) {
    if (case_.data.members)
      toml_.fail(*mixed, "mixed data is for contexts of one length that share no tokens",
                 "leave out \"mixed\", or give such contexts");
    if (!case_.data.contexts || !case_.data.queries) {
      toml_.fail(*mixed, "mixed data needs contexts and queries", "give both, or generate");
    }
    const std::size_t entries = case_.data.contexts->size() + case_.data.queries->size();
    arrays_.budget().add(toml_, *mixed, mpz_class(2 * sizeof(mpq_class)) * entries, "mixed data");
    mix(case_.data);
  }
}

void CaseReader::mix(Data& data) const {
  const std::size_t n = case_.layer->context, d = case_.layer->embed_dim, T = case_.layer->examples;
  const std::size_t count = data.shared_context ? 1 : T;
  const auto sum = [](const mpq_class& a, const mpq_class& b) {
    const auto words = [](const mpq_class& x) {
      return mpz_size(x.get_num_mpz_t()) + mpz_size(x.get_den_mpz_t());
    };
    meter().work(20 + words(a) * words(b) / 8);  // greatest common divisors
    return mpq_class(a + b);
  };
  std::vector<mpq_class> contexts(data.contexts->size()), queries(data.queries->size());
  std::vector<mpq_class> means(d);
  for (std::size_t t = 0; t < T; ++t) {
    const std::size_t first = (data.shared_context ? 0 : t) * n * d;
    for (std::size_t j = 0; j < d; ++j) {
      if (t < count) {
        means[j] = 0;
        for (std::size_t i = 0; i < n; ++i) means[j] = sum(means[j], data.contexts->at(first + i * d + j));
        means[j] /= static_cast<unsigned long>(n);
        for (std::size_t i = 0; i < n; ++i)
          contexts[first + i * d + j] = sum(data.contexts->at(first + i * d + j), means[j]);
      }
      queries[t * d + j] = sum(data.queries->at(t * d + j), means[j]);
    }
  }
  data.contexts = ExactArray(data.contexts->shape(), std::move(contexts));
  data.queries = ExactArray(data.queries->shape(), std::move(queries));
}

void CaseReader::read_arrays_of_data(const toml::table& table) {
  Data& data = case_.data;
  const Shape per_example = shape({"examples", "context", "embed_dim"});
  const Shape shared = shape({"context", "embed_dim"});
  const Shape queries = shape({"examples", "embed_dim"});
  const Shape labels = shape({"examples", "output_dim"});

  if (const toml::node* const generate = table.get("generate")) {
    refuse_beside_generate(table, {"contexts", "queries", "labels", "hidden", "mask"});
    if (projected())
      toml_.fail(*generate, "\"generate\" makes queries, and [weights] gives projected ones or logits",
                 "give contexts, or weights that use the queries");
    const Generator generator = arrays_.read_generator(*generate, "data.generate", &data.shared_context);
    data.contexts = arrays_.draw(*generate, "contexts", generator, data.shared_context ? shared : per_example,
                                 stream::contexts);
    data.queries = arrays_.draw(*generate, "queries", generator, queries, stream::queries);
    Generator of_labels{.seed = generator.seed};
    if (generator.kind == Generator::Kind::integers) of_labels.bound = generator.bound;
    data.labels = arrays_.draw(*generate, "labels", of_labels, labels, stream::labels);
    return;
  }
  if (const toml::node* const contexts = table.get("contexts")) {
    data.contexts = arrays_.read(*contexts, "contexts", {per_example, shared});
    data.shared_context = contexts_shared_ = data.contexts->shape().size() == 2;
  }
  if (const toml::node* const given = table.get("queries")) {
    if (projected())
      toml_.fail(*given, "queries are given, and [weights] gives projected ones or logits",
                 "leave out the queries: the logits do not depend on them");
    data.queries = arrays_.read(*given, "queries", {queries});
  }
  if (const toml::node* const given = table.get("labels")) {
    std::vector<Shape> shapes = {labels};
    if (case_.layer->output_dim == 1) shapes.push_back(shape({"examples"}));  // one label per example
    ExactArray array = arrays_.read(*given, "labels", shapes);
    data.labels = std::move(array).reshaped(extents(labels));
  }
}

bool CaseReader::projected() const {
  const toml::table* const weights = toml_.root()["weights"].as_table();
  return weights != nullptr && (weights->contains("projected_queries") ||
                                weights->contains("projected_keys") || weights->contains("logits"));
}

void CaseReader::select_tokens(const toml::table& table) {
  const toml::node* const hidden = table.get("hidden");
  const toml::node* const mask = table.get("mask");
  if (hidden == nullptr)
    toml_.refuse_keys(table, {"positions", "causal", "window"}, "is given without \"hidden\"",
                      "it says which of the hidden vectors (S, L, d) are examples");
  if (hidden == nullptr && mask == nullptr) return;
  const std::size_t n = case_.layer->context, d = case_.layer->embed_dim, T = case_.layer->examples;
  Data& data = case_.data;
  if (hidden == nullptr && !data.contexts)
    toml_.fail(*mask, "mask is given without contexts or \"hidden\"", "it says which tokens take part");
  ExactArray source;
  if (hidden != nullptr) {
    toml_.refuse_keys(table, {"contexts", "queries"}, "is given beside \"hidden\"",
                      "hidden vectors are tokens and queries: give one or the other");
    source = arrays_.read_any(*hidden, "hidden");
    const std::vector<std::size_t>& shape = source.shape();
    if (shape.size() != 3 || shape[1] != n || shape[2] != d)
      toml_.fail(*hidden, "hidden has shape " + shape_text(shape),
                 "it must be (S, L, d) with L = context = " + std::to_string(n) +
                     " and d = embed_dim = " + std::to_string(d));
  } else {
    source = std::move(*data.contexts);
  }
  const std::size_t blocks = source.size() / d / n;
  if (hidden != nullptr) sequences_ = blocks;
  if (blocks * n >> 32 != 0) toml_.fail_limit(table, "more than 2^32 tokens");
  std::vector<bool>& takes_part = takes_part_;
  takes_part.assign(hidden != nullptr ? blocks * n : T * n, true);
  if (mask != nullptr) takes_part = read_mask(*mask, hidden != nullptr ? blocks : T, hidden != nullptr);

  Members members;
  members.starts.push_back(0);
  const auto add_example = [&](std::size_t block, std::size_t line,
                               const std::pair<std::size_t, std::size_t>& seen) {
    for (std::size_t i = seen.first; i < seen.second; ++i) {
      if (takes_part[line * n + i]) members.rows.push_back(static_cast<std::uint32_t>(block * n + i));
    }
    members.starts.push_back(members.rows.size());
  };
  if (hidden != nullptr) {
    data.positions = own_rows_ = read_positions(table, blocks, takes_part);
    view_ = read_view(table, {});
    mpz_class slots = 0;
    for (const std::size_t row : own_rows_) {
      const auto [first, end] = view_.of(row % n, n);
      slots += end - first;
    }
    arrays_.budget().add(toml_, *hidden, slots * sizeof(std::uint32_t) * 2 + 16 * mpz_class(T),
                         "the tokens of the examples");
    for (const std::size_t row : own_rows_) add_example(row / n, row / n, view_.of(row % n, n));
    if (has_stack()) {
      keep_hidden(std::move(source), std::move(members));
      return;
    }
    if (!projected()) {
      arrays_.budget().add(toml_, *hidden, mpz_class(T) * d * (source.bytes() / source.size()), "queries");
      data.queries = source.rows(own_rows_, d);
    }
  } else {
    arrays_.budget().add(toml_, *mask, mpz_class(T) * n * sizeof(std::uint32_t) * 2,
                         "the tokens of the examples");
    for (std::size_t t = 0; t < T; ++t) add_example(data.shared_context ? 0 : t, t, {0, n});
    for (std::size_t t = 0; t < T; ++t) {
      if (members.list(t).empty())
        toml_.fail(*mask, "no token of example " + std::to_string(t) + " takes part",
                   "every example needs at least one");
    }
  }
  arrange(std::move(source), std::move(members));
}

auto CaseReader::read_view(const toml::table& table, View view) const -> View {
  if (const toml::node* const causal = table.get("causal")) view.causal = toml_.boolean(*causal, "causal");
  if (const toml::node* const window = table.get("window")) view.window = natural(*window, "window");
  return view;
}

std::vector<bool> CaseReader::read_mask(const toml::node& node, std::size_t lines, bool sequences) {
  const ExactArray mask =
      arrays_.read(node, "mask", {{{sequences ? "S" : "examples", lines}, {"context", case_.layer->context}}},
                   sequences ? "the shape of hidden" : "[layer]");
  std::vector<bool> result;
  meter().work(kExactEntry * mask.size());
  for (std::size_t k = 0; k < mask.size(); ++k) {
    const mpq_class entry = mask.at(k);
    if (entry != 0 && entry != 1) {
      toml_.fail(node,
                 "mask" + index_text({k / case_.layer->context, k % case_.layer->context}) + " is " +
                     one_line(number_text(entry), 60),
                 "1 says that a token takes part, 0 that it does not (a mask that is added to logits is "
                 "another thing)");
    }
    result.push_back(entry == 1);
  }
  return result;
}

std::vector<std::size_t> CaseReader::read_positions(const toml::table& table, std::size_t sequences,
                                                    const std::vector<bool>& takes_part) const {
  const std::size_t n = case_.layer->context, T = case_.layer->examples;
  const std::string forms = "write positions = \"last\", \"all\", or a list like [0, 5]";
  const toml::node* const node = table.get("positions");
  if (node == nullptr) toml_.fail(table, "hidden is given without \"positions\"", forms);
  std::vector<std::size_t> listed;
  const std::string word = node->is_string() ? toml_.text(*node, "positions") : "";
  if (node->is_array()) {
    for (const toml::node& item : *node->as_array()) {
      const std::int64_t value = toml_.integer(item, "a position");
      if (value < 0 || static_cast<std::uint64_t>(value) >= n)
        toml_.fail(item, "there is no position " + std::to_string(value),
                   "the positions are 0 to " + std::to_string(n - 1));
      if (!listed.empty() && static_cast<std::size_t>(value) <= listed.back())
        toml_.fail(item, "the positions do not increase", "list each once, in order");
      listed.push_back(static_cast<std::size_t>(value));
    }
  }
  if (listed.empty() && word != "last" && word != "all")
    toml_.fail(*node, "positions is neither \"last\" nor \"all\" nor a list of positions", forms);
  std::vector<std::size_t> rows;
  for (std::size_t s = 0; s < sequences; ++s) {
    std::vector<std::size_t> own;
    for (std::size_t i = 0; listed.empty() && i < n; ++i) {
      if (takes_part[s * n + i]) own.push_back(i);
    }
    if (own.empty() && word == "last")
      toml_.fail(*node, "no token of sequence " + std::to_string(s) + " takes part",
                 "leave the sequence out");
    if (word == "last") own = {own.back()};
    for (const std::size_t i : listed) {
      if (!takes_part[s * n + i])
        toml_.fail(*node,
                   "position " + std::to_string(i) + " of sequence " + std::to_string(s) +
                       " does not take part (mask)",
                   "an example's own token takes part");
      own.push_back(i);
    }
    for (const std::size_t i : own) rows.push_back(s * n + i);
  }
  if (rows.size() != T)
    toml_.fail(*node,
               "these are " + std::to_string(rows.size()) +
                   " examples, but [layer] says examples = " + std::to_string(T),
               "give examples = " + std::to_string(rows.size()));
  return rows;
}

void CaseReader::arrange(ExactArray source, Members members) {
  const std::size_t n = case_.layer->context, d = case_.layer->embed_dim, T = case_.layer->examples;
  constexpr std::uint32_t kUnused = ~std::uint32_t{0};
  std::vector<std::uint32_t> number(source.size() / d, kUnused);
  source_columns_.clear();
  kept_.clear();
  for (std::uint32_t& row : members.rows) {
    source_columns_.push_back(static_cast<std::uint32_t>(row % n));
    if (number[row] == kUnused) {
      number[row] = static_cast<std::uint32_t>(kept_.size());
      kept_.push_back(row);
    }
    row = number[row];
  }
  Data& data = case_.data;
  for (const std::size_t row : own_rows_) own_tokens_.push_back(number[row]);
  const bool identity = kept_.size() == number.size() && std::is_sorted(kept_.begin(), kept_.end());
  if (!identity) {
    arrays_.budget().add(toml_, *toml_.root().get("data"),
                         mpz_class(kept_.size()) * d * (source.bytes() / source.size()), "contexts");
    source = source.rows(kept_, d);
  }
  bool own = members.rows.size() == T * n, shared = own && kept_.size() == n;
  for (std::size_t k = 0; k < members.rows.size() && (own || shared); ++k) {
    own = own && members.rows[k] == k;
    shared = shared && members.rows[k] == k % n;
  }
  data.shared_context = !own && shared;
  if (own)
    data.contexts = std::move(source).reshaped({T, n, d});
  else if (shared)
    data.contexts = std::move(source).reshaped({n, d});
  else
    data.contexts = std::move(source).reshaped({kept_.size(), d});
  if (!own && !shared) data.members = std::move(members);
}

void CaseReader::keep_hidden(ExactArray source, Members members) {
  case_.data.hidden = std::move(source);
  case_.data.members = std::move(members);
}

void CaseReader::refuse_beside_generate(const toml::table& table,
                                        const std::vector<std::string>& keys) const {
  toml_.refuse_keys(table, keys, "is given beside \"generate\", which makes it",
                    "give the arrays or \"generate\", not both");
}

}  // namespace attest
