#include "readers/case_arrays.hpp"

#include <fcntl.h>

#include <algorithm>

#include "base/hints.hpp"
#include "base/linux.hpp"
#include "base/meter.hpp"
#include "base/text.hpp"
#include "readers/array_files.hpp"
#include "readers/numerals.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

/// Collects the leaves of nested arrays in row-major order.
class Rows {
public:
  Rows(const TomlFile& toml, std::string name) : toml_(toml), name_(std::move(name)) {}

  void read(const toml::array& array) {
    for (const toml::array* row = &array;;) {
      if (row->empty()) {
        toml_.fail(*row, name_ + " has an empty array",
                   "give at least one entry; leave out arrays that are not needed");
      }
      if (shape.size() == 8)
        toml_.fail(*row, name_ + " is nested too deeply", "arrays have at most 8 dimensions");
      shape.push_back(row->size());
      if (!row->front().is_array()) break;
      row = row->front().as_array();
    }
    collect(array);
  }

  std::vector<std::size_t> shape;
  std::vector<const toml::node*> leaves;

private:
  void collect(const toml::array& row) {
    const std::size_t level = path_.size();
    if (row.size() != shape[level]) {
      toml_.fail(row, name_ + " is ragged: " + here() + " has " + count(row.size()),
                 "it must have " + count(shape[level]) + ", as the rows before it");
    }
    const bool last = level + 1 == shape.size();
    for (std::size_t i = 0; i < row.size(); ++i) {
      const toml::node& entry = row[i];
      path_.push_back(i);
      if (!last && !entry.is_array()) {
        toml_.wrong_type(entry, name_ + " is ragged: " + here(), "an array of " + count(shape[level + 1]));
      }
      if (last && entry.is_array()) toml_.wrong_type(entry, name_ + " is ragged: " + here(), "a number");
      if (last) {
        leaves.push_back(&entry);
      } else {
        collect(*entry.as_array());
      }
      path_.pop_back();
    }
  }
  std::string here() const { return path_.empty() ? "it" : "row " + index_text(path_); }
  static std::string count(std::size_t entries) {
    return std::to_string(entries) + (entries == 1 ? " entry" : " entries");
  }

  const TomlFile& toml_;
  std::string name_;
  std::vector<std::size_t> path_;
};

/// The [layer] keys (each once) of the extents that differ, or of all when the number of dimensions does.
std::string disagreement(const std::vector<std::size_t>& found, const std::vector<Shape>& expected) {
  // With several shapes to choose from, that with as many dimensions is meant.
  const Shape* meant = &expected.front();
  for (const Shape& shape : expected) {
    if (shape.size() == found.size()) meant = &shape;
  }
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < meant->size(); ++k) {
    const Extent& extent = (*meant)[k];
    if (meant->size() == found.size() && found[k] == extent.value) continue;
    parts.push_back(extent.key + " = " + std::to_string(extent.value));
  }
  return joined(parts);
}

/// The same array, whose copies share the entries, unless these are rationals.
ExactArray shared(ExactArray array) {
  if (std::holds_alternative<std::vector<mpq_class>>(array.storage())) return array;
  const auto kept = std::make_shared<const ExactArray>(std::move(array));
  const ExactArray view = kept->view();
  return ExactArray(view.shape(), view.storage(), kept);
}

}  // namespace

void MemoryBudget::add(const TomlFile& toml, const toml::node& node, const mpz_class& bytes,
                       const std::string& what) {
  used_ += bytes;
  if (used_ <= limit_) return;
  toml.fail_limit(node, "with " + what + " the case needs about " + used_.get_str() +
                            " bytes of memory; the limit is " + limit_.get_str() + " bytes");
}

std::vector<std::size_t> extents(const Shape& shape) {
  std::vector<std::size_t> out;
  for (const Extent& extent : shape) out.push_back(extent.value);
  return out;
}

CaseArrays::CaseArrays(const TomlFile& toml, const fs::path& file, const ReadOptions& options)
    : toml_(toml),
      shown_folder_(file.parent_path()),
      folder_(::open(file.has_parent_path() ? file.parent_path().c_str() : ".",
                     O_PATH | O_DIRECTORY | O_CLOEXEC)),
      options_(options),
      budget_(options.memory_limit) {}

