// The ledger of one shard (docs/guide.md): a journal with one line per case, and what it is to go on where
// a killed run was.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/journal.hpp"
#include "farm/find_cases.hpp"
#include "theory/statements.hpp"
#include "words/certificate.hpp"

namespace attest {

/// "ledger-3-of-8.jsonl"
std::string ledger_name(const Shard& shard);

/// SHA-256 of the names in increasing order, a NUL after each.
std::string names_digest(std::vector<std::string> names);

/// A name as ledgers have it: what is not UTF-8 is written as \xNN.
std::string ledger_text(const std::string& name);

/// What a section of a ledger is about.
struct LedgerHeader {
  std::string by;      ///< "verify", "check" or "explore"
  std::string attest;  ///< the version that wrote it
  Shard shard;
  std::size_t cases = 0;           ///< of all shards
  std::string set;                 ///< names_digest of all of them
  std::vector<std::string> names;  ///< those of this shard, increasing
  /// What decides whether an undecided claim is worth another run. `effort` changes proofs, the others only
  /// whether there is one.
  std::string effort, limits;

  bool operator==(const LedgerHeader&) const = default;
};

/// The last word on a case.
struct LedgerLine {
  std::string name;   ///< of the certificate, below the folder that was searched or --out; unique in a run
  std::string error;  ///< why there is no certificate, or none that is valid; the others are empty then
  std::string certificate;                                  ///< where the file is, from the ledger's folder
  std::string sha256;                                       ///< of the bytes of the certificate
  std::string digest;                                       ///< of the case's contents (docs/certificate.md)
  std::string proof;                                        ///< proof_digest
  std::vector<std::pair<std::string, std::string>> claims;  ///< statement and verdict_text
  bool expected = true;  ///< every verdict is the one that the case expects
  bool limited = false;  ///< as CaseOutcome
  double seconds = 0;
  /// Of a sweep's cases: the bounds that were proved, by what they are of (docs/explore.md).
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> found = {};
};

/// A finding with this verdict_text; empty when no finding has it.
std::optional<Finding> finding_of(const std::string& verdict);

/// "3 verified, 0 refuted, 0 inapplicable, 1 undecided; ", of verdicts by name.
std::string counts_text(std::map<std::string, std::size_t> verdicts);

/// SHA-256 of the statements and steps of a certificate, without what depends on where it lies and who wrote
/// it when.
std::string proof_digest(const nlohmann::json& certificate);

std::string ledger_line(const LedgerLine& line);
/// Throws InputError, which names the file and the line's number, for anything that attest does not write.
LedgerLine parse_ledger_line(const std::string& text, const std::string& file, std::size_t number);

struct LedgerSection {
  LedgerHeader header;
  std::map<std::string, LedgerLine> lines;  ///< the last of each case
};

/// The sections of a ledger; the last is the one that counts. Throws InputError as Journal, for lines that
/// attest does not write, two lines of a section that contradict each other, and when nobody adds to it for a
/// ledger without a section.
std::vector<LedgerSection> read_ledger(const std::string& file, Journal::Use use = Journal::Use::read);

/// A ledger that is open for adding lines. One process at a time.
class Ledger {
public:
  /// Makes or opens the ledger of `header.shard` in `folder`, and begins a section when the last one has
  /// another header. Throws InputError as read_ledger, and when it cannot be written.
  Ledger(const std::string& folder, const LedgerHeader& header);

  const Journal& journal() const { return journal_; }
  /// What is known of a case from this or an earlier section, if it is worth something to this run: made by
  /// this version, and not for want of what now may be had. nullptr otherwise.
  const LedgerLine* known(const std::string& name) const;
  /// Whether this section says exactly that already, apart from the seconds.
  bool has(const LedgerLine& line) const;
  /// One write, so that a line is there or torn. Throws InputError when it contradicts an earlier one.
  void add(const LedgerLine& line);
  /// Puts it on the disk.
  void sync() { journal_.sync(); }

private:
  Journal journal_;
  std::map<std::string, LedgerLine> known_, current_;
};

/// Whether a line of a section is worth something to a run with this header, as Ledger::known says.
bool worth(const LedgerLine& line, const LedgerHeader& of, const LedgerHeader& now);

/// Whether two lines about the same contents say different things, and no limit explains it.
bool contradict(const LedgerLine& a, const LedgerLine& b);

}  // namespace attest
