#include "readers/array_files.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <deque>
#include <limits>

#include "problem/numbers.hpp"
#include "readers/case_values.hpp"
#include "tests/input/support.hpp"

namespace attest {
namespace {

using test::check_matches;
using test::check_outcome;
using test::matches;
using test::npy;
using test::npy_header;
using test::outcome;
using test::parse_npy;
using test::parse_safetensors;
using test::raw;
using test::safetensors;
using test::tensor;

std::vector<std::string> texts(const ExactArray& array) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < array.size(); ++i) out.push_back(number_text(array.at(i)));
  return out;
}
using Texts = std::vector<std::string>;

void any_amount(std::uint64_t) {}

std::string read_npy_bytes(const std::string& bytes) {
  return outcome([&] { parse_npy(bytes, "a.npy", any_amount); });
}

std::string read_tensor_bytes(const std::string& bytes, const std::string& name = "x") {
  return outcome([&] { parse_safetensors(bytes, name, "a.safetensors", any_amount); });
}

// A file of the tensor x.
std::string one_tensor(const std::string& type, const std::string& shape, std::size_t begin, std::size_t end,
                       const std::string& data) {
  return safetensors("{" + tensor("x", type, shape, begin, end) + "}", data);
}

TEST_CASE("npy: dtypes, orders and versions") {
  const auto read = [&](const std::string& bytes) { return parse_npy(bytes, "a.npy", any_amount); };

  const ExactArray f8 =
      read(npy(npy_header("<f8", "(2, 2)"), raw(std::vector<double>{0.5, -0.0, 5e-324, -3})));
  CHECK(f8.shape() == std::vector<std::size_t>{2, 2});
  CHECK(f8.at(2) == mpq_class(1, mpz_class(1) << 1074));
  CHECK(f8.at(3) == -3);
  CHECK(texts(read(npy(npy_header("<f4", "(2,)"), raw(std::vector<float>{0.1F, -1.5F})))) ==
        Texts{"13421773/134217728", "-3/2"});
  CHECK(texts(read(npy(npy_header("<i8", "(2,)"), raw(std::vector<std::int64_t>{INT64_MIN, INT64_MAX})))) ==
        Texts{"-9223372036854775808", "9223372036854775807"});
  CHECK(texts(read(npy(npy_header("<i4", "(1, 2)"), raw(std::vector<std::int32_t>{INT32_MIN, 7})))) ==
        Texts{"-2147483648", "7"});
  CHECK(texts(read(npy(npy_header("<i4", "()"), raw(std::int32_t{5})))) == Texts{"5"});
  CHECK(texts(read(npy(npy_header("|V2", "(2,)"), raw(std::vector<std::uint16_t>{0x3F80, 0xC040})))) ==
        Texts{"1", "-3"});
  for (const int major : {1, 2, 3}) {
    CHECK(texts(read(npy(npy_header("<i4", "(1,)"), raw(std::int32_t{5}), major))) == Texts{"5"});
  }
  // Keys in any order, other quotes, blanks, no trailing comma.
  CHECK(texts(read(npy("{ \"shape\":(1,),'fortran_order' :False , 'descr':'<i4'}   \n",
                       raw(std::int32_t{6})))) == Texts{"6"});
}

TEST_CASE("npy: Fortran order") {
  // A[i, j, k] = 100 i + 10 j + k, first index fastest.
  std::vector<std::int32_t> fortran;
  Texts expected;
  for (int k = 0; k < 4; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 2; ++i) fortran.push_back(100 * i + 10 * j + k);
    }
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 4; ++k) expected.push_back(std::to_string(100 * i + 10 * j + k));
    }
  }
  CHECK(texts(parse_npy(npy(npy_header("<i4", "(2, 3, 4)", true), raw(fortran)), "a", any_amount)) ==
        expected);
  const std::vector<double> broken = {1, 2, 3, std::nan(""), 5, 6};
  CHECK(
      matches(read_npy_bytes(npy(npy_header("<f8", "(2, 3)", true), raw(broken))), "a.npy: index [1, 1]: "));
  CHECK(matches(read_npy_bytes(npy(npy_header("<f8", "(2, 3)"), raw(broken))), "a.npy: index [1, 0]: "));
}

