// The pictures of the report, drawn by gnuplot as SVG that a page can hold: no ids, colours that follow the
// page's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "words/certificate.hpp"

namespace attest {

/// A picture with its words. Without gnuplot there is no svg, and the words must do.
struct Picture {
  std::string title;    ///< what it shows, in a few words
  std::string caption;  ///< how to read it
  std::string data;     ///< its numbers, in a sentence
  std::string svg;      ///< empty when gnuplot is not there
};

/// Rank after each head of a construction, under the character of its minor, against the bounds of the paper
/// and of the affine hull. None for a proof without construction.
std::optional<Picture> construction_picture(const Case& c, const Json& steps);
/// Rank of given weights after each head: `ranks`, lower bounds under one character, against the same bounds.
Picture heads_picture(const Case& c, const Json& steps, const std::vector<std::size_t>& ranks);
/// The capacity by the number of heads, from the results of claims about them. None for fewer than two.
std::optional<Picture> capacity_picture(const Json& claims);
/// Exact rank and binary64 rank over lambda. None for a proof without rescaled layers.
std::optional<Picture> sweep_picture(const Case& c, const Json& steps);
/// The largest softmax coefficient by head and example. None for cases without weights, very small or large
/// ones: T H n coefficients are at most `most`.
std::optional<Picture> saturation_picture(const Case& c, std::size_t most = 200'000);
/// Of a claim of numerical-rank: the singular values on both sides of its tolerance. `found`: what is proved.
std::optional<Picture> singular_values_picture(const Case& c, const Claim& claim, const std::string& found);

/// The picture as a file of its own, its words in it. Precondition: it has an svg.
std::string svg_file(const Picture& picture);

/// What gnuplot draws for a script that does not set the terminal; empty when it is not installed or fails.
std::string gnuplot_svg(const std::string& script, int width, int height);

}  // namespace attest
