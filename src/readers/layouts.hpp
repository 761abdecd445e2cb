// Weights as models store them: which tensors of a file hold them in each layout, and how these are turned
// into the arrays (H, d, d_h) and (H, d_h), and (H, d_v, m), of `Weights`. Defined in docs/case-files.md.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "readers/array_files.hpp"
#include "readers/case_file.hpp"

namespace attest {

/// One layout. The tensors are named after their use; in a fused layout the same one holds the outputs of
/// query, key and value, one after the other.
struct WeightLayout {
  const char* name;
  const char *query, *key;            ///< matrices, or (H, d, d_h) when `stacked`
  const char *query_bias, *key_bias;  ///< each zero when the file does not have it
  const char* shapes;                 ///< of the tensors, for people
  /// For whole layers. A name that begins with ^ follows the prefix without its last part "self.".
  const char *value, *value_bias, *output, *output_bias, *whole_shapes;
  bool stacked = false;  ///< already in the form of `Weights`
  bool fused = false;
  bool by_input = false;  ///< y = x W + b with W (inputs, outputs); otherwise y = x W^T + b
  bool grouped =
      false;  ///< H_kv key (and value) heads, H_kv a divisor of H: head h uses key head floor(h H_kv / H)
  /// Tensors that change the logits after the projection, which key and query weights cannot express.
  std::vector<const char*> refused = {};
  const char* left_out = "";  ///< what such models usually do besides, which tensors do not show
};

const std::vector<WeightLayout>& weight_layouts();

/// The layouts and their tensors, as lines of text.
std::string layouts_text();

/// The layout of this name; null when there is none.
const WeightLayout* find_layout(const std::string& name);

/// What is wrong with a name that is no layout's, and what would be right.
std::pair<std::string, std::string> layout_defect(const std::string& name);

/// What is wrong with the name of a file that cannot hold a layout, and what would be right.
std::optional<std::pair<std::string, std::string>> layout_file_defect(const std::string& file,
                                                                      int folder = AT_FDCWD);

/// The tensors of a .npz or .safetensors file.
struct TensorFile {
  std::string shown;               ///< how messages call the file
  std::vector<std::string> names;  ///< sorted
  std::function<ExactArray(const std::string& name)> read;
  Reserve reserve;
};

/// H, d and d_h. 0 stands for an H or d_h that is not given and follows from the shapes (in all layouts but
/// `heads` one of the two is needed for the other).
struct WeightSizes {
  std::size_t heads = 0, embed_dim = 0, head_dim = 0;
};

/// Reads the weights, whose tensors are called `prefix` followed by the names of the layout (`whole`: with
/// values and outputs), and sets the sizes that were not given. Entries keep their type. Throws InputError
/// when a tensor is missing (the message lists those that are there), when a shape contradicts the sizes,
/// looks transposed or cannot be cut into heads, and when the file has a tensor that the layout refuses.
Weights read_layout(const WeightLayout& layout, const std::string& prefix, const TensorFile& file,
                    WeightSizes& sizes, bool whole);

/// The same for a file that the command line names, of at most 8 GiB.
Weights read_layout_argument(const WeightLayout& layout, const std::string& prefix, const std::string& file,
                             WeightSizes& sizes, bool whole = false);

}  // namespace attest
