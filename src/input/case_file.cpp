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
    if (const toml::node* const weights = root.get("weights")) read_weights(*weights);
    for (std::size_t i = 0; i < claims.size(); ++i) read_claim(*claims[i], case_.claims[i]);
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
    const mpz_class columns = mpz_class(layer.heads) * layer.examples;
    arrays_.budget().add(toml_, node, columns * layer.embed_dim * 8 + columns * layer.context * 8,
                         "Z (T x Hd) and its coefficients (T x H x n)");
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
    toml_.require_known_keys(table, "[data]", {"contexts", "queries", "labels", "generate", "mixed"});
    read_arrays_of_data(table);
    if (const toml::node* const mixed = table.get("mixed");
        mixed != nullptr && toml_.boolean(*mixed, "mixed")) {
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
      refuse_beside_generate(table, {"contexts", "queries", "labels"});
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
      data.shared_context = data.contexts->shape().size() == 2;
    }
    if (const toml::node* const given = table.get("queries"))
      data.queries = arrays_.read(*given, "queries", {queries});
    if (const toml::node* const given = table.get("labels")) {
      std::vector<Shape> shapes = {labels};
      if (case_.layer->output_dim == 1) shapes.push_back(shape({"examples"}));  // one label per example
      ExactArray array = arrays_.read(*given, "labels", shapes);
      data.labels = std::move(array).reshaped(extents(labels));
    }
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
    toml_.require_known_keys(table, "[weights]",
                             {"key", "query", "combined", "generate", "key_bias", "query_bias", "logit_scale",
                              "layout", "file", "prefix"});
    const toml::node* const layout = table.get("layout");
    const toml::node* const generate = table.get("generate");
    const toml::node* const combined = table.get("combined");
    const toml::node* const key = table.get("key");
    const toml::node* const query = table.get("query");
    const std::string forms = "give key and query, combined, generate, or layout and file";
    for (const char* const beside : {"key", "query", "combined", "generate", "key_bias", "query_bias"}) {
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
      weights = arrays_.read_layout(table, {layer.heads, layer.embed_dim, layer.head_dim});
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
    const bool scale_in_layer = toml_.root()["layer"].as_table()->contains("logit_scale");
    if (const toml::node* const scale = table.get("logit_scale")) {
      if (scale_in_layer)
        toml_.fail(*scale, "logit_scale is given in [layer] and in [weights]", "give it once");
      read_logit_scale(*scale);
    } else if (layout != nullptr && !scale_in_layer && !find_layout(toml_.text(*layout, "layout"))->stacked) {
      case_.layer->logit_scale = inverse_root(case_.layer->head_dim);
    }
    case_.weights = std::move(weights);
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
    for (const char* const part : {"contexts", "queries", "labels"}) {
      const bool given =
          toml_.root().contains("data") && (!data.is_table() || data[part] || data["generate"]);
      if (spec.needs_part(part) && !given) {
        toml_.fail(table, spec.name + " needs the " + part + " of [data]",
                   std::string("give ") + part + ", or generate");
      }
    }
    if (spec.needs_part("weights") && !toml_.root().contains("weights")) {
      toml_.fail(table, spec.name + " needs [weights]",
                 "give key and query, combined, generate, or layout and file");
    }
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
    if (claim.spec->few_sizes == "without data") require_network_data(table, claim);
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
};

}  // namespace

Case read_case(const std::filesystem::path& file, const std::vector<ClaimSpec>& specs,
               const ReadOptions& options) {
  return CaseReader(file, specs, options).read();
}

}  // namespace attest
