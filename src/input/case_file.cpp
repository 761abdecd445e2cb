#include "input/case_file.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "input/case_arrays.hpp"
#include "input/meter.hpp"
#include "input/numbers.hpp"
#include "input/text.hpp"
#include "input/toml_file.hpp"

namespace attest {
namespace {

class CaseReader {
public:
  CaseReader(const std::filesystem::path& file, const std::vector<ClaimSpec>& specs,
             const ReadOptions& options)
      : toml_(file, options.memory_limit), arrays_(toml_, file, options), specs_(specs) {
    case_.path = file;
  }

  Case read() {
    const toml::table& root = toml_.root();
    read_format();
    toml_.require_known_keys(root, "the case", {"format", "title", "layer", "data", "weights", "claim"});
    if (const toml::node* const title = root.get("title")) case_.title = toml_.text(*title, "title");
    if (const toml::node* const layer = root.get("layer")) read_layer(*layer);
    const std::vector<const toml::table*> claims = claim_tables();
    // Statements first: a wrong one should not cost the reading of large arrays.
    for (const toml::table* claim : claims) case_.claims.push_back(read_statement(*claim));
    for (const char* part : {"data", "weights"}) {
      const toml::node* const node = root.get(part);
      if (node != nullptr && !case_.layer)
        toml_.fail(*node, "[" + std::string(part) + "] needs [layer]", "give the sizes there");
    }
    if (const toml::node* const data = root.get("data")) read_data(*data);
    if (const toml::node* const weights = root.get("weights")) {
      read_weights(*weights);
      read_whole_layer(*weights->as_table());
    }
    for (std::size_t i = 0; i < claims.size(); ++i) {
      require_contexts_of_one_length(*claims[i], *case_.claims[i].spec);
      read_claim(*claims[i], case_.claims[i]);
    }
    return std::move(case_);
  }

private:
  void read_format() {
    const toml::node* const format = toml_.root().get("format");
    if (format == nullptr)
      throw InputError(toml_.name(), "line 1, column 1", "there is no key \"format\"", "add format = 1");
    const std::int64_t version = toml_.integer(*format, "format");
    if (version != 1) {
      toml_.fail(*format, "format " + std::to_string(version) + " is not supported",
                 "this version reads format = 1");
    }
  }

  // [layer]

  /// Whether all claims are of statements that need only n and d of the sizes (the rest of a claim is checked
  /// later).
  bool few_sizes(const std::string& kind) const {
    const toml::array* const claims = toml_.root()["claim"].as_array();
    return claims != nullptr && !claims->empty() &&
           std::all_of(claims->begin(), claims->end(), [&](const toml::node& claim) {
             if (!claim.is_table()) return false;
             const auto name = (*claim.as_table())["statement"].value<std::string>();
             const ClaimSpec* const spec = name ? find_statement(*name) : nullptr;
             return spec != nullptr && spec->few_sizes == kind;
           });
  }

  void read_layer(const toml::node& node) {
    const toml::table& table = toml_.table(node, "layer", "a table [layer]");
    toml_.require_known_keys(table, "[layer]",
                             {"heads", "context", "embed_dim", "head_dim", "examples", "output_dim",
                              "value_dim", "base", "logit_scale"});
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
    layer.value_dim = table.contains("value_dim") ? dimension(table, "value_dim", "value dimension, d_v")
                                                  : layer.output_dim;
    if (const toml::node* const base = table.get("base")) {
      if (!base->is_string()) toml_.wrong_type(*base, "base", "\"e\" or \"2\"");
      const std::string text = toml_.text(*base, "base");
      if (text != "e" && text != "2")
        toml_.fail(*base, "base is " + in_quotes(text), "it must be \"e\" or \"2\"");
      layer.base = text == "2" ? Base::two : Base::e;
    }
    case_.layer = layer;
    if (const toml::node* const scale = table.get("logit_scale")) read_logit_scale(*scale);
    // Z itself is never held as a whole.
    const mpz_class examples_all = layer.examples, columns = mpz_class(layer.heads) * layer.embed_dim,
                    rows = std::min(examples_all, columns);
    arrays_.budget().add(toml_, node, examples_all * 64 + rows * columns * 8,
                         "indices of the examples (64 T) and a basis of Z (8 min(T, Hd) Hd)");
  }

