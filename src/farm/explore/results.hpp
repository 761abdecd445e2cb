// The results of a sweep: an append-only file with one line per cell, and what is derived from all of them.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "certificate/certificate.hpp"
#include "farm/explore/sweep.hpp"

namespace attest {

struct CellResult {
  struct Interval {
    std::uint64_t lower = 0, upper = 0;
  };
  Interval capacity, random, trained;       ///< of rank(Z) for random and for trained-like weights
  std::uint64_t paper = 0, hull = 0;        ///< Proposition 1's lower bound, the affine hull's upper one
  std::array<std::string, 2> assumptions;   ///< verdicts on Assumptions 1 and 2
  std::array<std::string, 2> certificates;  ///< SHA-256 of the certificates for random and trained weights
  std::string error;  ///< not empty: the cell could not be run, and nothing else is known

  Json json(const std::string& cell) const;
};

using CellResults = std::map<std::string, CellResult>;  ///< by the cell's name

/// An append-only file of results that one process writes.
class ResultsFile {
public:
  /// Opens or makes it, alone; drops a last line that a killed run left unfinished; reads the others. Throws
  /// InputError when another process writes it, or when it is not of this sweep and version, or damaged.
  ResultsFile(const std::filesystem::path& file, const std::string& heading);
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  const CellResults& results() const { return results_; }
  /// `lines`: each ends with a line feed.
  void append(const std::string& lines);

private:
  std::filesystem::path file_;
  int descriptor_ = -1;
  CellResults results_;
};

/// The first line of the results files of a sweep.
std::string results_heading(const Sweep& sweep);
/// Adds the results of a file that nobody needs to own; an unfinished last line does not count. Throws
/// InputError as above, and when two files contradict each other.
void add_results(const std::filesystem::path& file, const std::string& heading, CellResults& results);
/// The files of results in a folder, sorted.
std::vector<std::filesystem::path> results_files(const std::filesystem::path& folder);

/// What is written when all cells are there.
struct Atlas {
  std::string csv, json, manifest;
  std::string root;  ///< SHA-256 over all cells and certificates
};
Atlas atlas(const Sweep& sweep, const CellResults& results);
/// The page; `certificates`: whether the folder "cells" beside it holds cases and certificates.
std::string atlas_page(const Sweep& sweep, const CellResults& results, const std::string& json,
                       bool certificates);

}  // namespace attest
