// The digest of a case's exact contents, which binds a certificate to the problem and not to files. The
// canonical text that is hashed is defined in docs/certificate.md.
#pragma once

#include <optional>
#include <string>

#include "problem/case.hpp"

namespace attest {

/// The arrays of a problem by name, in the order of the canonical text.
template <class Part>
struct NamedArray {
  const char* name;
  std::optional<ExactArray> Part::*array;
};
inline constexpr NamedArray<Data> kDataArrays[] = {{"contexts", &Data::contexts},
                                                   {"hidden", &Data::hidden},
                                                   {"queries", &Data::queries},
                                                   {"labels", &Data::labels}};
inline constexpr NamedArray<StackLayer> kStackArrays[] = {
    {"key", &StackLayer::key},           {"query", &StackLayer::query},
    {"combined", &StackLayer::combined}, {"value", &StackLayer::value},
    {"weight_1", &StackLayer::weight_1}, {"bias_1", &StackLayer::bias_1},
    {"weight_2", &StackLayer::weight_2}, {"bias_2", &StackLayer::bias_2},
    {"gain", &StackLayer::gain}};
inline constexpr NamedArray<Weights> kWeightArrays[] = {
    {"key", &Weights::key},
    {"query", &Weights::query},
    {"combined", &Weights::combined},
    {"key_bias", &Weights::key_bias},
    {"query_bias", &Weights::query_bias},
    {"projected_queries", &Weights::projected_queries},
    {"projected_keys", &Weights::projected_keys},
    {"sink", &Weights::sink},
    {"value", &Weights::value},
    {"value_bias", &Weights::value_bias},
    {"output", &Weights::output},
    {"output_bias", &Weights::output_bias},
    {"readout", &Weights::readout},
    {"readout_bias", &Weights::readout_bias},
    {"skip", &Weights::skip},
};

/// 64 hexadecimal digits: SHA-256 of the canonical text of the layer, the data, the weights and the claims.
/// Equal exact contents have equal digests, however and in whatever files they are written.
std::string problem_digest(const Case& source);

/// `shape CLASS SHA256` of an array, as in the canonical text: "2x3 f4 1f0a...".
std::string array_digest(const ExactArray& array);

}  // namespace attest
