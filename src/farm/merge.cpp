#include "farm/merge.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <tuple>

#include "answer/results.hpp"
#include "base/errors.hpp"
#include "base/output.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "farm/ledger.hpp"
#include "farm/merkle.hpp"
#include "kernel/certificate.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "attest-manifest/1";
constexpr const char* kAgain = "the same command for this shard again, which goes on where it stopped";

[[noreturn]] void refuse(const std::string& file, const std::string& wrong, const std::string& right) {
  throw InputError(path_line(file, 600), "", wrong, right);
}

struct ShardPart {
  std::string file;
  LedgerSection section;
};

// "3 and 5": at most ten of them.
std::string some(const std::vector<std::string>& all) {
  constexpr std::size_t kMost = 10;
  if (all.size() <= kMost) return joined(all);
  return joined({all.begin(), all.begin() + kMost}, "") + " and " + std::to_string(all.size() - kMost) +
         " more";
}

// The ledgers by shard: of one run, each once, none missing.
std::map<std::size_t, ShardPart> parts(const std::vector<std::string>& files) {
  std::map<std::size_t, ShardPart> result;
  for (const std::string& file : files) {
    ShardPart part{file, std::move(read_ledger(file).back())};
    const LedgerHeader& header = part.section.header;
    if (!result.empty()) {
      const auto& [index, first] = *result.begin();
      const LedgerHeader& other = first.section.header;
      const std::string beside = ", but " + path_line(first.file, 600) + " ";
      if (header.shard.count != other.shard.count)
        refuse(file,
               "is one of " + std::to_string(header.shard.count) + " shards" + beside + "of " +
                   std::to_string(other.shard.count),
               "the ledgers of one run");
      if (header.by != other.by)
        refuse(file, "is a ledger of attest " + header.by + beside + "of attest " + other.by,
               "ledgers of one command");
      if (header.attest != other.attest)
        refuse(file,
               "was written by attest " + in_quotes(header.attest) + beside + "by " + in_quotes(other.attest),
               "ledgers of one version");
      if (header.cases != other.cases || header.set != other.set)
        refuse(file,
               "is about another set of cases (" + std::to_string(header.cases) + ")" + beside + "(" +
                   std::to_string(other.cases) + ")",
               "all shards run again on the same cases");
      if (header.effort != other.effort)
        refuse(file, "has " + in_quotes(header.effort) + beside + in_quotes(other.effort),
               "the same options");
    }
    const std::size_t index = header.shard.index;
    const auto [place, added] = result.emplace(index, std::move(part));
    if (!added)
      refuse(file,
             "is of shard " + std::to_string(index) + ", as " + path_line(place->second.file, 600) + " is",
             "each shard once");
  }
  const std::size_t count = result.begin()->second.section.header.shard.count;
  std::vector<std::string> missing;
  for (std::size_t index = 1; index <= count; ++index)
    if (!result.contains(index)) missing.push_back(std::to_string(index));
  if (!missing.empty())
    refuse("attest merge",
           "of " + std::to_string(count) + " shards " + some(missing) +
               (missing.size() == 1 ? " is missing" : " are missing"),
           "the ledgers of all shards");
  return result;
}

// Every case of the set has a line, and all that were run have a result.
void require_complete(const std::map<std::size_t, ShardPart>& all) {
  std::vector<std::string> names;
  for (const auto& [index, part] : all) {
    const LedgerHeader& header = part.section.header;
    std::vector<std::string> missing;
    for (const std::string& name : header.names) {
      names.push_back(name);
      const auto line = part.section.lines.find(name);
      if (line == part.section.lines.end())
        missing.push_back(in_quotes(name));
      else if (!line->second.error.empty())
        refuse(part.file,
               "the last run of " + in_quotes(name) + " failed: " + one_line(line->second.error, 600),
               "a case that runs, and " + std::string(kAgain));
    }
    if (!missing.empty())
      refuse(part.file,
             "is not complete: " + some(missing) + (missing.size() == 1 ? " has" : " have") + " not been run",
             kAgain);
  }
  const LedgerHeader& header = all.begin()->second.section.header;
  if (names.size() != header.cases || names_digest(names) != header.set)
    refuse("attest merge",
           "the shards have " + std::to_string(names.size()) + " cases, which are not the " +
               std::to_string(header.cases) + " that their ledgers are about",
           "ledgers as attest writes them");
}

