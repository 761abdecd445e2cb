#include "readers/layouts.hpp"

#include <doctest/doctest.h>

#include <map>
#include <numeric>

#include "problem/digest.hpp"
#include "readers/case_file.hpp"
#include "tests/input/support.hpp"
#include "tests/support/case_text.hpp"
#include "theory/statements.hpp"

namespace attest {
namespace {

using test::check_matches;
using test::check_outcome;
using test::Folder;
using test::matches;
using test::outcome;
using Shape = std::vector<std::size_t>;

struct Tensor {
  Shape shape;
  std::vector<float> entries;
};
using Tensors = std::map<std::string, Tensor>;

std::size_t entry_count(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

std::string json_shape(const Shape& shape) {
  std::string out;
  for (const std::size_t extent : shape) out += (out.empty() ? "" : ",") + std::to_string(extent);
  return "[" + out + "]";
}

std::string safetensors(const Tensors& tensors) {
  std::string header, data;
  for (const auto& [name, tensor] : tensors) {
    const std::string bytes = test::raw(tensor.entries);
    header += (header.empty() ? "" : ",") +
              test::tensor(name, "F32", json_shape(tensor.shape), data.size(), data.size() + bytes.size());
    data += bytes;
  }
  return test::safetensors("{" + header + "}", data);
}

// A small layer: H = 4 heads, d = 3, d_h = 2. Weights and biases of query, key and value at input j, head h
// and dimension k of the head; heads 0 and 1 have the same keys and values, and 2 and 3, so that two key
// heads suffice.
constexpr std::size_t H = 4, d = 3, d_h = 2, width = H * d_h;

float weight(char part, std::size_t h, std::size_t j, std::size_t k) {
  if (part != 'q') h -= h % 2;
  return static_cast<float>((part == 'q'   ? 1
                             : part == 'k' ? 2
                                           : 5) *
                            (1 + static_cast<int>(h * 7 + j * 3 + k)) % 23) /
         4;
}
float bias(char part, std::size_t h, std::size_t k) {
  return weight(part, h, d, k) - 1;
}

// The matrix with the outputs of these parts one after the other, (outputs, d) or (d, outputs); `step`: only
// every step-th head of it.
Tensor matrix(const std::string& parts, bool by_input, std::size_t step = 1) {
  const std::size_t outputs = parts.size() * width / step;
  Tensor out{by_input ? Shape{d, outputs} : Shape{outputs, d}, std::vector<float>(outputs * d)};
  std::size_t row = 0;
  for (const char part : parts)
    for (std::size_t h = 0; h < H; h += step)
      for (std::size_t k = 0; k < d_h; ++k, ++row)
        for (std::size_t j = 0; j < d; ++j)
          out.entries[by_input ? j * outputs + row : row * d + j] = weight(part, h, j, k);
  return out;
}
Tensor biases(const std::string& parts, std::size_t step = 1) {
  Tensor out;
  for (const char part : parts)
    for (std::size_t h = 0; h < H; h += step)
      for (std::size_t k = 0; k < d_h; ++k) out.entries.push_back(bias(part, h, k));
  out.shape = {out.entries.size()};
  return out;
}

// The form that the layer has in the program.
Tensor stacked(char part) {
  Tensor out{{H, d, d_h}, {}};
  for (std::size_t h = 0; h < H; ++h)
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = 0; k < d_h; ++k) out.entries.push_back(weight(part, h, j, k));
  return out;
}
Tensor stacked_biases(char part) {
  Tensor out = biases(std::string(1, part));
  out.shape = {H, d_h};
  return out;
}

Tensors layer_as(const std::string& layout) {
  if (layout == "heads")
    return {{"key", stacked('k')},
            {"query", stacked('q')},
            {"key_bias", stacked_biases('k')},
            {"query_bias", stacked_biases('q')}};
  if (layout == "torch") return {{"in_proj_weight", matrix("qkv", false)}, {"in_proj_bias", biases("qkv")}};
  if (layout == "gpt2") return {{"c_attn.weight", matrix("qkv", true)}, {"c_attn.bias", biases("qkv")}};
  if (layout == "bert")
    return {{"query.weight", matrix("q", false)},
            {"key.weight", matrix("k", false)},
            {"value.weight", matrix("v", false)},
            {"query.bias", biases("q")},
            {"key.bias", biases("k")}};
  return {{"q_proj.weight", matrix("q", false)},
          {"k_proj.weight", matrix("k", false, 2)},
          {"q_proj.bias", biases("q")},
          {"k_proj.bias", biases("k", 2)}};
}

// The same with what a whole layer of m = 5 outputs has besides.
Tensors whole_layer_as(const std::string& layout) {
  constexpr std::size_t m = 5;
  Tensor by_input{{width, m}, {}}, by_output{{m, width}, {}}, output_bias{{m}, {}};
  const auto entry = [](std::size_t i, std::size_t j) {
    return static_cast<float>((i * 11 + j * 5) % 17) / 8;
  };
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t j = 0; j < m; ++j) by_input.entries.push_back(entry(i, j));
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = 0; i < width; ++i) by_output.entries.push_back(entry(i, j));
  for (std::size_t j = 0; j < m; ++j) output_bias.entries.push_back(entry(3, j));
  Tensors out = layer_as(layout);
  if (layout == "heads") {
    by_input.shape = {H, d_h, m};
    out.merge(Tensors{{"value", stacked('v')},
                      {"value_bias", stacked_biases('v')},
                      {"output", by_input},
                      {"output_bias", output_bias}});
  } else if (layout == "torch") {
    out.merge(Tensors{{"out_proj.weight", by_output}, {"out_proj.bias", output_bias}});
  } else if (layout == "gpt2") {
    out.merge(Tensors{{"c_proj.weight", by_input}, {"c_proj.bias", output_bias}});
  } else if (layout == "bert") {
    out.merge(Tensors{
        {"value.bias", biases("v")}, {"output.dense.weight", by_output}, {"output.dense.bias", output_bias}});
  } else {
    out.merge(Tensors{{"v_proj.weight", matrix("v", false, 2)},
                      {"v_proj.bias", biases("v", 2)},
                      {"o_proj.weight", by_output},
                      {"o_proj.bias", output_bias}});
  }
  return out;
}

