// What the ledgers of a sweep say of its cells, and what is derived from all of them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "farm/explore/sweep.hpp"
#include "farm/ledger.hpp"

namespace attest {

/// "one-hot-fresh-...-random.json": the certificate of one of a cell's cases, and its name in ledgers.
std::string certificate_name(const Cell& cell, CellWeights weights);

/// The header of the ledgers of a sweep, for `worth`: what their lines must agree with.
LedgerHeader sweep_header(const Sweep& sweep);
/// The lines that all ledgers of the sweep in a folder have, by name, but for the one called `except`; while
/// other shards add to theirs, too.
/// Throws InputError for ledgers of another command, version or trained layer, and for lines that contradict
/// each other.
std::map<std::string, LedgerLine> read_ledgers(const std::string& folder, const Sweep& sweep,
                                               const std::string& except = "");

/// The bounds that a line remembers of its claims' reports.
std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> found_bounds(const Json& claims);

struct CellResult {
  using Interval = std::pair<std::uint64_t, std::uint64_t>;
  // All but the last two are of layers, not of stacks.
  Interval capacity, random, trained;      ///< of rank(Z) for random and for trained-like weights
  std::uint64_t paper = 0, hull = 0;       ///< Proposition 1's lower bound, the affine hull's upper one
  std::array<std::string, 2> assumptions;  ///< verdicts on Assumptions 1 and 2
  std::optional<Interval> functional;      ///< functional dimension, where the sweep asks for it; of stacks
  std::vector<std::string> certificates;   ///< SHA-256 of the certificates of Sweep::cases
};
/// The upper bound of a stack's functional dimension that its symmetries give where the tokens of sequences
/// differ in all directions (docs/mathematics.md, Free layers); for one head and no residual connections it
/// is the number of Conjecture 3.10 of Henry, Marchetti and Kohn.
std::uint64_t stack_formula(const Cell& cell);

/// What the lines about Sweep::cases of a cell say. Throws InputError for lines that are not about such
/// cases.
CellResult cell_result(const std::vector<LedgerLine>& lines);

/// A cell that was run.
using Cells = std::vector<std::pair<const Cell*, CellResult>>;

/// What is written when all cells are there.
struct Atlas {
  std::string csv, json, manifest;
  std::string root;  ///< SHA-256 over all cells and certificates
};
Atlas atlas(const Sweep& sweep, const Cells& cells);
/// The page; `certificates`: whether the folder "cells" beside it holds cases and certificates.
std::string atlas_page(const Sweep& sweep, const Cells& cells, const std::string& json, bool certificates);
/// How a page with heat maps begins, up to its body; the title is escaped.
std::string head_of_maps(const std::string& title);

}  // namespace attest
