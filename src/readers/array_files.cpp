#include "readers/array_files.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/errors.hpp"
#include "base/hints.hpp"
#include "base/mapped_file.hpp"
#include "base/meter.hpp"
#include "base/text.hpp"
#include "readers/array_layout.hpp"

namespace attest {
namespace {

constexpr std::uint64_t kLargestFile = std::uint64_t{8} << 30;

std::map<std::string, std::map<std::string, MemoryArray>>& memory_files() {
  static std::map<std::string, std::map<std::string, MemoryArray>> files;
  return files;
}

std::string last_component(const std::string& file) {
  return file.substr(file.rfind('/') + 1);  // npos + 1 = 0
}

constexpr std::string_view kPointer = "version https://git-lfs.github.com/spec/";
const std::pair<std::string, std::string> kIsPointer = {
    "this is a pointer of Git LFS, in place of the file",
    "fetch it with two lines in its repository: git lfs install  |  git lfs pull"};

bool is_pointer(int folder, const std::string& file) {
  try {
    return RegularFile(folder, file).read(kPointer.size()).view() == kPointer;
  } catch (const FileError&) {
    return false;
  }
}

}  // namespace

struct ArrayFile::Contents {
  File file;
  std::map<std::string, Layout> layouts{};  ///< of a .npy file, one of any name
  std::optional<Archive> archive{};
  bool one = false, in_memory = false, in_place = false;
  Owner owner{};

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    if (one && !in_memory) return out;
    for (const auto& [name, layout] : layouts) out.push_back(name);
    for (const std::string& member : archive ? archive->names() : std::vector<std::string>())
      out.push_back(member.ends_with(".npy") ? member.substr(0, member.size() - 4) : member);
    std::sort(out.begin(), out.end());
    return out;
  }

  [[noreturn]] void missing(const std::string& array) const {
    const std::string kind = archive || in_memory ? "array" : "tensor";
    std::vector<std::string> known = names();
    for (std::string& name : known) name = one_line(name, 60);
    if (known.size() > 30) {
      known.resize(30);
      known.emplace_back("...");
    }
    file.fail("", "there is no " + kind + " " + in_quotes(array),
              known.empty() ? "the file has no " + kind + "s"
                            : (in_memory ? "there are " : "the file has ") + joined(known));
  }

  const Layout& layout(const std::string& array) const {
    if (one && !in_memory) return layouts.begin()->second;
    const auto found = layouts.find(array);
    if (found == layouts.end()) missing(array);
    if (found->second.type == nullptr) {
      file.fail(found->second.place, "dtype " + in_quotes(found->second.type_name) + " is not supported",
                "supported are F64, F32, F16, BF16, F8_E4M3, F8_E5M2, I64, I32, I16, I8, U8 and BOOL");
    }
    return found->second;
  }

  /// Calls `use` with the member of an archive as a file of its own, and its array.
  template <typename Use>
  auto member(const std::string& array, const Reserve& reserve, Use use) const {
    for (const std::string& name : {array, array + ".npy"}) {
      if (!archive->contains(name)) continue;
      FileBytes storage;
      const std::string_view content = archive->content(name, storage, reserve);
      const File npy{content, file.name + ":" + one_line(array, 60)};
      return use(npy, npy_layout(npy));
    }
    missing(array);
  }
};

ArrayFile::ArrayFile(ArrayFormat format, std::string_view bytes, const std::string& name,
                     const Owner& owner) {
  const auto contents = std::make_shared<Contents>(Contents{File{bytes, name}});
  if (bytes.starts_with(kPointer)) contents->file.fail("", kIsPointer.first, kIsPointer.second);
  contents->in_place = owner != nullptr;
  contents->owner = owner;
  contents->one = format == ArrayFormat::npy;
  if (format == ArrayFormat::npy) contents->layouts = {{"", npy_layout(contents->file)}};
  if (format == ArrayFormat::npz) contents->archive.emplace(contents->file);
  if (format == ArrayFormat::safetensors) contents->layouts = tensor_layouts(contents->file);
  contents_ = contents;
}

ArrayFile ArrayFile::in_memory(const std::string& file, const std::string& name) {
  ArrayFile out;
  const auto contents = std::make_shared<Contents>(Contents{File{"", name}});
  contents->in_memory = contents->in_place = true;
  for (const auto& [array, held] : memory_files().at(last_component(file))) {
    Layout& layout = contents->layouts[array] = npy_layout(contents->file, held.header, held.bytes);
    if (!array.empty()) layout.place = "tensor " + one_line(array, 60);
  }
  out.contents_ = contents;
  return out;
}