ExactArray CaseArrays::read_any(const toml::node& node, const std::string& name) {
  if (node.is_array()) return read_inline(*node.as_array(), name);
  if (node.is_table()) return read_file(*node.as_table(), name);
  toml_.wrong_type(node, name, "an array, or a table like { file = \"x.npy\" }");
}

ExactArray CaseArrays::read(const toml::node& node, const std::string& name,
                            const std::vector<Shape>& expected, const std::string& source) {
  ExactArray array = read_any(node, name);
  for (const Shape& shape : expected) {
    if (array.shape() == extents(shape)) return array;
  }
  std::vector<std::string> shapes;
  for (const Shape& shape : expected) shapes.push_back(shape_text(extents(shape)));
  toml_.fail(node, name + " has shape " + shape_text(array.shape()) + ", but " + source + " says " +
                       disagreement(array.shape(), expected) + ": expected " + joined(shapes, "or"));
}

ExactArray CaseArrays::read_inline(const toml::array& array, const std::string& name) {
  Rows rows(toml_, name);
  rows.read(array);
  const auto entry_name = [&](std::size_t flat) { return name + index_text(unflatten(flat, rows.shape)); };

  bool integers = true;
  for (const toml::node* leaf : rows.leaves) integers = integers && leaf->is_integer();
  if (integers) {
    budget_.add(toml_, array, mpz_class(sizeof(std::int64_t)) * rows.leaves.size(), name);
    std::vector<std::int64_t> entries;
    entries.reserve(rows.leaves.size());
    for (const toml::node* leaf : rows.leaves) entries.push_back(leaf->as_integer()->get());
    return ExactArray(rows.shape, std::move(entries));
  }
  std::vector<mpq_class> entries;
  entries.reserve(rows.leaves.size());
  for (std::size_t i = 0; i < rows.leaves.size(); ++i) {
    const toml::node& leaf = *rows.leaves[i];
    // The name is only made when it is needed: it costs more than most numbers.
    const bool plain = leaf.is_integer() || leaf.is_string();
    try {
      entries.push_back(toml_.number(leaf, plain ? "" : entry_name(i)));
    } catch (const InputError&) {
      toml_.number(leaf, entry_name(i));
      throw;
    }
    budget_.add(toml_, leaf, rational_bytes(entries.back()), name);
  }
  return ExactArray(rows.shape, std::move(entries));
}

/// An array file, whose content and header are read when it is first named. It must lie below the case's
/// folder; that is decided on the open file, not on its name, so that neither links nor dots can lead
/// elsewhere.
std::pair<std::string, ArrayFile> CaseArrays::open(const toml::node& node, const std::string& written,
                                                   const std::string& name) {
  if (is_in_memory(written)) return {written, ArrayFile::in_memory(written, written)};
  const fs::path path(written);
  const std::string below = "array files lie below the folder of the case (or give --allow-outside)";
  const auto leaves = [](const fs::path& p) { return p.empty() || p.is_absolute() || *p.begin() == ".."; };
  if (!options_.allow_outside && path.is_absolute())
    toml_.fail(node, "the file name " + in_quotes(written) + " is an absolute path", below);
  if (!options_.allow_outside && leaves(path.lexically_normal()))
    toml_.fail(node, "the file " + in_quotes(written) + " is outside the case's folder", below);
  try {
    RegularFile file(folder_.number(), path);
    const fs::path home = system::file_of(folder_.number()), found = system::file_of(file.descriptor());
    if (home.empty() || found.empty())
      toml_.fail(node, "where the file " + in_quotes(written) + " lies cannot be found out: /proc is needed");
    const fs::path relative = found.lexically_relative(home);
    if (!options_.allow_outside && leaves(relative)) {
      toml_.fail(
          node, "the file " + in_quotes(written) + " leads outside the case's folder through a symbolic link",
          below);
    }
    const auto [device, number] = file.identity();
    const std::string key = std::to_string(device) + ":" + std::to_string(number);
    if (const auto known = files_.find(key); known != files_.end()) return *known;
    const ArrayFormat format = *array_format(written);
    const std::string shown = (shown_folder_ / written).string();
    const bool large = file.size() > options_.memory_limit / (options_.map_copies ? 4 : 64);
    if (!large) budget_.add(toml_, node, file.size(), "the file of " + name);
    // What its header or its size tell is found out before it is copied.
    if (large && options_.map_copies) ArrayFile(format, map_file(file).view(), shown);
    if (!large || options_.map_copies) meter().work(file.size() / 8);
    const FileBytes bytes = !large ? file.read() : options_.map_copies ? map_copy(file) : map_file(file);
    return *files_.emplace(key, ArrayFile(format, bytes.view(), shown, bytes.owner())).first;
  } catch (const FileError& error) {
    toml_.fail(node, "the file " + in_quotes(written) + " cannot be read: " + error.what(),
               "name a regular file, relative to the folder of the case");
  }
}