TEST_CASE("npy: defects") {
  const std::string data = raw(std::vector<double>{1, 2});
  const std::string good = npy(npy_header("<f8", "(2,)"), data);
  const double infinity = std::numeric_limits<double>::infinity();
  const struct {
    std::string bytes;
    const char* pattern;
  } rows[] = {
      {"", "input: a.npy: this is not a .npy file ... ; write it with numpy.save"},
      {"PK\x03\x04 a zip file", "this is not a .npy file"},
      {npy(npy_header("<f8", "(2,)"), data, 4),
       "npy format 4.0 is not supported; supported are 1.0, 2.0 and 3.0"},
      {good + "x", "shape (2,) needs 16 bytes of data, but the file has 17; the file is truncated, damaged"},
      {npy(npy_header("|f8", "(2,)"), data), "dtype \"|f8\" is not supported; supported are f8, f4"},
      {npy(npy_header("=f8", "(2,)"), data), "dtype \"=f8\" is not supported"},
      {npy(npy_header("<V2", "(2,)"), data), "dtype \"<V2\" is not supported"},
      {npy(npy_header("|V4", "(2,)"), data), "dtype \"|V4\" is not supported"},
      {npy(npy_header("<u8", "(2,)"), data), "dtype \"<u8\" is not supported"},
      {npy(npy_header("", "(2,)"), data), "dtype \"\" is not supported"},
      {npy(npy_header("|b1", "(2,)"), "\1\2"),
       "a.npy: index [1]: the truth value is stored as 2; it must be 0 or 1"},
      {npy(npy_header(">f2", "(2,)"), std::string("\0\0\x7c\0", 4)), "index [1]: the entry is infinite"},
      {npy(npy_header("<c16", "(1,)"), data), "dtype \"<c16\""},
      {npy("{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (2,)}", data), "structured dtypes"},
      {npy(npy_header("<f8", "(2, 2)"), data), "shape (2, 2) needs 32 bytes of data, but the file has 16"},
      {npy(npy_header("<f8", "(0, 2)"), ""), "the array is empty: its shape is (0, 2)"},
      {npy(npy_header("<f8", "(0, 9223372036854775807)"), ""), "the array is empty"},
      {npy(npy_header("<f8", "(4294967296, 4294967296, 0)"), ""), "the array is empty"},
      {npy(npy_header("<f8", "(4294967296, 4294967296)"), data), "needs more than 2^64 bytes"},
      {npy(npy_header("<f8", "(99999999999999999999,)"), data), "absurd dimension"},
      {npy(npy_header("<f8", "(2305843009213693952,)"), data), "needs more than 2^64"},
      {npy(npy_header("<f8", "(-2,)"), data), "not a tuple of integers"},
      {npy(npy_header("<f8", "2"), data), "'(' is missing"},
      {npy("{'descr': '<f8', 'fortran_order': False}", data), "the header lacks"},
      {npy("{'descr': '<f8', 'descr': '<f8', 'shape': (2,)}", data), "repeated key \"descr\""},
      {npy("{'descr': '<f8', 'extra': 1}", data), "unknown or a repeated key \"extra\""},
      {npy("{'descr': '<f8', 'fortran_order': 0, 'shape': (2,)}", data), "neither True nor False"},
      {npy("{'descr': '<f8", data), "a string does not end"},
      {npy(npy_header("<f8", "(2,)") + "{}", data), "goes on after its closing brace"},
      {npy(npy_header("<f8", "(2,)"), raw(std::vector<double>{1, std::nan("")})),
       "input: a.npy: index [1]: the entry is not a number (NaN); every entry must be finite"},
      {npy(npy_header("<f8", "(1, 2)"), raw(std::vector<double>{-infinity, 0})),
       "a.npy: index [0, 0]: the entry is infinite"},
      {std::string("\x93NUMPY\x02\x00", 8) + raw(std::uint32_t{1 << 30}) + "{",
       "the file ends within its header"},
      {npy(npy_header("<f8", "(2,)") + std::string(70000, ' '), data, 2), "the header has 700 ... bytes"},
  };
  for (const auto& row : rows) {
    check_matches(read_npy_bytes(row.bytes), row.pattern);
  }
}

TEST_CASE("npy: cut anywhere, the file is refused") {
  const std::string good = npy(npy_header("<f8", "(2,)"), raw(std::vector<double>{1, 2}));
  CHECK(read_npy_bytes(good) == "ok");
  for (std::size_t length = 0; length < good.size(); ++length) {
    CAPTURE(length);
    CHECK(matches(read_npy_bytes(good.substr(0, length)), "input: a.npy: "));
  }
}

