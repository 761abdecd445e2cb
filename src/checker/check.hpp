// The independent checker of certificates (docs/certificate.md): its entry points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "input/case_file.hpp"
#include "input/errors.hpp"

namespace attest::checker {

/// How a minor is shown to be non-singular.
enum class Minors {
  automatic,      ///< elimination up to `elimination_limit` rows, beyond that the solutions (F7)
  deterministic,  ///< elimination always
  probabilistic,  ///< the solutions where there are any, otherwise as `automatic`
};

/// What the checker may spend and assume. Nothing in a certificate changes it.
struct CheckPolicy {
  std::optional<std::filesystem::path> case_path;  ///< where the case is, when it has moved
  bool allow_outside = false;                      ///< as in ReadOptions
  Minors minors = Minors::automatic;
  std::size_t elimination_limit = 1500;      ///< rows of a minor
  std::uint64_t max_subsets = 20'000'000;    ///< eliminations of one Kruskal search
  std::uint64_t max_terms = 5'000'000;       ///< products of terms in the group ring, per step
  std::size_t readout_limit = 300;           ///< T of a read-out
  std::size_t max_precision = 16384;         ///< bits of interval arithmetic
  std::size_t max_power_of_two = 1'000'000;  ///< exponents in base 2
  bool verbose = false;                      ///< run_check prints statistics
};

/// One step as it was checked.
struct StepReport {
  std::string argument;
  double seconds = 0;
  std::string note;  ///< how, where there is a choice: "elimination" or "6 solutions, error 2^-128"
};

struct ClaimReport {
  std::string statement;
  Verdict verdict = Verdict::undecided;
  std::vector<StepReport> steps;
};

struct CheckReport {
  std::vector<ClaimReport> claims;
};

/// The certificate is well-formed JSON of this format and does not prove what it says.
class Rejection : public std::runtime_error {
public:
  Rejection(std::optional<std::size_t> claim, std::string statement, std::optional<std::size_t> step,
            std::string argument, std::string expected, std::string found);

  std::optional<std::size_t> claim;  ///< none: the fault is outside the claims
  std::string statement;
  std::optional<std::size_t> step;  ///< none: the fault is outside the steps
  std::string argument;
  std::string expected, found;
};

/// Checks every claim of the certificate against its case. Returns normally only when all of it is proved.
/// Throws Rejection; InputError (unreadable files, not JSON, another format, a bad case file); LimitError
/// when the policy does not allow to finish, and nothing that was checked is wrong.
CheckReport check_certificate(const std::filesystem::path& certificate, const CheckPolicy& policy);

/// Checks each certificate and prints a verdict line for it. Returns the exit status of the worst: 0 all
/// valid, 1 rejected, 2 unreadable or malformed, 3 a limit was hit (where several differ: 2, then 1, then 3).
int run_check(const std::vector<std::filesystem::path>& certificates, const CheckPolicy& policy,
              std::ostream& out, std::ostream& err);

/// The options of the command line and run_check. Status 2 for wrong usage.
int check_main(int argc, char** argv);

}  // namespace attest::checker