// That the certificate is still the one of the line, and about the contents and with the proof that the line
// says.
void require_certificate(const ShardPart& part, const LedgerLine& line) {
  const fs::path file = fs::path(part.file).parent_path() / line.certificate;
  const FileBytes bytes =
      read_regular_file(file, path_line(file.string(), 600), kernel::kMostCertificateBytes);
  const auto differs = [&](const std::string& what) {
    refuse(file.string(), "is not the certificate of " + path_line(part.file, 600) + ": " + what, kAgain);
  };
  if (sha256_hex(bytes.view()) != line.sha256) differs("its bytes have changed since");
  const nlohmann::ordered_json json = kernel::parse_json(bytes.view(), path_line(file.string(), 600));
  try {
    if (json.at("case").at("digest") != line.digest) differs("it is about other contents than the line says");
    if (proof_digest(json) != line.proof) differs("it has another proof than the line says");
    const nlohmann::ordered_json& claims = json.at("claims");
    bool same = claims.size() == line.claims.size();
    for (std::size_t k = 0; same && k < claims.size(); ++k)
      same = claims[k].at("statement") == line.claims[k].first;
    if (!same) differs("it has other claims than the line says");
  } catch (const nlohmann::json::exception&) {
    differs("it is no certificate");
  }
}

// What the root commits to.
std::string leaf_text(const LedgerLine& line) {
  std::string text = "attest-case/1\n" + line.digest + "\n" + line.proof + "\n";
  for (const auto& [statement, verdict] : line.claims) text += statement + " " + verdict + "\n";
  return text;
}

}  // namespace

int merge(const MergeOptions& options) {
  const std::map<std::size_t, ShardPart> all = parts(options.ledgers);
  require_complete(all);

  struct Entry {
    std::string text;
    const LedgerLine* line;
    const ShardPart* part;
  };
  std::vector<Entry> entries;
  for (const auto& [index, part] : all)
    for (const auto& [name, line] : part.section.lines) {
      require_certificate(part, line);
      entries.push_back({leaf_text(line), &line, &part});
    }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.text, a.line->name) < std::tie(b.text, b.line->name);
  });
  std::map<std::string, std::size_t> counts;
  std::size_t unexpected = 0;
  int status = kAsExpected;
  std::string lines;
  std::vector<std::string> leaves;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const LedgerLine& line = *entries[k].line;
    // Equal contents stand side by side.
    if (k > 0) {
      const LedgerLine& before = *entries[k - 1].line;
      if (before.digest == line.digest && before.claims != line.claims)
        refuse(entries[k].part->file,
               in_quotes(line.name) + " contradicts " + in_quotes(before.name) + " of " +
                   path_line(entries[k - 1].part->file, 600) + ": other verdicts for the same contents",
               "one verdict for each claim");
    }
    for (const auto& [statement, verdict] : line.claims) ++counts[verdict_name(finding_of(verdict)->verdict)];
    if (!line.expected) {
      ++unexpected;
      status = worse(status, line.limited ? kLimit : kUnexpected);
    }
    Json claims = Json::array();
    for (const auto& [statement, verdict] : line.claims) claims.push_back({statement, verdict});
    lines += Json{{"case", line.name},
                  {"digest", line.digest},
                  {"proof", line.proof},
                  {"claims", claims},
                  {"expected", line.expected}}
                 .dump() +
             "\n";
    leaves.push_back(merkle_leaf(entries[k].text));
  }
  const std::string root = merkle_root(std::move(leaves));
  const std::string head =
      Json{{"format", kManifest}, {"root", root}, {"cases", entries.size()}}.dump() + "\n";
  const fs::path out = options.out.empty() ? fs::path(options.ledgers[0]).parent_path() / "manifest.jsonl"
                                           : fs::path(options.out);
  write_output(out, head + lines);

  std::ostream& says = is_standard_output(out) ? std::cerr : std::cout;
  says << all.size() << (all.size() == 1 ? " ledger, " : " ledgers, ") << entries.size()
       << " cases: " << counts_text(counts) << unexpected << " not as expected\nroot " << root << "\n";
  return status;
}

}  // namespace attest
