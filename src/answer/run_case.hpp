// Running one case in this process: every claim is decided, and the certificate written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "check/check_file.hpp"
#include "problem/case.hpp"
#include "words/certificate.hpp"
#include "words/outcome.hpp"

namespace attest {

struct CaseOptions {
  double timeout = 0;                             ///< seconds per claim, 0 for none
  std::uint64_t memory = std::uint64_t{8} << 30;  ///< bytes per case
  std::uint64_t work = 0;                         ///< counted operations on words per case, 0 for no limit
  bool allow_outside = false;
  std::size_t readout_limit = 0;  ///< 0: the default effort
  std::size_t samples = 0;        ///< as in Effort
  std::uint64_t seed = 0;
  bool explain = false;  ///< also the proofs in words, as data (words/explained.hpp)
  bool figures = true;   ///< with the numbers of figures (answer/figures.hpp)
  bool guess = false;    ///< as in Effort
  bool check = false;    ///< the checker validates what was written before anything is said about it
  std::vector<std::string> select = {};  ///< only the claims of these names, and nothing is written; or all
  bool changed = false;  ///< a certificate that is there and valid counts; it is not proved again
};

/// The checker does not accept what was written (exit status 1): a defect of the prover, or of the disk.
class Rejected : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};
/// Notes in the claims' reports that the checker came to the same verdicts. `check` runs it, within `timeout`
/// seconds for each claim unless that is 0. Throws Rejected, about the certificate `name`, and LimitError.
void mark_checked(Json& claims, const std::string& name, double timeout,
                  const std::function<kernel::CheckReport()>& check);

/// Limits this process to the memory and work of a case, beyond what it has used already.
void limit_process(const CaseOptions& options);

/// What the claims of a case come to, and its certificate as it will lie in `folder`.
struct ProvedCase {
  Json claims = Json::array();  ///< as in the output of --json
  Json certificate;
  int status = kAsExpected;
  bool limited = false, cut_off = false;  ///< as in CaseOutcome
};

/// What a certificate that is there already proves of the case as it is now, by the independent checker.
/// Nothing when it is not valid for exactly these contents, names another case file, leaves something
/// undecided, or takes longer to check than the claims may take together.
std::optional<ProvedCase> still_valid(const Case& c, const std::filesystem::path& certificate,
                                      const CaseOptions& options);

/// Decides every claim of a case, in this process. Writes nothing.
ProvedCase prove_case(const Case& c, const std::filesystem::path& folder, const CaseOptions& options);

/// Reads and runs one case and writes its certificate, which is on the disk after sync_outputs. Bad input and
/// limits end up in the outcome; anything else is thrown.
CaseOutcome run_case(const std::filesystem::path& file, const std::filesystem::path& certificate,
                     const CaseOptions& options);

/// The same in a process that runs other cases too. Empty, and nothing written, when a limit was hit: in a
/// process of its own a case has all that it may use, and what it says does not depend on the others. The
/// process may also be ended by SIGALRM, when claims have a time limit.
std::optional<CaseOutcome> run_small_case(const std::filesystem::path& file,
                                          const std::filesystem::path& certificate,
                                          const CaseOptions& options);

}  // namespace attest