  /// One example more than a network of a proposition-3 claim can fit on its own data set.
  std::size_t network_examples(const toml::table& claim, std::size_t embed_dim) const {
    const toml::node* const neurons = claim.get("neurons");
    if (neurons == nullptr) return 1;  // read_statement reports it
    const toml::node* const bias = claim.get("output_bias");
    mpz_class examples = mpz_class(natural(*neurons, "neurons")) * (embed_dim + 1) + 1;
    if (bias != nullptr && toml_.boolean(*bias, "output_bias")) ++examples;
    if (examples > kMaxDimension)
      toml_.fail_limit(claim, "the claim needs " + examples.get_str() + " examples; the limit is 2^40");
    return examples.get_ui();
  }

  std::size_t natural(const toml::node& node, const std::string& name) const {
    const std::int64_t value = toml_.integer(node, name);
    if (value < 1) toml_.fail(node, name + " is " + std::to_string(value), "it must be at least 1");
    if (value > kMaxDimension)
      toml_.fail_limit(node, name + " is " + std::to_string(value) + "; the limit is 2^40");
    return static_cast<std::size_t>(value);
  }

  static constexpr std::int64_t kMaxDimension = std::int64_t{1} << 40;
  static constexpr std::size_t kAny = 0;  ///< an extent that the array decides

  std::size_t dimension(const toml::table& table, const std::string& key, const std::string& meaning) const {
    const toml::node* const node = table.get(key);
    if (node == nullptr) toml_.fail(table, "[layer] has no key \"" + key + "\"", "add it: the " + meaning);
    return natural(*node, key);
  }