std::string case_text(const std::string& weights, const std::string& in_layer = "") {
  return test::sized_layer(H, 2, d, d_h, 2) + in_layer +
         "[data]\ncontexts = [[1, 0, 2], [0, 1, 3]]\nqueries = [[1, 2, 3], [4, 5, 6]]\n[weights]\n" +
         weights + test::claim("rank");
}

Case read(const std::string& layout, const Tensors& tensors, const std::string& more = "",
          const std::string& in_layer = "") {
  const Folder folder;
  folder.write("layer.safetensors", safetensors(tensors));
  return read_case(folder.write(
      "case.toml",
      case_text("layout = \"" + layout + "\"\nfile = \"layer.safetensors\"\n" + more, in_layer)));
}

std::string refusal(const std::string& layout, const Tensors& tensors, const std::string& more = "") {
  return outcome([&] { read(layout, tensors, more); });
}

const std::vector<std::string> kLayouts = {"heads", "torch", "bert", "gpt2", "llama"};

TEST_CASE("the same layer in all layouts has the same digest") {
  const Folder folder;
  for (const auto& [name, tensor] : layer_as("heads"))
    folder.write(name + ".npy",
                 test::npy(test::npy_header("<f4", shape_text(tensor.shape)), test::raw(tensor.entries)));
  std::string arrays;
  for (const char* const name : {"key", "query", "key_bias", "query_bias"})
    arrays += std::string(name) + " = { file = \"" + name + ".npy\" }\n";
  const auto reference = [&](const std::string& in_layer) {
    return problem_digest(read_case(folder.write("case.toml", case_text(arrays, in_layer))));
  };
  const std::string third = "logit_scale = \"1/3\"\n";
  for (const std::string& layout : kLayouts) {
    CAPTURE(layout);
    CHECK(problem_digest(read(layout, layer_as(layout), "", third)) == reference(third));
    CHECK(problem_digest(read(layout, layer_as(layout), third)) == reference(third));
    // The default of the models, except for the form that is not theirs.
    CHECK(problem_digest(read(layout, layer_as(layout))) ==
          reference(layout == "heads" ? "" : "logit_scale = \"1/sqrt(d_h)\"\n"));
  }
}

