#include "readers/layouts.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "base/errors.hpp"
#include "base/hints.hpp"
#include "base/text.hpp"

namespace attest {
namespace {

class LayoutReader {
public:
  LayoutReader(const WeightLayout& layout, const std::string& prefix, const TensorFile& file,
               WeightSizes& sizes, bool whole)
      : layout_(layout), prefix_(prefix), file_(file), sizes_(sizes), whole_(whole) {}

  Weights read() {
    for (const char* const tensor : layout_.refused) {
      if (!has(tensor)) continue;
      fail(tensor,
           "this tensor changes the logits after the projection, which key and query weights cannot express",
           "give a layer without it");
    }
    return layout_.stacked ? read_stacked() : read_matrices();
  }

private:
  [[noreturn]] void fail(const char* tensor, const std::string& wrong, const std::string& right) const {
    throw InputError(file_.shown, "tensor " + one_line(full(tensor), 60), wrong, right);
  }

  /// The name in the file of a tensor of the layout.
  std::string full(const std::string& tensor) const {
    if (!tensor.starts_with('^')) return prefix_ + tensor;
    const std::string last = "self.";
    const bool within = prefix_.ends_with(last) && (prefix_ == last || prefix_.ends_with("." + last));
    return prefix_.substr(0, prefix_.size() - (within ? last.size() : 0)) + tensor.substr(1);
  }

  bool has(const std::string& tensor) const {
    return std::binary_search(file_.names.begin(), file_.names.end(), full(tensor));
  }

  ExactArray read_tensor(const char* tensor) const {
    if (!has(tensor)) missing(tensor);
    return file_.read(full(tensor));
  }

  /// Says which prefixes would do, or else which tensors there are.
  [[noreturn]] void missing(const char* tensor) const {
    const auto listed = [](std::vector<std::string> words) {
      constexpr std::size_t kMost = 30;
      const bool more = words.size() > kMost;
      if (more) words.resize(kMost);
      for (std::string& word : words) word = in_quotes(word);
      if (more) words.emplace_back("...");
      return joined(words);
    };
    std::vector<std::string> prefixes;
    const std::string query = layout_.query, key = layout_.key;
    for (const std::string& name : file_.names) {
      if (!name.ends_with(query)) continue;
      const std::string prefix = name.substr(0, name.size() - query.size());
      if (std::binary_search(file_.names.begin(), file_.names.end(), prefix + key))
        prefixes.push_back(prefix);
    }
    std::string right = "the file has no tensors";
    if (!prefixes.empty() && std::find(prefixes.begin(), prefixes.end(), prefix_) == prefixes.end())
      right = "layout " + in_quotes(layout_.name) + " fits the file with the prefix " + listed(prefixes);
    else if (!file_.names.empty())
      right = "layout " + in_quotes(layout_.name) + " needs it; the file has " + listed(file_.names);
    throw InputError(file_.shown, "", "there is no tensor " + in_quotes(full(tensor)), right);
  }

  // Layout heads

  Weights read_stacked() {
    Weights weights;
    weights.key = read_tensor(layout_.key);
    const std::vector<std::size_t> shape = weights.key->shape();
    if (shape.size() != 3) {
      fail(layout_.key, "the shape is " + shape_text(shape), "it must be (H, d, d_h)");
    }
    if (sizes_.heads == 0) sizes_.heads = shape[0];
    if (sizes_.head_dim == 0) sizes_.head_dim = shape[2];
    expect_stacked(layout_.key, *weights.key);
    weights.query = read_tensor(layout_.query);
    expect_stacked(layout_.query, *weights.query);
    if (has(layout_.key_bias)) weights.key_bias = read_bias(layout_.key_bias);
    if (has(layout_.query_bias)) weights.query_bias = read_bias(layout_.query_bias);
    // Their shapes are compared with those of the whole layer when all of it is read.
    for (const auto& [tensor, to] : {std::pair{layout_.value, &weights.value},
                                     {layout_.value_bias, &weights.value_bias},
                                     {layout_.output, &weights.output},
                                     {layout_.output_bias, &weights.output_bias}})
      if (whole_ && has(tensor)) *to = read_tensor(tensor);
    return weights;
  }