TEST_CASE("safetensors: every dtype") {
  const auto read = [&](const std::string& type, const std::string& data, const std::string& shape) {
    const std::string bytes = one_tensor(type, shape, 0, data.size(), data);
    return texts(parse_safetensors(bytes, "x", "a", any_amount));
  };
  CHECK(read("F64", raw(std::vector<double>{0.25, -2}), "[2]") == Texts{"1/4", "-2"});
  CHECK(read("F32", raw(std::vector<float>{0.1F, 0x1p-149F}), "[2, 1]") ==
        Texts{"13421773/134217728", number_text(mpq_class(1, mpz_class(1) << 149))});
  // 1, -2, the largest, the smallest normal, the largest and the smallest subnormal, -0.
  CHECK(read("F16", raw(std::vector<std::uint16_t>{0x3C00, 0xC000, 0x7BFF, 0x0400, 0x03FF, 0x0001, 0x8000}),
             "[7]") == Texts{"1", "-2", "65504", "1/16384", "1023/16777216", "1/16777216", "0"});
  CHECK(read("F16", raw(std::vector<std::uint16_t>{0x8001, 0x3555}), "[2]") ==
        Texts{"-1/16777216", "1365/4096"});
  CHECK(read("BF16", raw(std::vector<std::uint16_t>{0x3F80, 0xC040, 0x0001, 0x8000}), "[4]") ==
        Texts{"1", "-3", number_text(mpq_class(1, mpz_class(1) << 133)), "0"});
  // 1, -1.75, the largest, the smallest normal, the largest and the smallest subnormal, -0.
  CHECK(read("F8_E4M3", "\x38\xBE\x7E\x08\x07\x01\x80", "[7]") ==
        Texts{"1", "-7/4", "448", "1/64", "7/512", "1/512", "0"});
  CHECK(read("F8_E5M2", "\x3C\xBF\x7B\x04\x03\x01\x80", "[7]") ==
        Texts{"1", "-7/4", "57344", "1/16384", "3/65536", "1/65536", "0"});
  CHECK(read("I64", raw(std::vector<std::int64_t>{INT64_MIN}), "[1, 1, 1]") == Texts{"-9223372036854775808"});
  CHECK(read("I32", raw(std::vector<std::int32_t>{-5, 6}), "[1,2]") == Texts{"-5", "6"});
}

TEST_CASE("safetensors: all binary16 values agree with their definition") {
  std::vector<std::uint16_t> bits;
  for (unsigned value = 0; value < 0x10000; ++value) {
    if (((value >> 10) & 31) != 31) bits.push_back(static_cast<std::uint16_t>(value));
  }
  const std::string data = raw(bits);
  const std::string bytes = safetensors(
      "{" + tensor("x", "F16", "[" + std::to_string(bits.size()) + "]", 0, data.size()) + "}", data);
  const ExactArray array = parse_safetensors(bytes, "x", "a", any_amount);
  bool equal = true;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const int exponent = (bits[i] >> 10) & 31, fraction = bits[i] & 1023;
    mpq_class expected(exponent == 0 ? fraction : 1024 + fraction, mpz_class(1) << 24);
    expected.canonicalize();
    expected *= mpz_class(1) << (exponent == 0 ? 0 : exponent - 1);
    if ((bits[i] >> 15) != 0) expected = -expected;
    equal = equal && array.at(i) == expected;
  }
  CHECK(equal);
}

TEST_CASE("safetensors: several tensors, metadata, padding") {
  const std::string header = "{\"__metadata__\":{\"about\":\"a test\",\"n\":\"3\"}," +
                             tensor("b", "I32", "[2]", 4, 12) + "," + tensor("a", "I32", "[1]", 0, 4) + "," +
                             tensor("empty", "F32", "[0,3]", 4, 4) + "," +
                             tensor("odd", "C64", "[1]", 12, 20) + "}      ";
  const std::string file = safetensors(header, raw(std::vector<std::int32_t>{1, 2, 3, 4, 5}));
  CHECK(texts(parse_safetensors(file, "a", "a", any_amount)) == Texts{"1"});
  CHECK(texts(parse_safetensors(file, "b", "a", any_amount)) == Texts{"2", "3"});
  check_outcome("a: tensor empty: the array is empty",
                [&] { parse_safetensors(file, "empty", "a", any_amount); });
  check_outcome(
      "input: a: tensor odd: dtype \"C64\" is not supported; supported are F64, F32, F16, BF16, "
      "F8_E4M3, F8_E5M2, "
      "I64, I32, I16, I8, U8 and BOOL",
      [&] { parse_safetensors(file, "odd", "a", any_amount); });
  CHECK(outcome([&] { parse_safetensors(file, "c", "a", any_amount); }) ==
        "input: a: there is no tensor \"c\"; the file has a, b, empty and odd");
}

