#include "farm/explore/sweep.hpp"

#include <fcntl.h>

#include <algorithm>
#include <set>

#include "base/regular_file.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "readers/array_files.hpp"
#include "readers/toml_file.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostCells = 5'000'000;
// Tokens and their entries are part of a cell's seed (docs/explore.md), one byte each.
constexpr std::int64_t kMostTokens = 255, kMostOfASize = 1 << 20, kMostSeed = (std::int64_t{1} << 31) - 1;

constexpr std::int64_t kMostLayers = 4;  // for more there are no nested characters (docs/mathematics.md)

const std::vector<std::string> kAxes = {"family",   "contexts", "context", "embed_dim", "heads",
                                        "head_dim", "examples", "base",    "seed"},
                               kStackAxes = {"layers", "residual", "context",   "embed_dim",
                                             "heads",  "head_dim", "sequences", "seed"};

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const Family& family : families()) names.emplace_back(family.name);
  return names;
}

class Reader {
public:
  Reader(const fs::path& file, const ReadOptions& options)
      : file_(file), options_(options), toml_(file, options.memory_limit) {}

  Sweep read() {
    const toml::table& root = toml_.root();
    toml_.require_known_keys(root, "the sweep",
                             {"format", "title", "trained", "functional_dimension", "grid", "stack"});
    const toml::node* format = root.get("format");
    if (format == nullptr || toml_.integer(*format, "format") != 1)
      throw InputError(toml_.name(), "", "the format is missing or not 1", "format = 1");
    if (const toml::node* title = root.get("title")) sweep_.title = toml_.text(*title, "title");
    sweep_.digest = sha256_hex(toml_.bytes());
    if (const toml::node* trained = root.get("trained")) read_trained(*trained);
    if (const toml::node* functional = root.get("functional_dimension"))
      sweep_.functional_dimension = toml_.boolean(*functional, "functional_dimension");
    const toml::node *grids = root.get("grid"), *stacks = root.get("stack");
    sweep_.stacks = grids == nullptr && stacks != nullptr;
    if (stacks != nullptr && (grids != nullptr || sweep_.trained || sweep_.functional_dimension))
      toml_.fail(*stacks, "a sweep of stacks has no other grids, no trained layer and one dimension only",
                 "[[stack]] alone");
    const toml::node* all = sweep_.stacks ? stacks : grids;
    if (all == nullptr || !all->is_array_of_tables())
      throw InputError(toml_.name(), "", "there is no grid", "at least one [[grid]] or [[stack]]");
    for (const toml::node& grid : *all->as_array())
      if (sweep_.stacks)
        add_stacks(*grid.as_table());
      else
        add(*grid.as_table());
    return std::move(sweep_);
  }

private:
  // The values of a key: one, or an array of them, each once.
  template <typename Value, typename Read>
  std::vector<Value> values(const toml::table& grid, const std::string& key, const Read& read) {
    const toml::node* node = grid.get(key);
    if (node == nullptr)
      toml_.fail(grid, "the grid has no " + key, key + " = a value, or an array of values");
    std::vector<Value> found;
    const auto take = [&](const toml::node& value) {
      found.push_back(read(value));
      if (std::count(found.begin(), found.end(), found.back()) > 1)
        toml_.fail(value, key + " has a value twice", "each value once");
    };
    if (const toml::array* array = node->as_array())
      for (const toml::node& value : *array) take(value);
    else
      take(*node);
    if (found.empty()) toml_.fail(*node, key + " has no value", "at least one");
    return found;
  }
  std::vector<std::size_t> sizes(const toml::table& grid, const std::string& key, std::int64_t most,
                                 std::int64_t least = 1) {
    return values<std::size_t>(grid, key, [&](const toml::node& node) {
      const std::int64_t value = toml_.integer(node, key);
      if (value < least || value > most)
        toml_.fail(node, key + " is " + std::to_string(value),
                   "a number from " + std::to_string(least) + " to " + std::to_string(most));
      return static_cast<std::size_t>(value);
    });
  }
  std::vector<std::string> words(const toml::table& grid, const std::string& key,
                                 const std::vector<std::string>& known) {
    return values<std::string>(grid, key, [&](const toml::node& node) {
      std::string word = toml_.text(node, key);
      if (std::find(known.begin(), known.end(), word) == known.end()) {
        const std::string near = nearest(word, known);
        toml_.fail(
            node,
            "unknown " + key + " " + in_quotes(word) + (near.empty() ? "" : "; did you mean " + near + "?"),
            joined(known, "or"));
      }
      return word;
    });
  }