  std::string given() const {
    return "heads = " + std::to_string(sizes_.heads) + ", embed_dim = " + std::to_string(sizes_.embed_dim) +
           " and head_dim = " + std::to_string(sizes_.head_dim);
  }

  void expect_stacked(const char* tensor, const ExactArray& array) const {
    const std::vector<std::size_t> expected = {sizes_.heads, sizes_.embed_dim, sizes_.head_dim};
    if (array.shape() == expected) return;
    const std::vector<std::size_t> turned = {sizes_.heads, sizes_.head_dim, sizes_.embed_dim};
    fail(tensor,
         "the shape is " + shape_text(array.shape()) + ", but " + given() + " need " + shape_text(expected),
         array.shape() == turned ? "the matrices are transposed: store d rows and d_h columns for each head"
                                 : "correct the sizes or the file");
  }

  ExactArray read_bias(const char* tensor) const {
    ExactArray bias = read_tensor(tensor);
    const std::vector<std::size_t> expected = {sizes_.heads, sizes_.head_dim};
    if (bias.shape() != expected) {
      fail(tensor,
           "the shape is " + shape_text(bias.shape()) + ", but " + given() + " need " + shape_text(expected),
           "correct the sizes or the file");
    }
    return bias;
  }

  // Layouts of matrices

  std::string outputs_word() const { return layout_.by_input ? " columns" : " rows"; }

  /// The outputs of a matrix; checks that its inputs are d.
  std::size_t outputs(const char* tensor, const ExactArray& matrix) const {
    const std::vector<std::size_t>& shape = matrix.shape();
    const std::string form = layout_.by_input ? "(d, outputs)" : "(outputs, d)";
    if (shape.size() != 2) fail(tensor, "the shape is " + shape_text(shape), "it must be a matrix " + form);
    const std::size_t out = shape[layout_.by_input ? 1 : 0], in = shape[layout_.by_input ? 0 : 1];
    if (in == sizes_.embed_dim) return out;
    const std::string wrong = "the shape is " + shape_text(shape) + ", but layout " +
                              in_quotes(layout_.name) + " stores " + form +
                              " and d (embed_dim) = " + std::to_string(sizes_.embed_dim);
    if (out != sizes_.embed_dim) fail(tensor, wrong, "correct d or the file");
    fail(tensor, wrong,
         "it is transposed: store the transpose" +
             (layout_.fused ? std::string(", or give layout ") +
                                  (layout_.by_input ? "\"torch\"" : "\"gpt2\"") + " with tensors of its names"
                            : std::string()));
  }

  /// Sets the heads and the head dimension from the number of outputs of the queries.
  void cut(const char* tensor, std::size_t width) {
    const std::string found = "it has " + std::to_string(width) + outputs_word() + " for queries";
    const std::string right =
        "give the numbers of heads and of dimensions of a head whose product is " + std::to_string(width);
    const auto quotient = [&](const char* key, std::size_t divisor) {
      if (width % divisor != 0)
        fail(tensor, found + ", which " + key + " = " + std::to_string(divisor) + " does not divide", right);
      return width / divisor;
    };
    if (sizes_.heads == 0 && sizes_.head_dim == 0)
      fail(tensor, found + ", and nothing says how many heads these are", "give heads or head_dim");
    if (sizes_.head_dim == 0) sizes_.head_dim = quotient("heads", sizes_.heads);
    if (sizes_.heads == 0) sizes_.heads = quotient("head_dim", sizes_.head_dim);
    // As a quotient, because the product of given sizes may overflow.
    if (width % sizes_.heads != 0 || width / sizes_.heads != sizes_.head_dim) {
      fail(tensor,
           found + ", but heads = " + std::to_string(sizes_.heads) +
               " and head_dim = " + std::to_string(sizes_.head_dim) + " were given",
           right);
    }
  }