TEST_CASE("safetensors: defects") {
  const std::string data = raw(std::vector<float>{1, 2, 3, 4});
  const std::string nan = raw(std::vector<float>{1, 2, 3, std::numeric_limits<float>::quiet_NaN()});
  const std::string good = tensor("x", "F32", "[2,2]", 0, 16);
  const auto two = [&](std::size_t end, std::size_t begin) {
    return safetensors(
        "{" + tensor("x", "F32", "[2]", 0, end) + "," + tensor("y", "F32", "[2]", begin, 16) + "}", data);
  };
  const struct {
    std::string bytes;
    const char* pattern;
  } rows[] = {
      {"", "input: a.safetensors: the file is too short"},
      {"1234567", "the file is too short"},
      {raw(std::uint64_t{1} << 30) + "{}",
       "the header should have 1073741824 bytes, but the file has 2 after"},
      {raw(~std::uint64_t{0}) + "{}", "the header should have 18446744073709551615 bytes"},
      {safetensors("", ""), "does not start with '{'"},
      {safetensors(" {}", ""), "does not start with '{'"},
      {safetensors("{", ""), "the header is not JSON"},
      {safetensors("{}{}", ""), "the header is not JSON"},
      {safetensors("{\"\xff\":1}", ""), "the header is not JSON"},
      {safetensors("{}", "x"), "there are 1 bytes after the last tensor"},
      {safetensors("{}", ""), "there is no tensor \"x\"; the file has no tensors"},
      {safetensors("{" + good + "," + good + "}", data), "the header has the tensor \"x\" twice"},
      {safetensors("{\"__metadata__\":{},\"__metadata__\":{}," + good + "}", data), "\"__metadata__\" twice"},
      {safetensors("{\"__metadata__\":{\"a\":\"1\",\"a\":\"2\"}," + good + "}", data), "the key \"a\" twice"},
      {safetensors("{\"__metadata__\":{\"a\":1}," + good + "}", data), "a number where none belongs"},
      {safetensors("{\"__metadata__\":[]}", ""), "a list where none belongs"},
      {safetensors("{\"x\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", ""), "the key \"dtype\" twice"},
      {safetensors("{\"x\":{\"shape\":[],\"shape\":[]}}", ""), "the key \"shape\" twice"},
      {safetensors("{\"x\":{\"dtype\":\"F32\",\"shape\":[1]}}", ""), "a tensor without"},
      {safetensors("{\"x\":{\"size\":1}}", ""), "the unknown key \"size\""},
      {safetensors("{\"x\":5}", ""), "a number where none belongs"},
      {safetensors("{\"x\":null}", ""), "a null"},
      {safetensors("{\"x\":{\"shape\":[-1]}}", ""), "a negative number"},
      {safetensors("{\"x\":{\"shape\":[1.5]}}", ""), "a number that is not a size"},
      {safetensors("{\"x\":{\"shape\":[99999999999999999999]}}", ""), "a number that is not a size"},
      {safetensors("{\"x\":{\"shape\":[[1]]}}", ""), "a list where none belongs"},
      {safetensors("{\"x\":{\"shape\":\"F32\"}}", ""), "a string where none belongs"},
      {safetensors("{\"x\":{\"dtype\":{}}}", ""), "an object where none belongs"},
      {safetensors("{\"x\":" + std::string(100000, '['), ""), "a list where none belongs"},
      {safetensors("{\"x\":{\"dtype\":" + std::string(100000, '{'), ""), "an object where none belongs"},
      {one_tensor("F32", "[2,2]", 0, 15, data), "tensor x: shape (2, 2) of dtype F32 does not"},
      {one_tensor("F32", "[3]", 0, 16, data), "does not agree with its 16 bytes"},
      {one_tensor("F32", "[4]", 0, 16, data.substr(1)),
       "tensor x: its bytes end at 16, but the file has 15 bytes of data"},
      {one_tensor("F32", "[4]", 0, 16, data + "z"), "there are 1 bytes after the last"},
      {one_tensor("F32", "[4611686018427387904,4]", 0, 16, data), "does not agree"},
      {one_tensor("F32", "[4]", 16, 0, data), "not [begin, end] with begin <= end"},
      {safetensors("{\"x\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0]}}", data),
       "data_offsets is not"},
      {safetensors("{" + tensor("x", "F32", "[2]", 0, 8) + "," + tensor("y", "F32", "[3]", 4, 16) + "}",
                   data),
       "tensor y: its bytes overlap"},
      {safetensors("{" + tensor("x", "F32", "[2]", 0, 8) + "," + tensor("y", "F32", "[1]", 12, 16) + "}",
                   data),
       "tensor y: there is a gap"},
      {one_tensor("F32", "[3]", 4, 16, data), "tensor x: there is a gap"},
      {one_tensor("F32", "[0,4611686018427387904]", 0, 0, ""), "tensor x: the array is empty"},
      {one_tensor("F32", "[4294967296,4294967296,0]", 0, 0, ""), "tensor x: the array is empty"},
      {two(8, 4), "does not agree"},
      {safetensors("{" + good + "}", nan),
       "input: a.safetensors: tensor x, index [1, 1]: the entry is not a number (NaN); every entry must be "
       "finite"},
      {one_tensor("F16", "[2]", 0, 4, raw(std::vector<std::uint16_t>{0, 0xFC00})),
       "tensor x, index [1]: the entry is infinite"},
      {one_tensor("BF16", "[1]", 0, 2, raw(std::uint16_t{0x7FC0})),
       "tensor x, index [0]: the entry is not a number"},
      {one_tensor("F8_E4M3", "[2]", 0, 2, "\1\xFF"), "tensor x, index [1]: the entry is not a number"},
      {one_tensor("F8_E5M2", "[2]", 0, 2, "\1\x7C"), "tensor x, index [1]: the entry is infinite"},
      {one_tensor("U16", "[2]", 0, 4, "1234"), "tensor x: dtype \"U16\" is not supported"},
      {one_tensor("BOOL", "[2]", 0, 2, "\1\3"),
       "tensor x, index [1]: the truth value is stored as 3; it must be 0 or 1"},
  };
  for (const auto& row : rows) {
    check_matches(read_tensor_bytes(row.bytes), row.pattern);
  }
  CHECK(read_tensor_bytes(two(8, 8)) == "ok");
}