TEST_CASE("whole layers are the same in all layouts") {
  std::string reference;
  for (const std::string& layout : kLayouts) {
    CAPTURE(layout);
    const Folder folder;
    folder.write("layer.safetensors", safetensors(whole_layer_as(layout)));
    std::string text = case_text("layout = \"" + layout + "\"\nfile = \"layer.safetensors\"\n",
                                 "logit_scale = 1\noutput_dim = 5\n");
    text = text.substr(0, text.find("statement = ")) + "statement = \"accuracy\"\nclasses = [0, 4]\n";
    const Case c = read_case(folder.write("case.toml", text));
    CHECK(c.layer->value_dim == d_h);
    CHECK(c.weights->value->shape() == Shape{H, d, d_h});
    CHECK(c.weights->output->at(1 * 5 + 2) == mpq_class(1, 2));
    if (reference.empty()) reference = problem_digest(c);
    CHECK(problem_digest(c) == reference);
    // Only what a claim is about is read.
    CHECK_FALSE(read(layout, whole_layer_as(layout)).weights->value);
  }
}

TEST_CASE("entries keep their type, and the default scale is exact") {
  for (const std::string& layout : kLayouts) {
    const Case c = read(layout, layer_as(layout));
    CHECK(std::holds_alternative<std::vector<float>>(c.weights->key->storage()));
    CHECK(std::holds_alternative<std::vector<float>>(c.weights->query_bias->storage()));
    CHECK(c.layer->logit_scale.radicand == (layout == "heads" ? 0 : 2));
  }
}

TEST_CASE("grouped key heads are repeated, head h uses key head floor(h H_kv / H)") {
  Tensors repeated = layer_as("llama");
  repeated["k_proj.weight"] = matrix("k", false);
  repeated["k_proj.bias"] = biases("k");
  CHECK(problem_digest(read("llama", repeated)) == problem_digest(read("llama", layer_as("llama"))));
  // One key head for all.
  Tensors one = layer_as("llama");
  one["k_proj.weight"] = matrix("k", false, 4);
  one.erase("k_proj.bias");
  const Case c = read("llama", one);
  const std::size_t head = d * d_h;
  for (std::size_t i = 0; i < H * head; ++i) CHECK(c.weights->key->at(i) == c.weights->key->at(i % head));
}

TEST_CASE("biases are optional") {
  for (const std::string& layout : kLayouts) {
    CAPTURE(layout);
    Tensors tensors = layer_as(layout);
    std::erase_if(tensors, [](const auto& item) { return item.first.ends_with("bias"); });
    const Case c = read(layout, tensors);
    CHECK_FALSE(c.weights->key_bias);
    CHECK_FALSE(c.weights->query_bias);
  }
  Tensors one = layer_as("bert");
  one.erase("key.bias");
  CHECK_FALSE(read("bert", one).weights->key_bias);
  CHECK(read("bert", one).weights->query_bias->at(0) == mpq_class(bias('q', 0, 0)));
}

TEST_CASE("a prefix is put before the names as it is") {
  Tensors tensors;
  for (const auto& [name, tensor] : layer_as("bert")) {
    tensors["layer.0." + name] = tensor;
    tensors["layer.1." + name] = {tensor.shape, std::vector<float>(tensor.entries.size(), 1)};
  }
  CHECK(problem_digest(read("bert", tensors, "prefix = \"layer.0.\"\n")) ==
        problem_digest(read("bert", layer_as("bert"))));
  for (const char* const wrong : {"", "prefix = \"layer.0\"\n", "prefix = \"layer.7.\"\n"})
    CHECK(matches(
        refusal("bert", tensors, wrong),
        "input: ... layer.safetensors: there is no tensor ... layout \"bert\" fits the file with the prefix "
        "\"layer.0.\" and \"layer.1.\""));
}