  Weights read_matrices() {
    const ExactArray matrix = read_tensor(layout_.query);
    std::size_t width = outputs(layout_.query, matrix);
    if (layout_.fused) {
      if (width % 3 != 0) {
        fail(layout_.query,
             "it has " + std::to_string(width) + outputs_word() + ", which is no multiple of 3",
             "query, key and value lie one after the other, equally wide");
      }
      width /= 3;
    }
    cut(layout_.query, width);
    Weights weights;
    weights.query = heads_of(matrix, 0, sizes_.heads);
    if (layout_.fused) {
      weights.key = heads_of(matrix, width, sizes_.heads);
      if (has(layout_.query_bias)) {
        const ExactArray bias = read_flat_bias(layout_.query_bias, 3 * width);
        weights.query_bias = heads_of(bias, 0, sizes_.heads);
        weights.key_bias = heads_of(bias, width, sizes_.heads);
        if (whole_) weights.value_bias = heads_of(bias, 2 * width, sizes_.heads);
      }
      if (whole_) {
        weights.value = heads_of(matrix, 2 * width, sizes_.heads);
        read_outputs(weights);
      }
      return weights;
    }
    const ExactArray key = read_tensor(layout_.key);
    const std::size_t key_width = outputs(layout_.key, key);
    const std::size_t key_heads = key_width / sizes_.head_dim;
    if (!layout_.grouped && key_width != width) {
      fail(layout_.key,
           "it has " + std::to_string(key_width) + outputs_word() + ", but there are " +
               std::to_string(width) + " for queries",
           "they are as many in this layout; \"llama\" is the one with fewer key heads");
    }
    if (key_heads * sizes_.head_dim != key_width || key_heads == 0 || sizes_.heads % key_heads != 0) {
      fail(layout_.key,
           "it has " + std::to_string(key_width) + outputs_word() + ", but heads = " +
               std::to_string(sizes_.heads) + " and head_dim = " + std::to_string(sizes_.head_dim),
           "the rows are H_kv d_h, with a number H_kv of key heads that divides the heads");
    }
    weights.key = heads_of(key, 0, key_heads);
    if (has(layout_.query_bias))
      weights.query_bias = heads_of(read_flat_bias(layout_.query_bias, width), 0, sizes_.heads);
    if (has(layout_.key_bias))
      weights.key_bias = heads_of(read_flat_bias(layout_.key_bias, key_width), 0, key_heads);
    if (!whole_) return weights;
    const ExactArray value = read_tensor(layout_.value);
    if (const std::size_t value_width = outputs(layout_.value, value); value_width != key_width) {
      fail(layout_.value,
           "it has " + std::to_string(value_width) + outputs_word() + ", but there are " +
               std::to_string(key_width) + " for keys",
           "they are as many in this layout");
    }
    weights.value = heads_of(value, 0, key_heads);
    if (has(layout_.value_bias))
      weights.value_bias = heads_of(read_flat_bias(layout_.value_bias, key_width), 0, key_heads);
    read_outputs(weights);
    return weights;
  }

  /// The matrix that takes the heads, one after the other, to the outputs, as (H, d_h, m), and its bias.
  void read_outputs(Weights& weights) const {
    const ExactArray matrix = read_tensor(layout_.output);
    const std::size_t width = sizes_.heads * sizes_.head_dim;
    const std::vector<std::size_t>& shape = matrix.shape();
    const std::string form = layout_.by_input ? "(H d_h, m)" : "(m, H d_h)";
    const std::size_t input = layout_.by_input ? 0 : 1;
    if (shape.size() != 2 || shape[input] != width) {
      fail(layout_.output, "the shape is " + shape_text(shape),
           "it must be " + form + " with H d_h = " + std::to_string(width) +
               (shape.size() == 2 && shape[1 - input] == width ? "; here it is transposed" : ""));
    }
    const std::size_t m = shape[1 - input];
    if (has(layout_.output_bias)) weights.output_bias = read_flat_bias(layout_.output_bias, m);
    file_.reserve(matrix.bytes());
    weights.output = ExactArray(layout_.by_input ? matrix : transposed(matrix))
                         .reshaped({sizes_.heads, sizes_.head_dim, m});
  }