TEST_CASE("safetensors: cut anywhere, the file is refused") {
  const std::string good = one_tensor("F32", "[2]", 0, 8, raw(std::vector<float>{1, 2}));
  CHECK(read_tensor_bytes(good) == "ok");
  for (std::size_t length = 0; length < good.size(); ++length) {
    CAPTURE(length);
    CHECK(matches(read_tensor_bytes(good.substr(0, length)), "input: a.safetensors: "));
  }
}

TEST_CASE("nothing is allocated before it is reserved") {
  const auto little = [](std::uint64_t bytes) {
    if (bytes > 31) throw LimitError("no room for " + std::to_string(bytes));
  };
  const std::string four = raw(std::vector<float>{1, 2, 3, 4}),
                    doubles = raw(std::vector<double>{1, 2, 3, 4});
  CHECK(outcome([&] { parse_npy(npy(npy_header("<f4", "(4,)"), four), "a", little); }) == "ok");
  CHECK(outcome([&] { parse_npy(npy(npy_header("<f8", "(4,)"), doubles), "a", little); }) ==
        "limit: no room for 32");
  // Fortran order is turned round in a copy.
  CHECK(outcome([&] { parse_npy(npy(npy_header("<f4", "(4,)", true), four), "a", little); }) ==
        "limit: no room for 32");
  const std::string bytes = one_tensor("I8", "[4]", 0, 4, "1234");
  CHECK(outcome([&] { parse_safetensors(bytes, "x", "a", little); }) == "limit: no room for 32");
  CHECK(matches(read_npy_bytes(npy(npy_header("<f4", "(268435457,)"), "")),
                "input: ... needs 1073741828 bytes of data, but the file has 0"));
}