ArrayFile ArrayFile::open(const std::string& file, bool mapped) {
  if (is_in_memory(file)) return in_memory(file, file);
  const ArrayFormat format = *array_format(file);
  try {
    const FileBytes bytes =
        mapped ? map_file(RegularFile(AT_FDCWD, file)) : read_regular_file(file, file, kLargestFile);
    return ArrayFile(format, bytes.view(), file, bytes.owner());
  } catch (const FileError& error) {
    throw InputError(file, "", std::string("cannot be read: ") + error.what(),
                     "give an existing, readable file");
  }
}

std::vector<std::string> ArrayFile::names() const {
  return contents_->names();
}

std::vector<std::size_t> ArrayFile::shape(const std::string& array) const {
  if (!contents_->archive) return contents_->layout(array).shape;
  return contents_->member(
      array, [](std::uint64_t) {}, [](const File&, const Layout& layout) { return layout.shape; });
}

ExactArray ArrayFile::read(const std::string& array, const Reserve& reserve) const {
  const Contents& all = *contents_;
  if (!all.archive) return read_entries(all.file, all.layout(array), reserve, all.in_place, all.owner);
  return all.member(array, reserve, [&](const File& npy, const Layout& layout) {
    return read_entries(npy, layout, reserve, false);
  });
}

Reserve reserve_at_most(std::uint64_t limit, const std::string& file) {
  return [limit, file, used = std::make_shared<std::uint64_t>(0)](std::uint64_t more) {
    *used += more;
    if (*used > limit || *used < more)
      throw LimitError(file + ": the arrays need " + std::to_string(*used) +
                       " bytes; the memory limit allows " + std::to_string(limit));
  };
}

void hold_in_memory(const std::string& file, std::map<std::string, MemoryArray> arrays) {
  for (const auto& [name, array] : arrays) {
    const Layout layout = npy_layout(File{"", file}, array.header, array.bytes);
    if (name.empty() || (!layout.big_endian && layout.type != numerals_type())) continue;
    throw InputError(
        file, "tensor " + one_line(name, 60),
        layout.big_endian ? "is in big-endian byte order" : "has numbers that no type of tensors holds",
        layout.big_endian ? "little-endian entries" : "binary floats or 64-bit integers");
  }
  memory_files()[file] = std::move(arrays);
}

bool is_in_memory(const std::string& file) {
  return memory_files().contains(last_component(file));
}

bool is_inline(const std::string& file) {
  if (!is_in_memory(file) || array_format(file) != ArrayFormat::npy) return false;
  const MemoryArray& array = memory_files().at(last_component(file)).at("");
  return npy_layout(File{"", file}, array.header, array.bytes).type == numerals_type();
}

ExactArray memory_array(const std::string& file, const std::string& array, const std::string& name,
                        const Reserve& reserve) {
  return ArrayFile::in_memory(file, name).read(array, reserve);
}

