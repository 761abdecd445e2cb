// The quantities that the checker computes from the case (docs/certificate.md, Computed quantities).
#pragma once

#include <functional>
#include <string>

#include "kernel/layers/layer.hpp"
#include "theory/part.hpp"
#include "theory/proposition.hpp"

namespace attest::kernel {

/// The layer W of a claim by its name, "given" or the number of a `let`. A Failure when there is none.
using LayerByName = std::function<const Layer&(const std::string& name)>;

/// The examples of a part by the number of its step, and its number of heads. A Failure when there is none.
using PartByName = std::function<const Part&(const std::string& number)>;

/// Computes quantities when they are asked for. The arguments outlive the result. A quantity or a part that
/// the case and claim do not have is a Failure.
Knowledge computed_quantities(const Problem& problem, const Claim& claim, LayerByName layer, PartByName part);

}  // namespace attest::kernel
