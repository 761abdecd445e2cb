// The rules: each checks a step as docs/certificate.md says, and returns what it proves. A Failure when the
// step does not prove it. The certificate's letters are those of that page; everything that is read from a
// step is in range and of the right size.
#pragma once

#include "kernel/rules/step.hpp"

namespace attest::kernel::rules {

Fact let(const Step& step);
Fact part(const Step& step);
Fact independent_rows(const Step& step);
Fact minor(const Step& step);
Fact minor_of_z(const Step& step);
Fact lambda_rank(const Step& step);
Fact minor_of_j(const Step& step);
Fact zero(const Step& step);
Fact dependent(const Step& step);
Fact zero_of_z(const Step& step);
Fact zero_of_j(const Step& step);
Fact zero_for_all_weights(const Step& step);
Fact hadamard(const Step& step);
Fact nested(const Step& step);
Fact circuits(const Step& step);
Fact coefficients(const Step& step);
Fact hulls(const Step& step);
Fact subsets(const Step& step);
Fact separator(const Step& step);
Fact network(const Step& step);
Fact perturbation(const Step& step);
Fact apart(const Step& step);
Fact stack_contexts(const Step& step);
Fact stack_queries(const Step& step);
Fact saturated(const Step& step);
Fact accurate(const Step& step);
Fact numerical_rank(const Step& step);
Fact vertex_limit(const Step& step);
Fact one_hot(const Step& step);
Fact inverse_of_z(const Step& step);
Fact weights(const Step& step);
Fact readout(const Step& step);
Fact tail_rank(const Step& step);
Fact split(const Step& step);
Fact theorem(const Step& step);

}  // namespace attest::kernel::rules