  ExactArray read_flat_bias(const char* tensor, std::size_t outputs) const {
    ExactArray bias = read_tensor(tensor);
    if (bias.shape() != std::vector<std::size_t>{outputs}) {
      fail(tensor, "the shape is " + shape_text(bias.shape()),
           "it must be " + shape_text({outputs}) + ", one entry for each output of the matrix");
    }
    return bias;
  }

  /// The outputs from `first` on, those of `stored` heads (a divisor of H), as an array of all H heads:
  /// (H, d, d_h) of a matrix, (H, d_h) of a bias.
  ExactArray heads_of(const ExactArray& source, std::size_t first, std::size_t stored) const {
    const std::size_t H = sizes_.heads, d_h = sizes_.head_dim;
    const bool bias = source.shape().size() == 1;
    const std::size_t inputs = bias ? 1 : sizes_.embed_dim;
    const std::size_t all = source.size() / inputs;  // outputs of the source
    const std::size_t input_step = layout_.by_input ? all : 1, output_step = layout_.by_input ? 1 : inputs;
    const std::size_t count = H * inputs * d_h;
    file_.reserve(count * (source.bytes() / source.size()));
    ExactArray::Storage storage = std::visit(
        [&](const auto& from) -> ExactArray::Storage {
          std::vector<typename std::decay_t<decltype(from)>::value_type> to;
          to.reserve(count);
          for (std::size_t h = 0; h < H; ++h) {
            const std::size_t output = first + h / (H / stored) * d_h;
            for (std::size_t j = 0; j < inputs; ++j)
              for (std::size_t k = 0; k < d_h; ++k)
                to.push_back(from[j * input_step + (output + k) * output_step]);
          }
          return to;
        },
        source.storage());
    if (bias) return ExactArray({H, d_h}, std::move(storage));
    return ExactArray({H, inputs, d_h}, std::move(storage));
  }