TEST_CASE("a tensor that is missing: those that are there are listed") {
  for (const std::string& layout : kLayouts) {
    Tensors tensors = {{"other", {{1}, {1}}}};
    const std::string got = refusal(layout, tensors);
    check_matches(got, "input: ... layer.safetensors: there is no tensor ... layout \"" + layout +
                           "\" needs it; the file has \"other\"");
  }
  Tensors many = {{"key.weight", matrix("k", false)}};
  for (int i = 0; i < 100; ++i) many["t" + std::to_string(i)] = {{1}, {1}};
  CHECK(matches(refusal("bert", many),
                "there is no tensor \"query.weight\" ... \"key.weight\", \"t0\" ... and ..."));
}

TEST_CASE("shapes that contradict the layer or look transposed") {
  struct Row {
    const char *layout, *tensor;
    Shape shape;
    const char* pattern;
  };
  const std::vector<Row> rows = {
      {"torch",
       "in_proj_weight",
       {3, 24},
       "the shape is (3, 24), ... it is transposed: store the transpose, or give layout \"gpt2\""},
      {"gpt2", "c_attn.weight", {24, 3}, "the shape is (24, 3), ... it is transposed: ... layout \"torch\""},
      {"bert",
       "query.weight",
       {3, 8},
       "stores (outputs, d) and d (embed_dim) = 3; it is transposed: store the transpose"},
      {"bert", "key.weight", {3, 8}, "it is transposed"},
      {"llama", "k_proj.weight", {3, 4}, "it is transposed"},
      {"heads", "key", {4, 2, 3}, "need (4, 3, 2); the matrices are transposed"},
      {"torch", "in_proj_weight", {24, 5}, "d (embed_dim) = 3; correct d or the file"},
      {"torch", "in_proj_weight", {25, 3}, "it has 25 rows, which is no multiple of 3"},
      {"torch", "in_proj_weight", {72}, "the shape is (72,); it must be a matrix (outputs, d)"},
      {"torch",
       "in_proj_weight",
       {30, 3},
       "it has 10 rows for queries, but heads = 4 and head_dim = 2 were given; ... is 10"},
      {"torch", "in_proj_bias", {8}, "the shape is (8,); it must be (24,)"},
      {"gpt2", "c_attn.bias", {24, 1}, "the shape is (24, 1); it must be (24,)"},
      {"bert", "query.weight", {10, 3}, "it has 10 rows for queries"},
      {"bert", "key.weight", {4, 3}, "it has 4 rows, but there are 8 for queries; ... \"llama\""},
      {"bert", "key.bias", {4}, "it must be (8,)"},
      {"llama",
       "k_proj.weight",
       {6, 3},
       "it has 6 rows, but heads = 4 and head_dim = 2; ... divides the heads"},
      {"llama", "k_proj.weight", {5, 3}, "it has 5 rows"},
      {"llama", "k_proj.weight", {1, 3}, "it has 1 rows"},
      {"llama", "k_proj.weight", {16, 3}, "it has 16 rows"},
      {"llama", "k_proj.bias", {8}, "it must be (4,)"},
      {"heads", "query", {2, 3, 2}, "need (4, 3, 2); correct the sizes or the file"},
      {"heads", "key", {8, 3}, "the shape is (8, 3); it must be (H, d, d_h)"},
      {"heads", "key_bias", {8}, "need (4, 2)"},
      {"torch", "bias_k", {1}, "this tensor changes the logits"},
      {"bert", "distance_embedding.weight", {1}, "this tensor changes the logits"},
      {"llama", "q_norm.weight", {2}, "this tensor changes the logits"}};
  for (const Row& row : rows) {
    Tensors tensors = layer_as(row.layout);
    tensors[row.tensor] = {row.shape, std::vector<float>(entry_count(row.shape), 1)};
    const std::string got = refusal(row.layout, tensors);
    CAPTURE(got);
    CHECK(matches(
        got, std::string("input: ... layer.safetensors: tensor ") + row.tensor + ": ... " + row.pattern));
  }
}