ExactArray CaseArrays::read_file(const toml::table& table, const std::string& name) {
  toml_.require_known_keys(table, "the table of " + name, {"file", "tensor", "transpose"});
  const toml::node* const file = table.get("file");
  const toml::node* const tensor = table.get("tensor");
  const toml::node* const transpose = table.get("transpose");
  if (file == nullptr) {
    toml_.fail(table, name + " has no key \"file\"",
               "write { file = \"x.npy\" } or { file = \"x.safetensors\", tensor = \"y\" }");
  }
  const std::string written = toml_.text(*file, "file");
  const auto format = array_format(written);
  if (!format) {
    const auto [wrong, right] = format_defect(written, folder_.number());
    toml_.fail(*file, wrong, right);
  }
  const bool single = format == ArrayFormat::npy;
  if (single && tensor != nullptr)
    toml_.fail(*tensor, "a .npy file holds one array and has no tensor names", "leave out \"tensor\"");
  if (!single && tensor == nullptr) {
    toml_.fail(table, "the file " + in_quotes(written) + " holds several arrays, and none is named",
               "write { file = " + in_quotes(written) + ", tensor = \"NAME\" }");
  }
  const std::string tensor_name = single ? "" : toml_.text(*tensor, "tensor");
  const auto [key, source] = open(*file, written, name);
  const auto known = arrays_.find({key, tensor_name});
  ExactArray array = known != arrays_.end() ? known->second : ExactArray();
  if (known == arrays_.end()) {
    mpz_class reserved = 0;
    array = source.read(tensor_name, [&](std::uint64_t more) {
      budget_.add(toml_, table, more, name);
      reserved += more;
    });
    if (reserved != 0) budget_.release(reserved - array.bytes());
    array = arrays_.emplace(std::pair(key, tensor_name), shared(std::move(array))).first->second;
  }
  if (transpose != nullptr && toml_.boolean(*transpose, "transpose")) {
    if (array.shape().size() != 2)
      toml_.fail(*transpose,
                 name + " has shape " + shape_text(array.shape()) + ", and only matrices are transposed",
                 "leave out \"transpose\"");
    budget_.add(toml_, table, array.bytes(), name);
    array = transposed(array);
  }
  return array;
}

Weights CaseArrays::read_layout(const toml::table& table, WeightSizes sizes, bool whole) {
  const toml::node& name = *table.get("layout");
  const std::string layout_name = toml_.text(name, "layout");
  const WeightLayout* const layout = find_layout(layout_name);
  if (layout == nullptr) {
    const auto [wrong, right] = layout_defect(layout_name);
    toml_.fail(name, wrong, right);
  }
  const toml::node* const file = table.get("file");
  if (file == nullptr) {
    toml_.fail(name, "layout is given without \"file\"", "add file = \"x.safetensors\" or file = \"x.npz\"");
  }
  const std::string written = toml_.text(*file, "file");
  if (const auto defect = layout_file_defect(written, folder_.number()))
    toml_.fail(*file, defect->first, defect->second);
  const toml::node* const prefix = table.get("prefix");
  const std::string prefix_text = prefix == nullptr ? "" : toml_.text(*prefix, "prefix");

  const auto [key, source] = open(*file, written, "weights");
  mpz_class reserved = 0;
  TensorFile tensors;
  tensors.shown = is_in_memory(written) ? written : (shown_folder_ / written).string();
  tensors.names = source.names();
  tensors.reserve = [&](std::uint64_t more) {
    budget_.add(toml_, *file, more, "weights");
    reserved += more;
  };
  tensors.read = [&, &archive = source](const std::string& tensor) {
    return archive.read(tensor, tensors.reserve);
  };
  Weights weights = attest::read_layout(*layout, prefix_text, tensors, sizes, whole);
  // What stays are the arrays as the layer uses them.
  for (const auto* const array :
       {&weights.key, &weights.query, &weights.key_bias, &weights.query_bias, &weights.value,
        &weights.value_bias, &weights.output, &weights.output_bias}) {
    if (*array) reserved -= (*array)->bytes();
  }
  budget_.release(reserved);
  return weights;
}

