// The reader of a case file, by the sections of the file. Private to src/readers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "readers/case_arrays.hpp"
#include "readers/case_file.hpp"
#include "readers/toml_file.hpp"

namespace attest {

/// The tables that the file would have.
toml::table toml_of(const CaseValues& values);

class CaseReader {
public:
  /// `file`: where the case is, or would be.
  CaseReader(TomlFile toml, const std::filesystem::path& file, const ReadOptions& options);
  Case read();

private:
  /// Which tokens of its sequence a position sees, but for masks: none behind its own, and none that are as
  /// far away as the window.
  struct View {
    bool causal = false;
    std::size_t window = std::numeric_limits<std::size_t>::max();
    /// The first, and the end, of them in a sequence of n.
    std::pair<std::size_t, std::size_t> of(std::size_t position, std::size_t n) const {
      return {position - std::min(position, window - 1),
              causal ? position + 1 : position + std::min(n - position, window)};
    }
  };

  static constexpr std::int64_t kMaxDimension = std::int64_t{1} << 40;
  static constexpr std::size_t kAny = 0;  ///< an extent that the array decides
  static constexpr std::uint64_t kExactEntry =
      50;  ///< operations that looking at an entry as a rational takes

  void read_format();

  // [layer]: case_layer.cpp

  /// Whether all claims are of statements that need only n and d of the sizes (the rest of a claim is checked
  /// later).
  bool few_sizes(const std::string& kind) const;
  void read_layer(const toml::node& node);
  /// One example more than a network of a proposition-3 claim can fit on its own data set.
  std::size_t network_examples(const toml::table& claim, std::size_t embed_dim) const;
  /// From 1 to kMaxDimension.
  std::size_t natural(const toml::node& node, const std::string& name) const;
  std::size_t dimension(const toml::table& table, const std::string& key, const std::string& meaning) const;
  void read_logit_scale(const toml::node& node);
  /// 1/sqrt(value). Precondition: a positive perfect square, or a positive number below 2^64.
  static LogitScale inverse_root(const mpz_class& value);

  // [data]: case_data.cpp

  Shape shape(const std::vector<std::string>& keys) const;
  void read_data(const toml::node& node);
  /// Replaces the data by the outputs of the layer of Proposition 4: every token, and the query, plus the
  /// mean of the tokens.
  void mix(Data& data) const;
  void read_arrays_of_data(const toml::table& table);
  /// Whether [weights] gives what the softmax sees, so that there are no queries.
  bool projected() const;
  /// `hidden`, `positions`, `causal`, `window` and `mask`: which vectors are queries, and which tokens an
  /// example has.
  void select_tokens(const toml::table& table);
  /// `causal` and `window` where the table has them.
  View read_view(const toml::table& table, View view) const;
  /// Entries of a (lines, n) array that are not 0.
  std::vector<bool> read_mask(const toml::node& node, std::size_t lines, bool sequences);
  /// The rows of `hidden`, as rows of length d, that are the examples, increasing.
  std::vector<std::size_t> read_positions(const toml::table& table, std::size_t sequences,
                                          const std::vector<bool>& takes_part) const;
  /// Contexts and members in their canonical form: tokens in order of first use, and members only where
  /// (T, n, d) and (n, d) do not say the same.
  void arrange(ExactArray source, Members members);
  /// Without `arrange`, for a stack: lists of rows of `hidden`.
  void keep_hidden(ExactArray source, Members members);
  void refuse_beside_generate(const toml::table& table, const std::vector<std::string>& keys) const;

  // [[before]]: case_stack.cpp

  bool has_stack() const { return toml_.root().contains("before"); }
  /// What a stack cannot be combined with.
  void refuse_with_stack(const toml::node& node) const;
  void read_stack(const toml::node& node);
  StackLayer read_attention(const toml::table& table);
  StackLayer read_mlp(const toml::table& table);
  StackLayer read_rmsnorm(const toml::table& table);
  /// The tokens of each hidden vector that takes part.
  Members tokens_before(const toml::table& table);
  /// An array of `key` whose extents, but those that are kAny, are these.
  ExactArray read_shaped(const toml::table& table, const char* key, const std::vector<std::size_t>& form,
                         const std::string& names);