  void read_logit_scale(const toml::node& node) {
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

  /// 1/sqrt(value). Precondition: a positive perfect square, or a positive number below 2^64.
  static LogitScale inverse_root(const mpz_class& value) {
    if (mpz_perfect_square_p(value.get_mpz_t()) != 0) return {mpq_class(1, mpz_class(sqrt(value))), 0};
    return {1, value.get_ui()};
  }

  // [data]

  Shape shape(const std::vector<std::string>& keys) const {
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

  void read_data(const toml::node& node) {
    const toml::table& table = toml_.table(node, "data", "a table [data]");
    toml_.require_known_keys(
        table, "[data]",
        {"contexts", "queries", "labels", "generate", "mixed", "hidden", "positions", "causal", "mask"});
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

  /// Replaces the data by the outputs of the layer of Proposition 4: every token, and the query, plus the
  /// mean of the tokens.
  void mix(Data& data) const {
    const std::size_t n = case_.layer->context, d = case_.layer->embed_dim, T = case_.layer->examples;
    const std::size_t count = data.shared_context ? 1 : T;
    const auto sum = [](const mpq_class& a, const mpq_class& b) {
      const auto words = [](const mpq_class& x) {
        return mpz_size(x.get_num_mpz_t()) + mpz_size(x.get_den_mpz_t());
      };
      meter().work(2 + words(a) * words(b) / 8);  // greatest common divisors
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

  void read_arrays_of_data(const toml::table& table) {
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
      data.contexts = arrays_.draw(*generate, "contexts", generator,
                                   data.shared_context ? shared : per_example, stream::contexts);
      data.queries = arrays_.draw(*generate, "queries", generator, queries, stream::queries);
      Generator label_generator;
      label_generator.seed = generator.seed;
      label_generator.bound = generator.kind == Generator::Kind::integers ? generator.bound : 9;
      data.labels = arrays_.draw(*generate, "labels", label_generator, labels, stream::labels);
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

  /// Whether [weights] gives what the softmax sees, so that there are no queries.
  bool projected() const {
    const toml::table* const weights = toml_.root()["weights"].as_table();
    return weights != nullptr && (weights->contains("projected_queries") ||
                                  weights->contains("projected_keys") || weights->contains("logits"));
  }

  /// `hidden`, `positions`, `causal` and `mask`: which vectors are queries, and which tokens an example has.
  void select_tokens(const toml::table& table) {
    const toml::node* const hidden = table.get("hidden");
    const toml::node* const mask = table.get("mask");
    for (const char* const key : {"positions", "causal"}) {
      if (const toml::node* const node = table.get(key); node != nullptr && hidden == nullptr)
        toml_.fail(*node, std::string(key) + " is given without \"hidden\"",
                   "it says which of the hidden vectors (S, L, d) are examples");
    }
    if (hidden == nullptr && mask == nullptr) return;
    const std::size_t n = case_.layer->context, d = case_.layer->embed_dim, T = case_.layer->examples;
    Data& data = case_.data;
    if (hidden == nullptr && !data.contexts)
      toml_.fail(*mask, "mask is given without contexts or \"hidden\"", "it says which tokens take part");
    ExactArray source;
    if (hidden != nullptr) {
      for (const char* const beside : {"contexts", "queries"}) {
        if (const toml::node* const node = table.get(beside))
          toml_.fail(*node, std::string(beside) + " is given beside \"hidden\"",
                     "hidden vectors are tokens and queries: give one or the other");
      }
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
    std::vector<bool> takes_part(hidden != nullptr ? blocks * n : T * n, true);
    if (mask != nullptr) takes_part = read_mask(*mask, hidden != nullptr ? blocks : T, hidden != nullptr);

    Members members;
    members.starts.push_back(0);
    const auto add_example = [&](std::size_t block, std::size_t line, std::size_t length) {
      for (std::size_t i = 0; i < length; ++i) {
        if (takes_part[line * n + i]) members.rows.push_back(static_cast<std::uint32_t>(block * n + i));
      }
      members.starts.push_back(members.rows.size());
    };
    if (hidden != nullptr) {
      own_rows_ = read_positions(table, blocks, takes_part);
      const toml::node* const causal = table.get("causal");
      const bool before = causal != nullptr && toml_.boolean(*causal, "causal");
      mpz_class slots = 0;
      for (const std::size_t row : own_rows_) slots += before ? row % n + 1 : n;
      arrays_.budget().add(toml_, *hidden, slots * sizeof(std::uint32_t) * 2 + 16 * mpz_class(T),
                           "the tokens of the examples");
      for (const std::size_t row : own_rows_) add_example(row / n, row / n, before ? row % n + 1 : n);
      if (!projected()) {
        arrays_.budget().add(toml_, *hidden, mpz_class(T) * d * (source.bytes() / source.size()), "queries");
        data.queries = source.rows(own_rows_, d);
      }
    } else {
      arrays_.budget().add(toml_, *mask, mpz_class(T) * n * sizeof(std::uint32_t) * 2,
                           "the tokens of the examples");
      for (std::size_t t = 0; t < T; ++t) add_example(data.shared_context ? 0 : t, t, n);
      for (std::size_t t = 0; t < T; ++t) {
        if (members.starts[t] == members.starts[t + 1])
          toml_.fail(*mask, "no token of example " + std::to_string(t) + " takes part",
                     "every example needs at least one");
      }
    }
    arrange(std::move(source), std::move(members));
  }

  /// Entries of a (lines, n) array that are not 0.
  std::vector<bool> read_mask(const toml::node& node, std::size_t lines, bool sequences) {
    const ExactArray mask = arrays_.read(
        node, "mask", {{{sequences ? "S" : "examples", lines}, {"context", case_.layer->context}}},
        sequences ? "the shape of hidden" : "[layer]");
    std::vector<bool> result;
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

  /// The rows of `hidden`, as rows of length d, that are the examples, increasing.
  std::vector<std::size_t> read_positions(const toml::table& table, std::size_t sequences,
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

  /// Contexts and members in their canonical form: tokens in order of first use, and members only where
  /// (T, n, d) and (n, d) do not say the same.
  void arrange(ExactArray source, Members members) {
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

  void refuse_beside_generate(const toml::table& table, const std::vector<std::string>& keys) const {
    for (const std::string& key : keys) {
      if (const toml::node* const node = table.get(key)) {
        toml_.fail(*node, "\"" + key + "\" is given beside \"generate\", which makes it",
                   "give the arrays or \"generate\", not both");
      }
    }
  }

  // [weights]

  void read_weights(const toml::node& node) {
    const toml::table& table = toml_.table(node, "weights", "a table [weights]");
    toml_.require_known_keys(
        table, "[weights]",
        {"key",          "query",  "combined",   "generate", "key_bias",          "query_bias",
         "logit_scale",  "layout", "file",       "prefix",   "projected_queries", "projected_keys",
         "logits",       "value",  "value_bias", "output",   "output_bias",       "readout",
         "readout_bias", "skip"});
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
    for (const char* const beside : {"key", "query", "combined", "generate", "key_bias", "query_bias",
                                     "value", "value_bias", "output", "output_bias"}) {
      if (const toml::node* const part = table.get(beside); layout != nullptr && part != nullptr) {
        toml_.fail(*part,
                   std::string(beside) + " is given beside \"layout\", which reads all weights from its file",
                   forms);
      }
    }
    for (const char* const of_layout : {"file", "prefix"}) {
      if (const toml::node* const part = table.get(of_layout); layout == nullptr && part != nullptr) {
        toml_.fail(*part, std::string(of_layout) + " is given without \"layout\"",
                   "say how the file stores the weights: layout = \"torch\", for example");
      }
    }
    if (generate != nullptr) refuse_beside_generate(table, {"key", "query", "combined"});
    for (const toml::node* const part : {key, query}) {
      if (combined != nullptr && part != nullptr) {
        toml_.fail(*part, "key and query are given beside \"combined\"", forms);
      }
    }
    if (layout == nullptr && generate == nullptr && combined == nullptr && key == nullptr &&
        query == nullptr) {
      toml_.fail(table, "[weights] has no weights", forms);
    }
    if (key != nullptr && query == nullptr) toml_.fail(*key, "key is given without query", forms);
    if (query != nullptr && key == nullptr) toml_.fail(*query, "query is given without key", forms);

    const Shape factor = shape({"heads", "embed_dim", "head_dim"});
    Weights weights;
    if (layout != nullptr) {
      const Dimensions& layer = *case_.layer;
      weights = arrays_.read_layout(table, {layer.heads, layer.embed_dim, layer.head_dim}, whole(table));
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

  /// `scaled`: 1/sqrt(d_h) unless it is given.
  void read_scale_of_weights(const toml::table& table, bool scaled) {
    const bool scale_in_layer = toml_.root()["layer"].as_table()->contains("logit_scale");
    if (const toml::node* const scale = table.get("logit_scale")) {
      if (scale_in_layer)
        toml_.fail(*scale, "logit_scale is given in [layer] and in [weights]", "give it once");
      read_logit_scale(*scale);
    } else if (scaled && !scale_in_layer) {
      case_.layer->logit_scale = inverse_root(case_.layer->head_dim);
    }
  }

  /// What the softmax sees: projected queries and keys, or logits.
  void read_projected(const toml::table& table) {
    const toml::node* const queries = table.get("projected_queries");
    const toml::node* const keys = table.get("projected_keys");
    const toml::node* const logits = table.get("logits");
    for (const char* const beside :
         {"key", "query", "combined", "generate", "key_bias", "query_bias", "layout", "file", "prefix"}) {
      if (const toml::node* const part = table.get(beside))
        toml_.fail(*part, std::string(beside) + " is given beside projected queries and keys, or logits",
                   "give the weights or what the softmax sees, not both");
    }
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

  bool hidden() const { return !own_rows_.empty(); }

  ExactArray read_projected_queries(const toml::node& node) {
    const std::size_t T = case_.layer->examples, H = case_.layer->heads, m = case_.layer->head_dim;
    std::vector<Shape> shapes = {shape({"examples", "heads", "head_dim"})};
    if (hidden()) shapes.push_back(by_sequence("heads"));
    ExactArray array = arrays_.read(node, "projected_queries", shapes);
    if (array.shape().size() == 4) array = array.rows(own_rows_, H * m);
    return std::move(array).reshaped({T, H, m});
  }

  /// (S, L, number of heads, d_h)
  Shape by_sequence(const char* heads) const {
    Shape result = shape({"context", heads, "head_dim"});
    result.insert(result.begin(), {"S", sequences_});
    return result;
  }

  ExactArray read_projected_keys(const toml::node& node) {
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

  /// Where the tokens of the examples are in an array (T, n, ...), one after the other.
  std::vector<std::size_t> slots() const {
    const std::size_t n = case_.layer->context, T = case_.layer->examples;
    std::vector<std::size_t> result;
    for (std::size_t t = 0; t < T; ++t) {
      for (std::size_t i = 0; i < case_.tokens(t); ++i)
        result.push_back(t * n + (source_columns_.empty() ? i : source_columns_[result.size()]));
    }
    return result;
  }

  /// Logits as keys of one entry.
  Weights read_logits(const toml::node& node) {
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

  std::optional<ExactArray> read_bias(const toml::table& table, const std::string& name) {
    const toml::node* const node = table.get(name);
    if (node == nullptr) return std::nullopt;
    if (table.contains("combined")) {
      toml_.fail(*node, name + " is given beside \"combined\"",
                 "biases belong to key and query, or generate");
    }
    return arrays_.read(*node, name, {shape({"heads", "head_dim"})});
  }

  /// Whether some claim is about what the layer puts out, or [weights] says more than a layout's file does.
  bool whole(const toml::table& table) const {
    return table.contains("skip") || table.contains("readout") || table.contains("readout_bias") ||
           std::any_of(case_.claims.begin(), case_.claims.end(),
                       [](const Claim& claim) { return claim.spec->needs_part("whole"); });
  }

  /// Values, outputs, skip connection and read-out. Each shape follows from what comes before it.
  void read_whole_layer(const toml::table& table) {
    Weights& weights = *case_.weights;
    Dimensions& layer = *case_.layer;
    const std::size_t H = layer.heads, d = layer.embed_dim, T = layer.examples;
    const bool from_layout = table.contains("layout");
    bool given = whole(table);
    const auto check = [&](const char* key, const std::optional<ExactArray>& array,
                           const std::vector<std::size_t>& form, const std::string& names) {
      if (!array) return;
      const toml::node* const node = table.get(key);
      const std::vector<std::size_t>& shape = array->shape();
      bool fits = shape.size() == form.size();
      for (std::size_t k = 0; fits && k < form.size(); ++k) fits = form[k] == kAny || shape[k] == form[k];
      if (fits) return;
      std::string expected;
      for (const std::size_t extent : form)
        expected += (expected.empty() ? "" : ", ") + (extent == kAny ? "any" : std::to_string(extent));
      const bool turned = form.size() == 2 && shape.size() == 2 && shape[1] == form[0] && shape[0] != form[0];
      toml_.fail(node != nullptr ? *node : static_cast<const toml::node&>(table),
                 std::string(key) + " has shape " + shape_text(shape),
                 "it must be " + names + " = (" + expected + ")" +
                     (turned ? "; if it is transposed, say so: transpose = true, --readout-linear" : ""));
    };
    const auto read = [&](const char* key, std::optional<ExactArray>& to,
                          const std::vector<std::size_t>& form, const std::string& names) {
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
    if (given && !weights.readout && m != layer.output_dim)
      toml_.fail(table,
                 "the layer puts out " + std::to_string(m) +
                     " numbers, but [layer] says output_dim = " + std::to_string(layer.output_dim),
                 from_layout || weights.output
                     ? "give a readout (m, d_out), or output_dim = " + std::to_string(m)
                     : "give output (H, d_v, m), a readout (m, d_out), or output_dim = " + std::to_string(m));
  }

  // [[claim]]

  std::vector<const toml::table*> claim_tables() const {
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

  const ClaimSpec* find_statement(const std::string& name) const {
    for (const ClaimSpec& spec : specs_) {
      if (name == spec.name) return &spec;
    }
    return nullptr;
  }

  /// Statement, expectation and keys of one claim; that the case has the parts it needs.
  Claim read_statement(const toml::table& table) const {
    std::vector<std::string> known;
    for (const ClaimSpec& spec : specs_) known.push_back(spec.name);
    const toml::node* const node = table.get("statement");
    if (node == nullptr) {
      toml_.fail(table, "the claim has no key \"statement\"", "the statements are " + joined(known));
    }
    Claim claim;
    claim.index = case_.claims.size();
    claim.place = TomlFile::place(table);
    claim.statement = toml_.text(*node, "statement");
    claim.spec = find_statement(claim.statement);
    if (claim.spec == nullptr) {
      const std::string guess = nearest(claim.statement, known);
      toml_.fail(*node, "unknown statement " + in_quotes(claim.statement),
                 (guess.empty() ? "" : "did you mean " + in_quotes(guess) + "? ") + "the statements are " +
                     joined(known));
    }
    std::vector<std::string> keys = {"statement", "expect"}, required;
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
    require_parts(table, *claim.spec);
    return claim;
  }

  void read_expectation(const toml::node& node, Claim& claim) const {
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

  void require_parts(const toml::table& table, const ClaimSpec& spec) const {
    if (spec.needs_part("layer") && !case_.layer) {
      toml_.fail(table, spec.name + " needs [layer]",
                 "give heads, context, embed_dim, head_dim and examples there");
    }
    const auto data = toml_.root()["data"];
    for (const std::string part : {"contexts", "queries", "labels"}) {
      const bool given =
          toml_.root().contains("data") &&
          (!data.is_table() || data[part] || data["generate"] || (part == "contexts" && data["hidden"]) ||
           (part == "queries" && (projected() ? spec.needs_part("weights") : bool(data["hidden"]))));
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

  /// Only statements that say so are about contexts of different lengths.
  void require_contexts_of_one_length(const toml::table& table, const ClaimSpec& spec) const {
    if (!case_.data.members || spec.needs_part("ragged") || (spec.needs.empty() && spec.few_sizes.empty()))
      return;
    const Members& members = *case_.data.members;
    std::size_t least = ~std::size_t{0}, most = 0;
    for (std::size_t t = 0; t + 1 < members.starts.size(); ++t) {
      const std::size_t size = members.starts[t + 1] - members.starts[t];
      least = std::min(least, size);
      most = std::max(most, size);
    }
    toml_.fail(
        table,
        spec.name + " is about contexts of n tokens each that share none; here they " +
            (least == most ? "share tokens, or some of them are masked"
                           : "have " + std::to_string(least) + " to " + std::to_string(most) + " tokens"),
        "give contexts (T, n, d) or (n, d) without a mask");
  }

  void read_claim(const toml::table& table, Claim& claim) {
    const toml::node* number = nullptr;  // the one of a group of which a claim has at most one
    for (const ArgumentSpec& argument : claim.spec->arguments) {
      const toml::node* const node = table.get(argument.key);
      if (node == nullptr) {
        if (argument.type == ArgumentSpec::Type::word)
          claim.arguments.emplace(argument.key, words_of(argument).front());
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
      claim.arguments.emplace(argument.key, read_argument(*node, argument, claim));
    }
    require_alternatives(table, claim);
    if (claim.spec->few_sizes == "without data") require_network_data(table, claim);
  }

  /// Classes, or an accuracy that refers to the labels.
  void require_alternatives(const toml::table& table, const Claim& claim) const {
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

  /// A class for each example.
  ExactArray read_classes(const toml::node& node, const std::string& key) {
    ExactArray array = arrays_.read(node, key, {shape({"examples"})});
    const std::size_t classes = std::max<std::size_t>(2, case_.layer->output_dim);
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

  ArgumentValue read_argument(const toml::node& node, const ArgumentSpec& argument, const Claim& claim) {
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
        return toml_.boolean(node, key);
      case Type::word: {
        const std::vector<std::string> words = words_of(argument);
        const std::string word = toml_.text(node, key);
        if (std::find(words.begin(), words.end(), word) == words.end())
          toml_.fail(node, key + " is " + in_quotes(word), "it must be " + joined(words, "or"));
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
      case Type::classes:
        return read_classes(node, key);
    }
    throw std::logic_error("an argument without a type");
  }

  static std::vector<std::string> words_of(const ArgumentSpec& argument) {
    std::istringstream in(argument.detail);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
  }

  /// A matrix with the rows and columns that its specification says.
  ExactArray read_matrix(const toml::node& node, const ArgumentSpec& argument, const Claim& claim) {
    ExactArray array = arrays_.read_any(node, argument.key);
    if (array.shape().size() != 2) {
      toml_.fail(node, argument.key + " has shape " + shape_text(array.shape()),
                 "it must be a matrix, an array of rows");
    }
    const std::vector<std::string> like = words_of(argument);
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

  /// A statement with a data set of its own takes the case's or makes it, [I_n 0].
  void require_network_data(const toml::table& table, const Claim& claim) const {
    const bool data = toml_.root().contains("data");
    if (claim.has("labels") && claim.word("labels") == "given" && !case_.data.labels) {
      toml_.fail(table, "labels = \"given\" needs the labels of [data]", "give labels, or generate");
    }
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

  std::size_t read_example(const toml::node& item, const std::string& name) const {
    const std::int64_t value = toml_.integer(item, name);
    if (value < 0 || static_cast<std::uint64_t>(value) >= case_.layer->examples) {
      toml_.fail(item, "there is no example " + std::to_string(value),
                 "the examples are 0 to " + std::to_string(case_.layer->examples - 1));
    }
    return static_cast<std::size_t>(value);
  }

  std::vector<std::size_t> read_subset(const toml::node& node) const {
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

  void check_coefficients(const toml::node& node, const ExactArray& array) const {
    const std::size_t rows = array.shape()[0], columns = array.shape()[1];
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

  TomlFile toml_;
  CaseArrays arrays_;
  const std::vector<ClaimSpec>& specs_;
  Case case_;

  // How the given arrays of tokens became those of the case. Empty when they are the same.
  std::size_t sequences_ = 0;                  ///< S of the hidden vectors
  std::vector<std::size_t> own_rows_;          ///< of hidden: the row of each example
  std::vector<std::size_t> own_tokens_;        ///< the same as rows of the contexts
  std::vector<std::size_t> kept_;              ///< rows of the given array, by rows of the contexts
  std::vector<std::uint32_t> source_columns_;  ///< place within its context or sequence of each token
  bool contexts_shared_ = false;               ///< contexts were given as (n, d)
};

}  // namespace

std::size_t Case::tokens(std::size_t t) const {
  return data.members ? data.members->starts[t + 1] - data.members->starts[t] : layer->context;
}

std::size_t Case::token_row(std::size_t t, std::size_t i) const {
  if (data.members) return data.members->rows[data.members->starts[t] + i];
  return (data.shared_context ? 0 : t * layer->context) + i;
}

std::size_t Case::key_row(std::size_t t, std::size_t i) const {
  const std::size_t tokens = data.contexts->size() / layer->embed_dim;
  if (weights->projected_keys->shape()[0] == tokens) return token_row(t, i);
  return (data.members ? data.members->starts[t] : t * layer->context) + i;
}

Case read_case(const std::filesystem::path& file, const std::vector<ClaimSpec>& specs,
               const ReadOptions& options) {
  return CaseReader(file, specs, options).read();
}

}  // namespace attest
