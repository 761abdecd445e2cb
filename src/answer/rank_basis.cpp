#include "answer/rank_basis.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/errors.hpp"
#include "base/number_in.hpp"
#include "base/output.hpp"
#include "base/regular_file.hpp"
#include "base/text.hpp"
#include "kernel/certificate.hpp"
#include "theory/failure.hpp"

namespace attest {
namespace {

constexpr const char* kFormat = "attest-basis/1";
constexpr const char* kRight = "a file that attest rank --rows --basis has written";

std::string block_text(const RankBasis& basis) {
  return std::to_string(basis.first) + ":" + std::to_string(basis.last);
}

}  // namespace

RankBasis parse_rows(const std::string& text) {
  const auto block = two_numbers(text, ':');
  if (!block || block->first >= block->second)
    throw InputError("--rows", "", in_quotes(text) + " is no block of rows",
                     "a:b with 0 <= a < b <= T: the examples a to b - 1");
  return {"", block->first, block->second, {}};
}

void write_basis(const RankBasis& basis, const std::string& file) {
  const nlohmann::ordered_json json = {{"format", kFormat},
                                       {"digest", basis.digest},
                                       {"rows", {basis.first, basis.last}},
                                       {"basis", basis.members}};
  write_output(file, json.dump() + "\n");
}

RankBasis read_basis(const std::string& file) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
  const std::string name = one_line(file, 600);
  const FileBytes bytes = read_regular_file(file, name, kMostBytes);
  try {
    const nlohmann::json json = kernel::parse_json(bytes.view(), "basis");
    kernel::object(json, "format digest rows basis");
    const std::string& format = kernel::string(json.at("format"));
    ENSURE(format == kFormat, std::string("the format ") + kFormat, in_quotes(format));
    RankBasis basis;
    basis.digest = kernel::string(json.at("digest"));
    const nlohmann::json& block = kernel::array(json.at("rows"), 2);
    basis.first = kernel::word(block[0]);
    basis.last = kernel::word(block[1]);
    ENSURE(basis.first < basis.last, "a block [a, b] with a < b", block.dump());
    for (const nlohmann::json& value : kernel::array(json.at("basis"))) {
      const std::size_t member = kernel::word(value);
      ENSURE(
          member >= (basis.members.empty() ? basis.first : basis.members.back() + 1) && member < basis.last,
          "increasing examples of the block " + block_text(basis), value.dump());
      basis.members.push_back(member);
    }
    return basis;
  } catch (const Failure& failure) {
    throw InputError(name, "", failure.what(), kRight);
  } catch (const InputError& error) {
    throw InputError(name, "", one_line(error.what()), kRight);
  }
}

std::vector<std::size_t> combined_rows(std::vector<RankBasis> bases, const std::vector<std::string>& files,
                                       const std::string& digest, std::size_t examples) {
  std::vector<std::size_t> order(bases.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return bases[a].first < bases[b].first; });
  std::vector<std::size_t> members;
  std::size_t next = 0;
  for (const std::size_t k : order) {
    const RankBasis& basis = bases[k];
    const std::string name = one_line(files[k], 600), block = "the block " + block_text(basis);
    if (basis.digest != digest)
      throw InputError(name, "",
                       "is about other data: its digest is " + in_quotes(basis.digest) +
                           ", that of these arrays and options " + digest,
                       "the same arrays and options in every step");
    if (basis.last > examples)
      throw InputError(name, "", block + " goes beyond the " + std::to_string(examples) + " examples",
                       kRight);
    if (basis.first < next)
      throw InputError(name, "", block + " overlaps another one, which ends at " + std::to_string(next),
                       "each example in one block");
    if (basis.first > next)
      throw InputError(
          "--combine", "",
          "the examples " + std::to_string(next) + ":" + std::to_string(basis.first) + " are in no block",
          "the bases of all blocks");
    next = basis.last;
    members.insert(members.end(), basis.members.begin(), basis.members.end());
  }
  if (next < examples)
    throw InputError(
        "--combine", "",
        "the examples " + std::to_string(next) + ":" + std::to_string(examples) + " are in no block",
        "the bases of all blocks");
  return members;
}

}  // namespace attest