  const WeightLayout& layout_;
  const std::string& prefix_;
  const TensorFile& file_;
  WeightSizes& sizes_;
  bool whole_;
};

}  // namespace

const std::vector<WeightLayout>& weight_layouts() {
  static const std::vector<WeightLayout> layouts = {
      {.name = "heads",
       .query = "query",
       .key = "key",
       .query_bias = "query_bias",
       .key_bias = "key_bias",
       .shapes = "query, key (H, d, d_h); query_bias, key_bias (H, d_h)",
       .value = "value",
       .value_bias = "value_bias",
       .output = "output",
       .output_bias = "output_bias",
       .whole_shapes = "value (H, d, d_v), output (H, d_v, m); value_bias (H, d_v), output_bias (m)",
       .stacked = true},
      {.name = "torch",
       .query = "in_proj_weight",
       .key = "in_proj_weight",
       .query_bias = "in_proj_bias",
       .key_bias = "in_proj_bias",
       .shapes = "in_proj_weight (3 H d_h, d); in_proj_bias (3 H d_h): query, key, value",
       .value = "in_proj_weight",
       .value_bias = "in_proj_bias",
       .output = "out_proj.weight",
       .output_bias = "out_proj.bias",
       .whole_shapes = "out_proj.weight (m, H d_h); out_proj.bias (m)",
       .fused = true,
       .refused = {"bias_k"}},
      {.name = "bert",
       .query = "query.weight",
       .key = "key.weight",
       .query_bias = "query.bias",
       .key_bias = "key.bias",
       .shapes = "query.weight, key.weight (H d_h, d); query.bias, key.bias (H d_h)",
       .value = "value.weight",
       .value_bias = "value.bias",
       .output = "^output.dense.weight",
       .output_bias = "^output.dense.bias",
       .whole_shapes = "value.weight (H d_h, d), output.dense.weight (m, H d_h); their biases; output after "
                       "the prefix without a last \"self.\"",
       .refused = {"distance_embedding.weight"}},
      {.name = "gpt2",
       .query = "c_attn.weight",
       .key = "c_attn.weight",
       .query_bias = "c_attn.bias",
       .key_bias = "c_attn.bias",
       .shapes = "c_attn.weight (d, 3 H d_h); c_attn.bias (3 H d_h): query, key, value",
       .value = "c_attn.weight",
       .value_bias = "c_attn.bias",
       .output = "c_proj.weight",
       .output_bias = "c_proj.bias",
       .whole_shapes = "c_proj.weight (H d_h, m); c_proj.bias (m)",
       .fused = true,
       .by_input = true},
      {.name = "llama",
       .query = "q_proj.weight",
       .key = "k_proj.weight",
       .query_bias = "q_proj.bias",
       .key_bias = "k_proj.bias",
       .shapes = "q_proj.weight (H d_h, d), k_proj.weight (H_kv d_h, d); q_proj.bias, k_proj.bias",
       .value = "v_proj.weight",
       .value_bias = "v_proj.bias",
       .output = "o_proj.weight",
       .output_bias = "o_proj.bias",
       .whole_shapes = "v_proj.weight (H_kv d_h, d), o_proj.weight (m, H d_h); v_proj.bias, o_proj.bias",
       .grouped = true,
       .refused = {"q_norm.weight", "k_norm.weight"},
       .left_out =
           "rotary position embeddings, which these models usually have, are not part of the logits"}};
  return layouts;
}

std::string layouts_text() {
  std::ostringstream text;
  for (const WeightLayout& layout : weight_layouts()) {
    text << std::left << std::setw(7) << layout.name << layout.shapes << "\n       "
         << (layout.stacked ? "E W_K + b_K and W_Q^T e + b_Q"
                            : (layout.by_input ? "y = x W + b" : "y = x W^T + b") +
                                  std::string(", head h the entries h d_h to (h + 1) d_h - 1 of y"));
    if (layout.grouped) text << "; head h uses key head floor(h H_kv / H)";
    text << "\n       logit_scale is " << (layout.stacked ? "1" : "1/sqrt(d_h)") << " unless it is given\n";
    text << "       accuracy, memorizes and others also read " << layout.whole_shapes << "\n";
    if (*layout.left_out != '\0') text << "       " << layout.left_out << "\n";
  }
  text << "\nThe names follow the prefix that is given, as it is (with its last dot). Biases are optional; "
          "other\ntensors are not read.\n";
  return text.str();
}

const WeightLayout* find_layout(const std::string& name) {
  for (const WeightLayout& layout : weight_layouts()) {
    if (name == layout.name) return &layout;
  }
  return nullptr;
}

std::pair<std::string, std::string> layout_defect(const std::string& name) {
  std::vector<std::string> names;
  for (const WeightLayout& layout : weight_layouts()) names.emplace_back(layout.name);
  const std::string guess = nearest(name, names);
  return {
      "unknown layout " + in_quotes(name),
      (guess.empty() ? "" : "did you mean " + in_quotes(guess) + "? ") + "the layouts are " + joined(names)};
}

std::optional<std::pair<std::string, std::string>> layout_file_defect(const std::string& file, int folder) {
  const auto format = array_format(file);
  if (!format) return format_defect(file, folder);
  if (format != ArrayFormat::npy) return std::nullopt;
  return std::pair{"the file " + in_quotes(file) + " holds one array without a name",
                   "layouts are read from .npz and .safetensors files"};
}

Weights read_layout(const WeightLayout& layout, const std::string& prefix, const TensorFile& file,
                    WeightSizes& sizes, bool whole) {
  return LayoutReader(layout, prefix, file, sizes, whole).read();
}

Weights read_layout_argument(const WeightLayout& layout, const std::string& prefix, const std::string& file,
                             WeightSizes& sizes, bool whole) {
  if (const auto defect = layout_file_defect(file)) throw InputError(file, "", defect->first, defect->second);
  const ArrayFile tensors = ArrayFile::open(file);
  const Reserve reserve = reserve_at_most(std::uint64_t{8} << 30, file);
  return read_layout(
      layout, prefix,
      {file, tensors.names(), [&](const std::string& name) { return tensors.read(name, reserve); }, reserve},
      sizes, whole);
}

}  // namespace attest