Generator CaseArrays::read_generator(const toml::node& node, const std::string& where,
                                     bool* shared_context) const {
  const toml::table& table =
      toml_.table(node, where, "a table like { kind = \"integers\", bound = 9, seed = 1 }");
  std::vector<std::string> keys = {"kind", "bound", "denominator", "scale", "seed"};
  if (shared_context != nullptr) keys.push_back("shared_context");
  toml_.require_known_keys(table, where, keys);

  Generator generator;
  const toml::node* const kind_node = table.get("kind");
  const std::vector<std::string> kinds = {"integers", "rationals", "uniform-f64", "normal-f64"};
  if (kind_node == nullptr) {
    toml_.fail(table, where + " has no key \"kind\"", "the kinds are " + joined(kinds));
  }
  const std::string kind = toml_.text(*kind_node, "kind");
  const auto found = std::find(kinds.begin(), kinds.end(), kind);
  if (found == kinds.end()) {
    const std::string guess = nearest(kind, kinds);
    toml_.fail(*kind_node, "unknown kind " + in_quotes(kind),
               guess.empty() ? "the kinds are " + joined(kinds) : "did you mean " + in_quotes(guess) + "?");
  }
  generator.kind = static_cast<Generator::Kind>(found - kinds.begin());

  const auto positive = [&](const char* key, bool wanted) -> std::uint64_t {
    const toml::node* const value = table.get(key);
    if (!wanted && value != nullptr) {
      toml_.fail(*value, "kind \"" + kind + "\" has no " + key, std::string("leave out \"") + key + "\"");
    }
    if (!wanted) return 1;
    if (value == nullptr) {
      toml_.fail(table, where + " has no key \"" + key + "\", which kind \"" + kind + "\" needs",
                 std::string("add ") + key + " = 9, for example");
    }
    const std::int64_t number = toml_.integer(*value, key);
    constexpr std::int64_t kMax = std::int64_t{1} << 62;
    if (number < 1 || number > kMax) {
      toml_.fail(*value, std::string(key) + " is " + std::to_string(number), "it must be between 1 and 2^62");
    }
    return static_cast<std::uint64_t>(number);
  };
  const bool rationals = generator.kind == Generator::Kind::rationals;
  generator.bound = positive("bound", rationals || generator.kind == Generator::Kind::integers);
  generator.denominator = positive("denominator", rationals);
  if (const toml::node* const scale = table.get("scale")) generator.scale = toml_.number(*scale, "scale");

  const toml::node* const seed = table.get("seed");
  if (seed == nullptr) {
    toml_.fail(table, where + " has no key \"seed\"",
               "add seed = 1, for example; nothing is random without a seed");
  }
  const std::int64_t seed_value = toml_.integer(*seed, "seed");
  if (seed_value < 0) toml_.fail(*seed, "seed is " + std::to_string(seed_value), "it must not be negative");
  generator.seed = static_cast<std::uint64_t>(seed_value);
  if (shared_context != nullptr) {
    const toml::node* const shared = table.get("shared_context");
    *shared_context = shared != nullptr && toml_.boolean(*shared, "shared_context");
  }
  return generator;
}

ExactArray CaseArrays::draw(const toml::node& node, const std::string& name, const Generator& generator,
                            const Shape& shape, std::uint64_t stream) {
  mpz_class count = 1;
  for (const Extent& extent : shape) count *= extent.value;
  const bool floats =
      generator.kind == Generator::Kind::uniform_f64 || generator.kind == Generator::Kind::normal_f64;
  const bool small = generator.scale == 1 && generator.kind != Generator::Kind::rationals;
  // A rational entry: two numbers of one limb or two of its own, and the limbs of the scale.
  const std::size_t entry = small ? sizeof(double) : rational_bytes(generator.scale) + (floats ? 64 : 32);
  budget_.add(toml_, node, count * entry, name);
  return generator.draw(extents(shape), stream);
}

}  // namespace attest