TEST_CASE("sizes that are not given follow from the shapes") {
  const Folder folder;
  for (const std::string& layout : kLayouts) {
    CAPTURE(layout);
    const std::string file = folder.write(layout + ".safetensors", safetensors(layer_as(layout))).string();
    const auto sizes_of = [&](WeightSizes sizes) {
      read_layout_argument(*find_layout(layout), "", file, sizes);
      return Shape{sizes.heads, sizes.embed_dim, sizes.head_dim};
    };
    const Shape right = {H, d, d_h};
    CHECK(sizes_of({H, d, 0}) == right);
    CHECK(sizes_of({0, d, d_h}) == right);
    CHECK(sizes_of({H, d, d_h}) == right);
    if (layout == "heads") {
      CHECK(sizes_of({0, d, 0}) == right);
      check_outcome("but heads = 5, embed_dim = 3 and head_dim = 2 need (5, 3, 2)", [&] {
        sizes_of({5, d, 0});
      });
      continue;
    }
    check_outcome("for queries, and nothing says how many heads these are; give", [&] {
      sizes_of({0, d, 0});
    });
    check_outcome("8 ... for queries, which heads = 5 does not divide; ... is 8", [&] {
      sizes_of({5, d, 0});
    });
    check_outcome("8 ... for queries, which head_dim = 3 does not divide", [&] { sizes_of({0, d, 3}); });
    check_outcome("but heads = 2 and head_dim = 2 were given", [&] { sizes_of({2, d, 2}); });
    check_outcome("were given", [&] { sizes_of({std::size_t{1} << 40, d, std::size_t{1} << 40}); });
  }
  WeightSizes sizes{H, d, 0};
  const WeightLayout& bert = *find_layout("bert");
  check_outcome("holds one array without a name", [&] { read_layout_argument(bert, "", "w.npy", sizes); });
  check_outcome("is a pickle", [&] { read_layout_argument(bert, "", "w.pt", sizes); });
  CHECK(find_layout("bart") == nullptr);
}

TEST_CASE(
    "memory: tensors and what they are turned into count while they are there, a mapped file does not") {
  const Folder folder;
  constexpr std::size_t outputs = 4000;  // 48 KB in each of two tensors
  const Tensor large = {{outputs, d}, std::vector<float>(outputs * d, 1)};
  folder.write("layer.safetensors", safetensors({{"query.weight", large}, {"key.weight", large}}));
  std::string text = case_text("layout = \"bert\"\nfile = \"layer.safetensors\"\n");
  text.replace(text.find("head_dim = 2"), 12, "head_dim = 1000");
  const auto file = folder.write("case.toml", text);
  ReadOptions options;
  options.memory_limit = 250000;
  CHECK(outcome([&] { read_case(file, options); }) == "ok");
  for (const std::size_t limit : {50000, 100000, 150000}) {
    options.memory_limit = limit;
    check_outcome("limit: ... case.toml: ... weights ... bytes", [&] { read_case(file, options); });
  }
}

TEST_CASE("the trained layer of the cases is the same in three layouts") {
  const std::filesystem::path folder = std::filesystem::path(ATTEST_SOURCE_DIR) / "cases" / "trained";
  const Case reference = read_case(folder / "h4-t400-rank.toml");
  for (const char* const other : {"h4-t400-bert.toml", "h4-t400-gpt2.toml"}) {
    const Case c = read_case(folder / other);
    CHECK(array_digest(*c.weights->key) == array_digest(*reference.weights->key));
    CHECK(array_digest(*c.weights->query) == array_digest(*reference.weights->query));
    CHECK(c.layer->logit_scale.rational == reference.layer->logit_scale.rational);
  }
}

TEST_CASE("the table of layouts") {
  const std::string text = layouts_text();
  for (const std::string& layout : kLayouts) CHECK(text.find(layout) != std::string::npos);
  for (const WeightLayout& layout : weight_layouts()) CHECK(text.find(layout.query) != std::string::npos);
}

}  // namespace
}  // namespace attest
