// Writing certificates (docs/certificate.md). Reading and checking them is src/checker's, which shares
// nothing with this.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "exact/rational.hpp"
#include "input/case_file.hpp"

namespace attest {

using Json = nlohmann::ordered_json;

/// What is proved of one claim.
struct ClaimProof {
  Verdict verdict = Verdict::undecided;
  Json result = Json::object();
  Json steps = Json::array();
  std::string reason;    ///< of `undecided`: what was missing
  bool limited = false;  ///< undecided because a limit was hit
};

Json to_json(const mpq_class& number);
Json to_json(const mpz_class& number);
Json to_json(const RationalVector& v);
Json to_json(const std::vector<std::size_t>& indices);
Json to_json(const std::vector<mpz_class>& numbers);

/// The certificate of a case, as it will lie in `folder`.
Json certificate(const Case& c, const std::vector<ClaimProof>& claims, const std::filesystem::path& folder);

/// The text of a certificate: values that fit go on one line.
std::string certificate_text(const Json& json);

/// Solutions x_j of A x_j = b_j for the pseudo-random b_j that the statement of a minor determines (F7). `a`
/// is the minor (r x r residues), destroyed. `definition` is the JSON of the layer's step, or null for the
/// layer "given".
Json minor_solutions(const Case& c, const Claim& claim, const std::string& layer, const Json& definition,
                     std::uint64_t p, std::uint64_t g, const MinorIndices& minor, std::vector<double> a);

}  // namespace attest
