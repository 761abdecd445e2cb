// Small certificates made by hand: one at least for every kind of step and every verdict.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "checker/check.hpp"
#include "tests/checker/mutate.hpp"

namespace attest::test {

struct Sample {
  std::string name;
  std::string toml;  ///< the case
  Json claims;       ///< of the certificate
};

const std::vector<Sample>& samples();
const Sample& sample(const std::string& name);

/// Writes the case and returns the certificate that belongs to it (in a folder that is removed at exit).
class Bench {
 public:
  Bench();
  ~Bench();
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  Json certificate(const Sample& sample) const;
  std::filesystem::path write(const Json& certificate, const std::string& name = "certificate.json") const;
  std::filesystem::path write_bytes(const std::string& bytes, const std::string& name) const;
  /// The checker's verdict line without the name: "valid ...", "REJECTED: ...", "BAD INPUT: ...", "LIMIT: ...".
  std::string check(const Json& certificate, const checker::CheckPolicy& policy = {}) const;
  std::string check_bytes(const std::string& bytes, const checker::CheckPolicy& policy = {}) const;

 private:
  std::filesystem::path folder_;
};

/// The verdict line of a sample whose claims were changed at a JSON pointer ("/0/steps/1/bound").
std::string verdict_with(const std::string& sample, const std::string& pointer, const Json& value,
                         const checker::CheckPolicy& policy = {});
/// ... whose case was changed: the first occurrence of `from` in the TOML text becomes `to`.
std::string verdict_with_case(const std::string& sample, const std::string& from, const std::string& to,
                              const checker::CheckPolicy& policy = {});
/// ... changed by any function of its claims.
std::string verdict_after(const std::string& sample, const std::function<void(Json&)>& change,
                          const checker::CheckPolicy& policy = {});

/// Adds the solutions of F7 to a character-minor of a claim, from an implementation of the test's own.
void add_solutions(Json& certificate, std::size_t claim, std::size_t step, const std::filesystem::path& case_file);

}  // namespace attest::test
