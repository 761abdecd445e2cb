// A case: the data, the layer and the claims of one TOML file, read exactly. Documented in
// docs/case-files.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "input/claim.hpp"
#include "input/errors.hpp"
#include "input/exact_array.hpp"
#include "input/generate.hpp"

namespace attest {

/// The base of the softmax: coefficients are proportional to e^logit or to 2^logit.
enum class Base { e, two };

/// The factor of the logits: a non-zero rational, or 1/sqrt(radicand).
struct LogitScale {
  mpq_class rational = 1;
  std::size_t radicand = 0;  ///< not 0: the scale is 1/sqrt(radicand), and `rational` is unused. A perfect
                             ///< square is stored as a rational instead.
  bool irrational() const { return radicand != 0; }
};

/// [layer]. All dimensions are at least 1.
struct Dimensions {
  std::size_t heads = 0;       ///< H
  std::size_t context = 0;     ///< n
  std::size_t embed_dim = 0;   ///< d
  std::size_t head_dim = 0;    ///< d_h
  std::size_t examples = 0;    ///< T
  std::size_t output_dim = 1;  ///< d_out
  std::size_t value_dim = 1;   ///< d_v; d_out by default. Only counts parameters.
  Base base = Base::e;
  LogitScale logit_scale;
};

/// [data]. Arrays that the case does not give are empty optionals.
struct Data {
  bool shared_context = false;         ///< contexts has shape (n, d) rather than (T, n, d)
  std::optional<ExactArray> contexts;  ///< (T, n, d), or (n, d) when shared
  std::optional<ExactArray> queries;   ///< (T, d)
  std::optional<ExactArray> labels;    ///< (T, d_out); (T) in the case is read as (T, 1) when d_out = 1
};

/// [weights]: key and query, or combined. Logits are (E W_K + 1 b_K^T)(W_Q^T e + b_Q), or E W e.
struct Weights {
  std::optional<ExactArray> key, query;            ///< (H, d, d_h)
  std::optional<ExactArray> combined;              ///< (H, d, d)
  std::optional<ExactArray> key_bias, query_bias;  ///< (H, d_h); only with key and query
};

struct Case {
  std::filesystem::path path;
  std::string title;
  std::optional<Dimensions> layer;
  Data data;
  std::optional<Weights> weights;
  std::vector<Claim> claims;
};

struct ReadOptions {
  bool allow_outside = false;                       ///< arrays may lie outside the case's folder
  std::size_t memory_limit = std::size_t{8} << 30;  ///< bytes; a case that plainly needs more is refused
};

/// Reads and validates a case file: syntax, known keys only, exact numbers only, shapes against [layer], and
/// that every claim has a statement of `specs`, the parts of the case that it needs, and its arguments.
/// `specs` outlive the result. Throws InputError (exit 2) or LimitError (exit 3).
Case read_case(const std::filesystem::path& file, const std::vector<ClaimSpec>& specs,
               const ReadOptions& options = {});

}  // namespace attest