  void add(const toml::table& grid) {
    toml_.require_known_keys(grid, "[[grid]]", kAxes);
    const auto kinds = words(grid, "family", family_names());
    const auto contexts = words(grid, "contexts", {"shared", "fresh"});
    const auto n = sizes(grid, "context", kMostTokens), d = sizes(grid, "embed_dim", kMostTokens),
               H = sizes(grid, "heads", kMostOfASize), d_h = sizes(grid, "head_dim", kMostOfASize),
               T = sizes(grid, "examples", kMostOfASize);
    const auto bases = words(grid, "base", {"e", "2"});
    const auto seeds = sizes(grid, "seed", kMostSeed, 0);
    require_room(grid, {kinds.size(), contexts.size(), n.size(), d.size(), H.size(), d_h.size(), T.size(),
                        bases.size(), seeds.size()});
    for (const std::string& kind : kinds)
      for (const std::string& context : contexts)
        for (const std::string& base : bases)
          for (const std::size_t seed : seeds)
            for (const std::size_t n_ : n)
              for (const std::size_t d_ : d)
                for (const std::size_t T_ : T)
                  for (const std::size_t H_ : H)
                    for (const std::size_t k : d_h)
                      add(grid, {kind, context == "fresh", n_, d_, H_, k, T_,
                                 base == "e" ? Base::e : Base::two, seed, 0, false});
  }
  void require_room(const toml::table& grid, std::initializer_list<std::size_t> extents) const {
    double product = 1;
    for (const std::size_t extent : extents) product *= static_cast<double>(extent);
    if (static_cast<double>(sweep_.cells.size()) + product > static_cast<double>(kMostCells))
      toml_.fail_limit(grid, "the sweep has more than " + std::to_string(kMostCells) + " cells");
  }
  void add_stacks(const toml::table& grid) {
    toml_.require_known_keys(grid, "[[stack]]", kStackAxes);
    const auto layers = sizes(grid, "layers", kMostLayers), n = sizes(grid, "context", kMostTokens, 2),
               d = sizes(grid, "embed_dim", kMostTokens), H = sizes(grid, "heads", kMostOfASize),
               d_h = sizes(grid, "head_dim", kMostOfASize), S = sizes(grid, "sequences", kMostOfASize),
               seeds = sizes(grid, "seed", kMostSeed, 0);
    const auto residual = values<bool>(
        grid, "residual", [&](const toml::node& node) { return toml_.boolean(node, "residual"); });
    require_room(grid, {layers.size(), n.size(), d.size(), H.size(), d_h.size(), S.size(), seeds.size(),
                        residual.size()});
    for (const std::size_t seed : seeds)
      for (const std::size_t n_ : n)
        for (const std::size_t S_ : S)
          for (const std::size_t H_ : H)
            for (const bool residual_ : residual)
              for (const std::size_t L : layers)
                for (const std::size_t d_ : d)
                  for (const std::size_t k : d_h)
                    // The last layer has a read-out and no residual connection, also where it is the first.
                    add(grid, {"stack", true, n_, d_, H_, k, S_, Base::e, seed, L, residual_ && L > 1});
  }
  void add(const toml::table& grid, Cell cell) {
    if (cell.family == "trained") require_trained(grid, cell);
    if (names_.insert(cell.name()).second) sweep_.cells.push_back(std::move(cell));
  }
  void require_trained(const toml::table& grid, const Cell& cell) {
    if (!sweep_.trained)
      toml_.fail(grid, "the family trained needs a trained layer",
                 "trained = \"FILE.safetensors\" above the grids");
    if (cell.fresh)
      toml_.fail(grid, "the trained layer has one context for all examples", "contexts = \"shared\"");
    const TrainedLayer& layer = *sweep_.trained;
    const auto within = [&](const char* key, std::size_t wanted, std::size_t has) {
      if (wanted > has)
        toml_.fail(grid,
                   std::string(key) + " = " + std::to_string(wanted) + ", but the trained layer has " +
                       std::to_string(has),
                   "a smaller " + std::string(key));
    };
    within("context", cell.n, layer.contexts.shape()[0]);
    within("embed_dim", cell.d, layer.contexts.shape()[1]);
    within("examples", cell.T, layer.queries.shape()[0]);
    within("heads", cell.H, layer.key.shape()[0]);
    within("head_dim", cell.d_h, layer.key.shape()[2]);
  }