TEST_CASE("names of files that cannot be read") {
  CHECK(array_format("a/b.npy") == ArrayFormat::npy);
  CHECK(array_format("b.npz") == ArrayFormat::npz);
  CHECK(array_format("b.safetensors") == ArrayFormat::safetensors);
  CHECK_FALSE(array_format("b.NPY").has_value());
  CHECK_FALSE(array_format("b.pt").has_value());
  for (const char* const name : {"b.pt", "b.pth", "b.ckpt", "b.bin"}) {
    const auto [wrong, right] = format_defect(name);
    CHECK(matches(wrong, "is a pickle"));
    CHECK(matches(right, "two lines of Python: import numpy, torch ... numpy.savez ... torch.load"));
  }
  for (const char* const name : {"b.csv", "b.h5", "b.hdf5", "b.gguf", "b.h5:layer/x"}) {
    const auto [wrong, right] = format_defect(name);
    CHECK(matches(wrong, "the file name ... ends neither in .npy"));
    CHECK(matches(right, "two lines of Python: import ... numpy.savez(\"arrays.npz\", "));
  }
  CHECK(matches(format_defect("a\"\\b.csv").second, "loadtxt(\"a\\\"\\\\b.csv\", delimiter"));
  CHECK(matches(format_defect("b.pickle").first, "is a pickle"));
  CHECK(matches(format_defect("b.pkl").second, "two lines of Python: import numpy ... only if you trust"));
  CHECK(matches(format_defect("b.mat").second, "Python: numpy.savez(\"arrays.npz\", NAME=array)"));
  // Whatever its ending, a pointer of Git LFS is called one, and what begins like one is not.
  const test::Folder folder;
  const std::string pointer = "version https://git-lfs.github.com/spec/v1\n";
  for (const char* const name : {"p.pt", "p.bin", "p.onnx", "p.csv", "p.txt"}) {
    const std::string file = folder.write(name, pointer).string();
    CHECK(matches(format_defect(file).first, "is a pointer of Git LFS"));
    CHECK(matches(format_defect(file).second, "git lfs pull"));
    CHECK(!matches(format_defect(folder.write(name, pointer.substr(0, 30)).string()).first, "Git LFS"));
  }
  CHECK(matches(format_defect(folder.write("q.pt", pointer).string() + ":layer").first, "Git LFS"));
  CHECK(matches(read_npy_bytes("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n"),
                "input: ... is a pointer of Git LFS ... git lfs pull"));
  CHECK(matches(read_npy_bytes(npy(npy_header("f8", "(1,)"), raw(1.0))),
                "input: ... dtype \"f8\" has no byte order; \"<f8\" or \">f8\""));
}

TEST_CASE("array arguments of the command line") {
  const test::Folder folder;
  const auto a = folder.write("a.npy", npy(npy_header("<i4", "(1,)"), raw(std::int32_t{5})));
  const auto b = folder.write(
      "b.safetensors", safetensors("{" + tensor("k.npy:0", "I32", "[1]", 0, 4) + "}", raw(std::int32_t{6})));
  CHECK(texts(read_array_argument(a.string())) == Texts{"5"});
  CHECK(texts(read_array_argument(b.string() + ":k.npy:0")) == Texts{"6"});
  check_outcome("no array of the file is named; give FILE.npy, FILE.npz:NAME or FILE.safetensors:NAME",
                [&] { read_array_argument(b.string()); });
  check_outcome("input: x.txt: the file name \"x.txt\" ends neither", [&] { read_array_argument("x.txt"); });
  check_outcome("there is no tensor \"\"; the file has", [&] { read_array_argument(b.string() + ":"); });
}

