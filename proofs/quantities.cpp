#include "proofs/quantities.hpp"

#include <stdexcept>

#include "kernel/quantities/quantities.hpp"

namespace attest {
namespace {

/// The kernel's view of a case and claim, and what it has computed of them.
struct Quantities {
  Quantities(const Case& c, const Claim& claim)
      : problem(c),
        computed(kernel::computed_quantities(
            problem, claim,
            [this](const std::string& name) -> const kernel::Layer& {
              if (name != "given") throw std::logic_error("a quantity of the layer " + name);
              if (!given) given = kernel::given_layer(problem);
              return *given;
            },
            [](const std::string& number) -> const Part& {
              throw std::logic_error("a quantity of the part " + number);
            })) {}

  const kernel::Problem problem;
  std::optional<kernel::Layer> given;
  const Knowledge computed;
};

}  // namespace

Knowledge quantities(const Case& c, const Claim& claim) {
  return [known = std::make_shared<Quantities>(c, claim)](const std::string& name) {
    if (name.starts_with("in_shape(") && name != "in_shape(given)")
      return Bounds{1, 1};  // the layer of a `let`
    return known->computed(name);
  };
}

}  // namespace attest