  void read_trained(const toml::node& node) {
    const std::string name = toml_.text(node, "trained");
    const fs::path folder = fs::weakly_canonical(fs::absolute(file_)).parent_path();
    try {
      RegularFile in(AT_FDCWD, folder / name);
      const fs::path inside = in.path().lexically_relative(folder);
      if (!options_.allow_outside && (inside.empty() || *inside.begin() == ".."))
        toml_.fail(node, in_quotes(name) + " lies outside the folder of the sweep",
                   "a file below it, or --allow-outside");
      if (in.size() > options_.memory_limit / 2) toml_.fail_limit(node, "the trained layer is too large");
      const FileBytes bytes = in.read();
      sweep_.trained_digest = sha256_hex(bytes.view());
      const ArrayFile layer_file(ArrayFormat::safetensors, bytes.view(), name);
      const auto tensor = [&](const char* which, std::size_t dimensions) {
        ExactArray array = layer_file.read(which, [](std::uint64_t) {});
        if (array.shape().size() != dimensions)
          toml_.fail(node, std::string("tensor ") + which + " has shape " + shape_text(array.shape()),
                     std::to_string(dimensions) + " dimensions");
        return array;
      };
      TrainedLayer layer{tensor("contexts", 2), tensor("queries", 2), tensor("key", 3), tensor("query", 3)};
      const std::size_t d = layer.contexts.shape()[1];
      if (layer.queries.shape()[1] != d || layer.key.shape()[1] != d ||
          layer.query.shape() != layer.key.shape())
        toml_.fail(node, "the tensors of the trained layer do not fit together",
                   "contexts (n, d), queries (T, d), key and query (H, d, d_h)");
      sweep_.trained = std::move(layer);
    } catch (const FileError& e) {
      toml_.fail(node, in_quotes(name) + " cannot be read: " + e.what(), "a readable file");
    }
  }

  const fs::path file_;
  const ReadOptions options_;
  TomlFile toml_;
  Sweep sweep_;
  std::set<std::string> names_;
};

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"general-position", "tokens and queries with random integer entries"},
      {"opposite-pairs", "queries q, -q, q', -q', ...; random tokens"},
      {"vocabulary", "tokens and queries from a vocabulary of n + 2 random vectors"},
      {"affine-bag", "tokens and queries whose entries sum to 1"},
      {"moment-curve", "tokens and queries (1, x, x^2, ..., x^(d-1)), x an integer"},
      {"near-duplicate", "examples in pairs whose queries differ by 2^-20 in one entry"},
      {"one-hot", "tokens and queries that are unit vectors"},
      {"translates", "contexts that are translates of one"},
      {"trained", "a corner of a trained layer"}};
  return all;
}

std::string Cell::name() const {
  const auto number = [](const char* symbol, std::size_t value) {
    return std::string(symbol) + std::to_string(value);
  };
  if (layers > 0)
    return family + (residual ? "-residual" : "") + number("-L", layers) + number("-n", n) + number("-d", d) +
           number("-H", H) + number("-k", d_h) + number("-S", T) + number("-s", seed);
  return family + (fresh ? "-fresh" : "-shared") + number("-n", n) + number("-d", d) + number("-H", H) +
         number("-k", d_h) + number("-T", T) + (base == Base::e ? "-e" : "-2") + number("-s", seed);
}

std::vector<CellWeights> Sweep::cases() const {
  if (stacks) return {CellWeights::any};
  std::vector<CellWeights> all = {CellWeights::random, CellWeights::trained};
  if (functional_dimension) all.push_back(CellWeights::any);
  return all;
}

Sweep read_sweep(const fs::path& file, const ReadOptions& options) {
  return Reader(file, options).read();
}

}  // namespace attest