std::string memory_file_content(const std::string& file) {
  const auto& arrays = memory_files().at(last_component(file));
  const auto number = [](std::uint64_t value, std::size_t bytes) {
    return std::string(reinterpret_cast<const char*>(&value), bytes);
  };
  if (array_format(file) == ArrayFormat::npy) {
    const MemoryArray& array = arrays.at("");
    std::string header = array.header;
    while ((10 + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    return "\x93NUMPY\x01" + std::string(1, '\0') + number(header.size(), 2) + header +
           std::string(array.bytes);
  }
  nlohmann::ordered_json header;
  std::uint64_t end = 0;
  for (const auto& [name, array] : arrays) {
    const Layout layout = npy_layout(File{"", file}, array.header, array.bytes);
    const std::uint64_t begin = end;
    end += array.bytes.size();
    header[name] = {{"dtype", layout.type->tensor}, {"shape", layout.shape}, {"data_offsets", {begin, end}}};
  }
  std::string text = header.dump();
  while (text.size() % 8 != 0) text += ' ';
  std::string content = number(text.size(), 8) + text;
  content.reserve(content.size() + end);
  for (const auto& [name, array] : arrays) content += array.bytes;
  return content;
}

std::optional<ArrayFormat> array_format(const std::string& file) {
  if (file.ends_with(".npy")) return ArrayFormat::npy;
  if (file.ends_with(".npz")) return ArrayFormat::npz;
  if (file.ends_with(".safetensors")) return ArrayFormat::safetensors;
  return std::nullopt;
}

// Files of other programs: how two lines of Python make arrays.npz of one, FILE.
struct Conversion {
  const char *endings, *is, *imports, *before, *after;
};
constexpr const char* kPickle = " is a pickle, which is a program rather than data";
constexpr const char* kOther = " ends neither in .npy nor in .npz nor in .safetensors";
constexpr Conversion kConversions[] = {
    {".pt .pth .ckpt .bin", kPickle,
     "import numpy, torch; flat = lambda x, at=\"\": {at or \"array\": x} if torch.is_tensor(x) else {k: v "
     "for n in getattr(x, \"keys\", list)() for k, v in flat(x[n], f\"{at}.{n}\" if at else str(n)).items()}",
     "numpy.savez(\"arrays.npz\", **{k: (v.float() if v.is_floating_point() and v.dtype not in "
     "(torch.float64, torch.float16) else v).detach().numpy() for k, v in flat(torch.load(",
     ", map_location=\"cpu\", weights_only=True)).items()})"},
    {".pkl .pickle", kPickle, "import numpy", "held = numpy.load(",
     ", allow_pickle=True); numpy.savez(\"arrays.npz\", **(held if isinstance(held, dict) else {\"array\": "
     "held})); only if you trust the file, as this runs what it says"},
    {".onnx", " is a graph of ONNX", "import numpy, onnx, onnx.numpy_helper",
     "numpy.savez(\"arrays.npz\", **{t.name: onnx.numpy_helper.to_array(t) for t in onnx.load(",
     ").graph.initializer})"},
    {".h5 .hdf5", kOther, "import h5py, numpy; arrays = {}", "h5py.File(",
     ").visititems(lambda k, v: arrays.update({k: v[()]}) if hasattr(v, \"dtype\") else None); "
     "numpy.savez(\"arrays.npz\", **arrays)"},
    {".gguf", kOther, "import gguf, numpy",
     "numpy.savez(\"arrays.npz\", **{t.name: gguf.quants.dequantize(t.data, t.tensor_type) for t in "
     "gguf.GGUFReader(",
     ").tensors})"},
    {".csv", kOther, "import numpy", "numpy.savez(\"arrays.npz\", array=numpy.loadtxt(",
     ", delimiter=\",\", ndmin=2)); decimals become binary64 (a case file takes \"0.1\" as one tenth)"}};

// A string of Python, which no name of a file can end.
std::string in_python(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += (c == '"' || c == '\\') ? std::string{'\\', c} : std::string{c};
  return one_line(out, std::string::npos) + "\"";
}

std::pair<std::string, std::string> format_defect(const std::string& file, int folder) {
  if (is_pointer(folder, file)) return kIsPointer;
  for (const Conversion& kind : kConversions)
    for (const std::string& ending : words_in(kind.endings)) {
      const std::size_t at = file.ends_with(ending) ? file.size() - ending.size() : file.find(ending + ":");
      if (at == std::string::npos) continue;
      const std::string name = file.substr(0, at + ending.size());
      if (is_pointer(folder, name)) return kIsPointer;
      return {(kind.is == kOther ? "the file name " : "the file ") + in_quotes(name) + kind.is,
              std::string("convert it with two lines of Python: ") + kind.imports + "  |  " + kind.before +
                  in_python(name) + kind.after};
    }
  return {"the file name " + in_quotes(file) + kOther,
          "write what it holds with Python: numpy.savez(\"arrays.npz\", NAME=array)"};
}

std::pair<std::string, std::string> split_array_argument(const std::string& argument) {
  for (const std::string extension : {".npz", ".safetensors"}) {
    const std::size_t separator = argument.find(extension + ":");
    if (separator == std::string::npos) continue;
    const std::size_t end = separator + extension.size();
    return {argument.substr(0, end), argument.substr(end + 1)};
  }
  const auto format = array_format(argument);
  if (format == ArrayFormat::npy) return {argument, ""};
  if (format) {
    throw InputError(argument, "", "no array of the file is named",
                     "give FILE.npy, FILE.npz:NAME or FILE.safetensors:NAME");
  }
  const auto [wrong, right] = format_defect(argument);
  throw InputError(argument, "", wrong, right);
}

ExactArray transposed(const ExactArray& array) {
  const std::size_t height = array.shape()[0], width = array.shape()[1];
  return std::visit(
      [&](const auto& entries) {
        std::vector<typename std::decay_t<decltype(entries)>::value_type> turned;
        meter().work(entries.size());
        turned.reserve(entries.size());
        for (std::size_t j = 0; j < width; ++j)
          for (std::size_t i = 0; i < height; ++i) turned.push_back(entries[i * width + j]);
        return ExactArray({width, height}, std::move(turned));
      },
      array.storage());
}

std::vector<std::size_t> shape_of_array_argument(const std::string& argument) {
  const auto [file, array] = split_array_argument(argument);
  return ArrayFile::open(file, true).shape(array);
}

ExactArray read_array_argument(const std::string& argument) {
  const auto [file, array] = split_array_argument(argument);
  return ArrayFile::open(file).read(array, reserve_at_most(kLargestFile, file));
}

}  // namespace attest
