// Writes what the target `certificate` starts from: a folder `certificate` of seeds, and certificate.dict
// with the words of the format. usage: fuzz_seeds FOLDER
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/fuzz/targets.hpp"
#include "theory/statements.hpp"

namespace {

/// Keys and short texts. All of them are printable ASCII without quotes.
void collect(const nlohmann::json& value, std::set<std::string>& words) {
  if (value.is_string() && value.get<std::string>().size() <= 40) words.insert(value.get<std::string>());
  if (!value.is_structured()) return;
  for (const auto& item : value.items()) {
    if (value.is_object()) words.insert(item.key());
    collect(item.value(), words);
  }
}

}  // namespace

int main(int, char** argv) {
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder / "certificate");
  std::set<std::string> words;
  for (const attest::test::Seed& seed : attest::test::certificate_seeds()) {
    std::ofstream(folder / "certificate" / seed.name) << seed.bytes;
    collect(nlohmann::json::parse(seed.bytes), words);
  }
  for (const attest::Theorem& theorem : attest::theorems()) words.insert(theorem.name);
  for (const attest::Statement& each : attest::statements()) words.insert(each.spec.name);
  std::ofstream dictionary(folder / "certificate.dict");
  for (const std::string& word : words) {
    if (!word.empty()) dictionary << nlohmann::json(nlohmann::json(word).dump()).dump() << "\n";
  }
}
