// A case: the layer, the data, the weights and the claims, exactly (docs/case-files.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "problem/claim.hpp"
#include "problem/exact_array.hpp"

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
  bool sink = false;        ///< one more term b^s_h in the denominators of the softmax of head h
  bool sigmoid = false;     ///< coefficients 1/(1 + b^-l) in place of the softmax; then no sink
  bool query_bias = false;  ///< the layers of which the capacity is asked have free query biases
  /// A capacity is that of this layer, the stack as it is given; otherwise of all layers.
  bool given_stack = false;
  /// Whether the coefficients of a head sum to 1.
  bool convex() const { return !sink && !sigmoid; }
};

/// Contexts that are not all of n tokens, or that share tokens: example t has the rows[starts[t]] ..
/// rows[starts[t + 1] - 1] of the array of contexts, in this order, at least one and at most n.
struct Members {
  std::vector<std::size_t> starts;  ///< T + 1
  std::vector<std::uint32_t> rows;
  std::span<const std::uint32_t> list(std::size_t t) const {
    return std::span(rows).subspan(starts[t], starts[t + 1] - starts[t]);
  }
};

/// A layer of the stack before that of the case (docs/case-files.md): what the hidden vectors go through. The
/// weights that are missing are the identity, biases 0, gains 1.
struct StackLayer {
  enum class Kind { attention, mlp, rmsnorm };
  Kind kind = Kind::attention;
  bool residual = true;                  ///< of attention and mlp
  std::size_t heads = 0;                 ///< of attention
  std::size_t head_dim = 0;              ///< of attention
  bool free = false;                     ///< attention without weights: the claims are about all of them
  std::optional<Members> members;        ///< of attention: the tokens of each hidden vector
  std::string activation;                ///< of mlp: relu, silu or tanh
  mpq_class epsilon;                     ///< of rmsnorm
  std::optional<ExactArray> key, query;  ///< (H, d, k), or else
  std::optional<ExactArray> combined;    ///< (H, d, d)
  std::optional<ExactArray> value;       ///< (H, d, d)
  std::optional<ExactArray> weight_1, bias_1;  ///< (d, m), (m)
  std::optional<ExactArray> weight_2, bias_2;  ///< (m, d), (d)
  std::optional<ExactArray> gain;              ///< (d)
};

/// [data]. Arrays that the case does not give are empty optionals.
struct Data {
  bool shared_context = false;         ///< contexts has shape (n, d) rather than (T, n, d)
  std::optional<ExactArray> contexts;  ///< (T, n, d); (n, d) when shared; (N, d) with `members`
  std::optional<Members> members;     ///< every one of the N tokens is of some example, in order of first use
  std::optional<ExactArray> queries;  ///< (T, d)
  std::optional<ExactArray> labels;   ///< (T, d_out); (T) in the case is read as (T, 1) when d_out = 1
  // With a stack there are hidden vectors in place of contexts and queries, which are real
  // vectors that no array holds: nothing that is about these can be answered by mistake.
  std::optional<ExactArray> hidden;    ///< (S, L, d); `members` are then rows of it
  std::vector<std::size_t> positions;  ///< of each example: its row of `hidden`
};

/// [weights]: key and query, combined, or projected. Logits are (E W_K + 1 b_K^T)(W_Q^T e + b_Q), or E W e,
/// or the products of the projected query of an example with the projected keys of its tokens (then the case
/// has no queries). Logits that are given are keys of one entry, with queries 1.
struct Weights {
  std::optional<ExactArray> key, query;            ///< (H, d, d_h)
  std::optional<ExactArray> combined;              ///< (H, d, d)
  std::optional<ExactArray> key_bias, query_bias;  ///< (H, d_h); only with key and query
  std::optional<ExactArray> projected_queries;     ///< (T, H, m)
  /// (R, H_kv, m), H_kv a divisor of H: head h uses key head floor(h H_kv / H). One row for each row of the
  /// contexts, or else for each token of each example, in order.
  std::optional<ExactArray> projected_keys;
  std::optional<ExactArray> sink;  ///< (H), s_h; there exactly when the layer has sinks
  // The whole layer, for statements about what it puts out (docs/case-files.md). A missing matrix is the
  // identity, all else is 0. The shapes fit together and end in d_out.
  std::optional<ExactArray> value, value_bias;      ///< (H, d, d_v), (H, d_v)
  std::optional<ExactArray> output, output_bias;    ///< (H, d_v, m), (m)
  std::optional<ExactArray> readout, readout_bias;  ///< (m, d_out), (d_out)
  std::optional<ExactArray> skip;                   ///< (T, m)
};

struct Case {
  std::filesystem::path path;
  std::string title;
  std::optional<Dimensions> layer;
  Data data;
  std::vector<StackLayer> stack;  ///< if any: data.hidden is there, the base is e, weights not projected
  std::optional<Weights> weights;
  std::vector<Claim> claims;

  // Where the tokens of an example lie. Precondition: the case has contexts (and projected keys).
  /// The number of tokens of example t: n unless there are `members`.
  std::size_t tokens(std::size_t t) const;
  /// The row of the contexts, as rows of length d, that is token i of example t.
  std::size_t token_row(std::size_t t, std::size_t i) const;
  std::vector<std::size_t> token_rows(std::size_t t) const;  ///< of all of them
  /// The row of the projected keys of token i of example t.
  std::size_t key_row(std::size_t t, std::size_t i) const;
};

}  // namespace attest