  // [weights]: case_weights.cpp

  void read_weights(const toml::node& node);
  /// That the extents are these, but those that are kAny.
  void require_form(const toml::table& table, const char* key, const ExactArray& array,
                    const std::vector<std::size_t>& form, const std::string& names,
                    const std::string& hint) const;
  /// `scaled`: 1/sqrt(d_h) unless it is given.
  void read_scale_of_weights(const toml::table& table, bool scaled);
  /// What the softmax sees: projected queries and keys, or logits.
  void read_projected(const toml::table& table);
  bool hidden() const;
  ExactArray read_projected_queries(const toml::node& node);
  /// (S, L, number of heads, d_h)
  Shape by_sequence(const char* heads) const;
  ExactArray read_projected_keys(const toml::node& node);
  /// Where the tokens of the examples are in an array (T, n, ...), one after the other.
  std::vector<std::size_t> slots() const;
  /// Logits as keys of one entry.
  Weights read_logits(const toml::node& node);
  std::optional<ExactArray> read_bias(const toml::table& table, const std::string& name);
  /// Whether some claim is about what the layer puts out, or [weights] says more than a layout's file does.
  void read_sink(const toml::table& table);
  bool whole(const toml::table& table) const;
  /// Whether some claim is about the outputs of the heads, but none need be about what follows.
  bool valued() const;
  /// Values, outputs, skip connection and read-out. Each shape follows from what comes before it.
  void read_whole_layer(const toml::table& table);

  // [[claim]]: case_claims.cpp

  std::vector<const toml::table*> claim_tables() const;
  const ClaimSpec* find_statement(const std::string& name) const;
  /// Statement, expectation and keys of one claim; that the case has the parts it needs.
  Claim read_statement(const toml::table& table) const;
  void read_expectation(const toml::node& node, Claim& claim) const;
  void require_parts(const toml::table& table, const ClaimSpec& spec) const;
  /// Only statements that say so are about contexts of different lengths.
  void require_what_is_read(const toml::table& table, const ClaimSpec& spec) const;
  void read_claim(const toml::table& table, Claim& claim);
  /// Classes, or an accuracy that refers to the labels.
  void require_alternatives(const toml::table& table, const Claim& claim) const;
  /// A class for each example.
  ExactArray read_classes(const toml::node& node, const std::string& key);
  ArgumentValue read_argument(const toml::node& node, const ArgumentSpec& argument, const Claim& claim);
  /// A matrix with the rows and columns that its specification says.
  ExactArray read_matrix(const toml::node& node, const ArgumentSpec& argument, const Claim& claim);
  /// A statement with a data set of its own takes the case's or makes it, [I_n 0].
  void require_network_data(const toml::table& table, const Claim& claim) const;
  std::size_t read_example(const toml::node& item, const std::string& name) const;
  std::vector<std::size_t> read_subset(const toml::node& node) const;
  void check_coefficients(const toml::node& node, const ExactArray& array) const;

  TomlFile toml_;
  CaseArrays arrays_;
  Case case_;

  // How the given arrays of tokens became those of the case. Empty when they are the same.
  std::size_t sequences_ = 0;                  ///< S of the hidden vectors
  std::vector<std::size_t> own_rows_;          ///< of hidden: the row of each example
  std::vector<bool> takes_part_;               ///< of hidden: the rows that the mask leaves
  View view_;                                  ///< that the case's layer has
  std::vector<std::size_t> own_tokens_;        ///< the same as rows of the contexts
  std::vector<std::size_t> kept_;              ///< rows of the given array, by rows of the contexts
  std::vector<std::uint32_t> source_columns_;  ///< place within its context or sequence of each token
  bool contexts_shared_ = false;               ///< contexts were given as (n, d)
};

}  // namespace attest