TEST_CASE("the shape of an array argument, by its header alone") {
  using Shape = std::vector<std::size_t>;
  const test::Folder folder;
  const std::string a =
      folder.write("a.npy", npy(npy_header("<f8", "(1, 2)"), raw(std::vector<double>{1, HUGE_VAL}))).string();
  CHECK(shape_of_array_argument(a) == Shape{1, 2});
  check_outcome("the entry is infinite", [&] { read_array_argument(a); });
  // Data far longer than what is read of the file, and a header longer than that of a .npy file.
  const std::string long_name(1 << 17, 'x');
  const std::string b =
      folder
          .write("b.safetensors", safetensors("{" + tensor("k:0", "I32", "[2,1]", 0, 8) + "," +
                                                  tensor(long_name, "F32", "[100,1000]", 8, 400'008) + "}",
                                              std::string(400'008, '\0')))
          .string();
  CHECK(shape_of_array_argument(b + ":k:0") == Shape{2, 1});
  CHECK(shape_of_array_argument(b + ":" + long_name) == Shape{100, 1000});
  const std::string c =
      folder.write("c.npy", npy(npy_header("<f8", "(90, 1000)"), std::string(720'000, '\0'))).string();
  CHECK(shape_of_array_argument(c) == Shape{90, 1000});

  // What the header and the size of the file tell is refused as by reading all of it.
  folder.write("short.npy", npy(npy_header("<f8", "(2, 2)"), raw(std::vector<double>{1, 2})));
  folder.write("cut.npy", npy(npy_header("<f8", "(2, 2)"), "").substr(0, 60));
  folder.write("text.npy", "not an array");
  folder.write("tiny.safetensors", "1234");
  folder.write("cut.safetensors", safetensors("{" + tensor("k", "I32", "[1]", 0, 4) + "}", "").substr(0, 20));
  folder.write("gap.safetensors", safetensors("{" + tensor("k", "I32", "[1]", 0, 4) + "}", "12345"));
  for (const char* argument :
       {"short.npy", "cut.npy", "text.npy", "none.npy", ".npy", "b.safetensors:y", "tiny.safetensors:k",
        "cut.safetensors:k", "gap.safetensors:k", "none.safetensors:k"}) {
    CAPTURE(std::string(argument));
    const std::string path = (folder / argument).string();
    const std::string whole = outcome([&] { read_array_argument(path); });
    CHECK(whole.starts_with("input: "));
    CHECK(outcome([&] { shape_of_array_argument(path); }) == whole);
  }
}

std::string header_of(const std::string& type, const std::string& shape) {
  return "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
}

template <class T>
std::string_view bytes_of(const std::vector<T>& entries) {
  return {reinterpret_cast<const char*>(entries.data()), entries.size() * sizeof(T)};
}

TEST_CASE("arrays in memory are read as from files, and in place where they can be") {
  static const std::vector<double> doubles = {1, 0.5, -2, 3};
  static const std::vector<float> singles = {1, 0.5, -2, 3};
  static const std::vector<std::int64_t> integers = {1, 2, -3, 4};
  static const std::vector<std::int16_t> shorts = {1, 2, -3, 4};
  hold_in_memory("f8.npy", {{"", {header_of("<f8", "(2, 2)"), bytes_of(doubles)}}});
  hold_in_memory("several.safetensors", {{"a", {header_of("<f4", "(4,)"), bytes_of(singles)}},
                                         {"b", {header_of("<i8", "(2, 2)"), bytes_of(integers)}},
                                         {"c", {header_of("<i2", "(4, 1)"), bytes_of(shorts)}}});
  CHECK(is_in_memory("f8.npy"));
  CHECK(is_in_memory("some/folder/f8.npy"));
  CHECK_FALSE(is_in_memory("other.npy"));
  CHECK(ArrayFile::in_memory("several.safetensors", "x").names() == Texts{"a", "b", "c"});
  const ExactArray a = memory_array("f8.npy", "", "x", any_amount);
  CHECK(std::get<Borrowed<double>>(a.storage()).data() == doubles.data());
  CHECK(texts(a) == Texts{"1", "1/2", "-2", "3"});
  CHECK(shape_of_array_argument("f8.npy") == std::vector<std::size_t>{2, 2});
  CHECK(std::get<Borrowed<float>>(read_array_argument("several.safetensors:a").storage()).data() ==
        singles.data());
  const ExactArray b = read_array_argument("several.safetensors:b");
  CHECK(std::get<Borrowed<std::int64_t>>(b.storage()).data() == integers.data());
  CHECK(b.bytes() == 32);
  CHECK(std::holds_alternative<std::vector<std::int64_t>>(
      read_array_argument("several.safetensors:c").storage()));
  // The files that they stand for hold the same.
  CHECK(texts(parse_npy(memory_file_content("f8.npy"), "a.npy", any_amount)) == texts(a));
  CHECK(texts(parse_safetensors(memory_file_content("several.safetensors"), "b", "a", any_amount)) ==
        texts(b));

  check_outcome("there is no array \"d\"; there are a, b and c",
                [] { read_array_argument("several.safetensors:d"); });
  static const std::vector<double> bad = {1, std::numeric_limits<double>::infinity()};
  hold_in_memory("bad.npy", {{"", {header_of("<f8", "(2,)"), bytes_of(bad)}}});
  check_outcome("bad.npy: index [1]: the entry is infinite", [] { read_array_argument("bad.npy"); });
  const auto refused = [](const std::string& type, const std::string& shape) {
    return outcome([&] { hold_in_memory("x.npy", {{"", {header_of(type, shape), bytes_of(doubles)}}}); });
  };
  CHECK(matches(refused("<f8", "(3,)"), "needs 24 bytes of data, but the file has 32"));
  CHECK(matches(refused("<f8", "(18446744073709551615, 2)"), "needs more than 2^64 bytes"));
  CHECK(matches(refused("<c16", "(2,)"), "dtype \"<c16\" is not supported"));
  CHECK(matches(refused("<f8", "(2, 2"), "the header is not valid"));
  check_outcome("big-endian", [] {
    hold_in_memory("x.safetensors", {{"y", {header_of(">f8", "(4,)"), bytes_of(doubles)}}});
  });
  CHECK_FALSE(is_in_memory("x.npy"));
}

TEST_CASE("arrays in memory of numerals are exact, and inline in case files") {
  const auto held = [](const std::string& shape, const std::string& numerals) {
    static std::deque<std::string> texts;
    hold_in_memory("numerals.npy", {{"", {header_of("numerals", shape), texts.emplace_back(numerals)}}});
  };
  held("(2, 2)", "1/3\n0x1p-1\n-1152921504606846977\n1e-2");
  CHECK(is_inline("numerals.npy"));
  CHECK(is_inline("some/folder/numerals.npy"));
  CHECK_FALSE(is_inline("other.npy"));
  CHECK(shape_of_array_argument("numerals.npy") == std::vector<std::size_t>{2, 2});
  CHECK(texts(read_array_argument("numerals.npy")) == Texts{"1/3", "1/2", "-1152921504606846977", "1/100"});
  CaseValues values{
      .path = "a.toml", .name = "a", .title = "b", .layer = {}, .data = {}, .weights = {}, .claims = {}};
  values.data = {{"queries", FileValue{"numerals.npy", ""}}, {"labels", FileValue{"numerals.npy", "", true}}};
  CHECK(case_text(values).find(R"(queries = [["1/3", "1/2"], ["-1152921504606846977", "1/100"]])") !=
        std::string::npos);
  CHECK(case_text(values).find(R"(labels = [["1/3", "-1152921504606846977"], ["1/2", "1/100"]])") !=
        std::string::npos);
  values.data.pop_back();
  held("(3, 1, 2)", "1\n2\n3\n4\n5\n6");
  CHECK(case_text(values).find(R"(queries = [[["1", "2"]], [["3", "4"]], [["5", "6"]]])") !=
        std::string::npos);
  const auto refused = [&](const std::string& shape, const std::string& numerals) {
    held(shape, numerals);
    return outcome([] { read_array_argument("numerals.npy"); });
  };
  CHECK(matches(refused("(2,)", "1\n1/0"), "numerals.npy: index [1]: \"1/0\" has a zero denominator"));
  CHECK(matches(refused("(2, 2)", "1\n2\nx\n4"), "index [1, 0]: \"x\" is not an exact number"));
  CHECK(matches(refused("(2, 2)", "1\n2\n3"), "has 3 numerals; as many as shape (2, 2) has entries"));
  CHECK(matches(refused("(1,)", "1\n2"), "has 2 numerals"));
  CHECK(matches(refused("(18446744073709551615, 2)", "1\n2"), "has 2 numerals"));
  CHECK(matches(refused("(0,)", ""), "has 0 numerals"));
  // No file has them, and no array among several.
  CHECK(matches(read_npy_bytes(npy(npy_header("numerals", "(1,)"), "1")),
                "dtype \"numerals\" is not supported"));
  static const std::string one = "1";
  check_outcome("tensor y: has numbers that no type of tensors holds; binary floats or 64-bit integers", [] {
    hold_in_memory("x.safetensors", {{"y", {header_of("numerals", "(1,)"), one}}});
  });
}

}  // namespace
}  // namespace attest
