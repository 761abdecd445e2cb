// The page of a sweep: the numbers of all cells as JSON in the page, heat maps drawn from them by a script,
// and a summary that needs no script.
#include <functional>
#include <map>
#include <sstream>

#include "base/text.hpp"
#include "farm/explore/atlas_style.hpp"
#include "farm/explore/results.hpp"
#include "page/report_style.hpp"
#include "words/markup.hpp"

namespace attest {
namespace {

std::string count_and_share(std::size_t count, std::size_t all) {
  return std::to_string(count) + " (" + std::to_string(all == 0 ? 0 : 100 * count / all) + " %)";
}

/// The words of a page, and its summary: the headings of a table and the groups of cells that are its rows,
/// each with how many of them have what the heading says.
struct Words {
  const char* title;
  std::string about;
  const char* group;
  std::vector<const char*> headings;
  std::function<std::string(const Cell&)> group_of;
  std::function<std::vector<bool>(const CellResult&, const Cell&)> has;
};

bool decided(const CellResult::Interval& x) {
  return x.first == x.second;
}

const Words kStacks = {
    "Dimensions of stacks",
    "each a stack of layers of softmax attention on random sequences, whose outputs are those of all "
    "positions. The functional dimension is the largest rank, over all weights, of the derivative of the "
    "outputs by all weights of all layers: that of the space of the functions that such stacks are. Beside "
    "it stands what is left of the number of weights when the symmetries within and between layers are taken "
    "off; for one head and no residual connections it is the number of Conjecture 3.10 of Henry, Marchetti "
    "and Kohn. Where the two agree, the weights of almost all such functions have the dimension of the "
    "symmetries and no more; that the symmetries are all, as the conjecture has it, is not proved.",
    "layers",
    {"dimension decided", "the formula"},
    [](const Cell& cell) {
      return std::to_string(cell.layers) + (cell.residual ? ", residual connections" : "");
    },
    [](const CellResult& r, const Cell& cell) {
      return std::vector<bool>{decided(*r.functional), r.functional->first == stack_formula(cell)};
    }};

Words words_of(const Sweep& sweep) {
  if (sweep.stacks) return kStacks;
  Words words = {"An atlas of capacities",
                 "each a data set and the shape of a layer. The capacity is the largest rank of Z over all "
                 "weights of the shape; an interval where its proved bounds do not meet.",
                 "data, contexts",
                 {"capacity decided", "above the paper's bound", "the hull's bound is reached",
                  "random weights reach the capacity", "trained-like weights reach it"},
                 [](const Cell& cell) { return cell.family + ", " + (cell.fresh ? "fresh" : "shared"); },
                 [](const CellResult& r, const Cell&) {
                   std::vector<bool> has = {decided(r.capacity), r.capacity.first > r.paper,
                                            r.capacity.first == r.hull, r.random.first == r.capacity.second,
                                            r.trained.first == r.capacity.second};
                   if (r.functional)
                     has.insert(has.end(), {decided(*r.functional), r.functional->first > r.capacity.second});
                   return has;
                 }};
  if (!sweep.functional_dimension) return words;
  words.about +=
      " The functional dimension is the largest rank, over all weights, of the derivative of the T outputs "
      "by keys, queries and read-out. Where it is T, some weights fit an open set of labels, which is not "
      "all labels; where it is less, those that any weights fit are a null set, which is not none.";
  words.headings.insert(words.headings.end(), {"functional dimension decided", "above the capacity"});
  return words;
}

}  // namespace

std::string head_of_maps(const std::string& title) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\">\n<title>" +
         title + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>" + kReportStyle + kAtlasStyle +
         "</style>\n</head>\n";
}

std::string atlas_page(const Sweep& sweep, const Cells& cells, const std::string& json, bool certificates) {
  const Words words = words_of(sweep);
  struct Counts {
    std::size_t cells = 0;
    std::vector<std::size_t> having;
  };
  std::map<std::string, Counts> counts;
  std::vector<std::string> order;
  for (const auto& [cell, r] : cells) {
    const std::string group = words.group_of(*cell);
    if (counts.count(group) == 0) order.push_back(group);
    Counts& c = counts[group];
    ++c.cells;
    c.having.resize(words.headings.size());
    const std::vector<bool> has = words.has(r, *cell);
    for (std::size_t k = 0; k < has.size(); ++k) c.having[k] += has[k];
  }
  std::string data = json;
  for (std::size_t at = 0; (at = data.find('<', at)) != std::string::npos;) data.replace(at, 1, "\\u003c");
  const std::string title = escaped(sweep.title.empty() ? words.title : sweep.title);
  std::ostringstream out;
  out << head_of_maps(title) << "<body data-kept=\"" << (certificates ? "yes" : "no")
      << "\">\n<header>\n<h1><bdi>" << title << "</bdi></h1>\n<p>" << sweep.cells.size() << " cells, "
      << words.about << " Every number is proved in exact arithmetic by attest " << ATTEST_VERSION
      << " and has a certificate."
      << "</p>\n</header>\n<main>\n<h2>Heat maps</h2>\n<noscript><p class=\"alarm\">The heat maps need "
         "scripts; the summary below does not.</p></noscript>\n<fieldset id=\"controls\"><legend>Which "
         "cells</legend></fieldset>\n<p id=\"shown\" class=\"quiet\" aria-live=\"polite\"></p>\n<div "
         "id=\"maps\"></div>\n<div id=\"cell\" aria-live=\"polite\"></div>\n<h2>Summary</h2>\n<div "
         "class=\"scroll\" tabindex=\"0\"><table id=\"summary\">\n<thead><tr><th scope=\"col\">"
      << words.group << "</th><th scope=\"col\">cells</th>";
  for (const char* const heading : words.headings) out << "<th scope=\"col\">" << heading << "</th>";
  out << "</tr></thead>\n<tbody>\n";
  for (const std::string& group : order) {
    const Counts& c = counts[group];
    out << "<tr><th scope=\"row\">" << escaped(group) << "</th><td>" << c.cells << "</td>";
    for (const std::size_t count : c.having) out << "<td>" << count_and_share(count, c.cells) << "</td>";
    out << "</tr>\n";
  }
  out << "</tbody>\n</table></div>\n";
  std::string says;
  for (const Family& family : families())
    if (counts.count(std::string(family.name) + ", shared") +
            counts.count(std::string(family.name) + ", fresh") >
        0)
      says += std::string("<li><strong>") + family.name + "</strong>: " + escaped(family.says) + "</li>\n";
  if (!says.empty()) out << "<ul class=\"quiet\">\n" << says << "</ul>\n";
  out << "</main>\n<script type=\"application/json\" id=\"data\">" << data << "</script>\n<script>"
      << kMapsScript << kAtlasScript << "</script>\n</body>\n</html>\n";
  return out.str();
}

}  // namespace attest
