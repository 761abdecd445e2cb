// A case: the data, the layer and the claims of one TOML file, read exactly. Documented in
// docs/case-files.md.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "input/errors.hpp"
#include "input/exact_array.hpp"
#include "input/generate.hpp"

namespace attest {

enum class Verdict { verified, refuted, inapplicable, undecided };
const char* verdict_name(Verdict verdict);

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
  Base base = Base::e;
  LogitScale logit_scale;
};

/// [data]. Arrays that the case does not give are empty optionals.
struct Data {
  bool shared_context = false;         ///< contexts has shape (n, d) rather than (T, n, d)
  std::optional<ExactArray> contexts;  ///< (T, n, d), or (n, d) when shared
  std::optional<ExactArray> queries;   ///< (T, d)
  std::optional<ExactArray> labels;    ///< (T, d_out)
};

/// [weights]: key and query, or combined. Logits are (E W_K + 1 b_K^T)(W_Q^T e + b_Q), or E W e.
struct Weights {
  std::optional<ExactArray> key, query;            ///< (H, d, d_h)
  std::optional<ExactArray> combined;              ///< (H, d, d)
  std::optional<ExactArray> key_bias, query_bias;  ///< (H, d_h); only with key and query
};

/// One [[claim]].
struct Claim {
  std::size_t index = 0;  ///< position in the file, from 0
  std::string statement;
  Verdict expect = Verdict::verified;
  std::string place;  ///< "line L, column C"

  // Arguments, by statement (interface.md); absent ones are empty.
  std::optional<mpz_class> value, at_least, at_most;  ///< rank, kruskal-rank: at most one of them
  std::optional<std::vector<std::size_t>> subset;     ///< claim-1, claim-2: distinct, below T
  std::optional<ExactArray> coefficients;             ///< (|subset|, n), rows positive and summing to 1
  std::optional<mpq_class> epsilon;                   ///< claim-2: positive
};

/// A file that the case was read from: the case itself or an array.
struct SourceFile {
  std::string path;  ///< relative to the case's folder
  std::string sha256;
};

struct Case {
  std::filesystem::path path;
  std::string title;
  std::string sha256;  ///< of the case file
  std::vector<SourceFile> arrays;
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
/// that every claim has what its statement needs. Throws InputError (exit 2) or LimitError (exit 3).
Case read_case(const std::filesystem::path& file, const ReadOptions& options = {});

/// What a statement needs of a case, and which keys its claims may have.
struct StatementNeeds {
  const char* name;
  bool contexts, queries, weights;  ///< required parts
  std::vector<const char*> required_keys, optional_keys;
};
/// All statements that this version decides, in the paper's order.
const std::vector<StatementNeeds>& statement_needs();

}  // namespace attest
