// The page of a sweep: the numbers of all cells as JSON in the page, heat maps drawn from them by a script,
// and a summary that needs no script.
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

}  // namespace

std::string head_of_maps(const std::string& title) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\">\n<title>" +
         title + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>" + kReportStyle + kAtlasStyle +
         "</style>\n</head>\n";
}

std::string atlas_page(const Sweep& sweep, const Cells& cells, const std::string& json, bool certificates) {
  struct Counts {
    std::size_t cells = 0, decided = 0, above = 0, hull = 0, random = 0, trained = 0, functional = 0,
                more = 0;
  };
  std::map<std::string, Counts> counts;
  std::vector<std::string> order;
  for (const auto& [at, r] : cells) {
    const Cell& cell = *at;
    const std::string kind = cell.family + ", " + (cell.fresh ? "fresh" : "shared");
    if (counts.count(kind) == 0) order.push_back(kind);
    Counts& c = counts[kind];
    ++c.cells;
    c.decided += r.capacity.first == r.capacity.second;
    c.above += r.capacity.first > r.paper;
    c.hull += r.capacity.first == r.hull;
    c.random += r.random.first == r.capacity.second;
    c.trained += r.trained.first == r.capacity.second;
    c.functional += r.functional && r.functional->first == r.functional->second;
    c.more += r.functional && r.functional->first > r.capacity.second;
  }
  std::string data = json;
  for (std::size_t at = 0; (at = data.find('<', at)) != std::string::npos;) data.replace(at, 1, "\\u003c");
  const std::string title = escaped(sweep.title.empty() ? "An atlas of capacities" : sweep.title);
  std::ostringstream out;
  out << head_of_maps(title) << "<body data-kept=\"" << (certificates ? "yes" : "no")
      << "\">\n<header>\n<h1><bdi>" << title << "</bdi></h1>\n<p>" << sweep.cells.size()
      << " cells, each a data set and the shape of a layer. The capacity is the largest rank of Z over all "
         "weights of the "
         "shape; an interval where its proved bounds do not meet. Every number is proved in exact arithmetic "
         "by attest "
      << ATTEST_VERSION << " and has a certificate."
      << (sweep.functional_dimension
              ? " The functional dimension is the largest rank, over all weights, of the derivative of the T "
                "outputs by keys, queries and read-out. Where it is T, some weights fit an open set of "
                "labels, "
                "which is not all labels; where it is less, those that any weights fit are a null set, which "
                "is "
                "not none."
              : "")
      << "</p>\n</header>\n<main>\n<h2>Heat maps</h2>\n<noscript><p "
         "class=\"alarm\">The heat maps need "
         "scripts; the summary below does not.</p></noscript>\n<fieldset id=\"controls\"><legend>Which "
         "cells</legend></fieldset>\n"
         "<p id=\"shown\" class=\"quiet\" aria-live=\"polite\"></p>\n<div id=\"maps\"></div>\n<div "
         "id=\"cell\" "
         "aria-live=\"polite\"></div>\n<h2>Summary</h2>\n<div class=\"scroll\" tabindex=\"0\"><table "
         "id=\"summary\">\n<thead><tr><th "
         "scope=\"col\">data, "
         "contexts</th><th scope=\"col\">cells</th><th scope=\"col\">capacity decided</th><th "
         "scope=\"col\">above the paper's "
         "bound</th><th scope=\"col\">the hull's bound is reached</th><th scope=\"col\">random weights reach "
         "the capacity</th><th "
         "scope=\"col\">trained-like weights reach it</th>"
      << (sweep.functional_dimension ? "<th scope=\"col\">functional dimension decided</th><th "
                                       "scope=\"col\">above the capacity</th>"
                                     : "")
      << "</tr></thead>\n<tbody>\n";
  for (const std::string& kind : order) {
    const Counts& c = counts[kind];
    out << "<tr><th scope=\"row\">" << escaped(kind) << "</th><td>" << c.cells << "</td>";
    std::vector<std::size_t> shown = {c.decided, c.above, c.hull, c.random, c.trained};
    if (sweep.functional_dimension) shown.insert(shown.end(), {c.functional, c.more});
    for (const std::size_t count : shown) out << "<td>" << count_and_share(count, c.cells) << "</td>";
    out << "</tr>\n";
  }
  out << "</tbody>\n</table></div>\n<ul class=\"quiet\">\n";
  for (const Family& family : families())
    if (counts.count(std::string(family.name) + ", shared") +
            counts.count(std::string(family.name) + ", fresh") >
        0)
      out << "<li><strong>" << family.name << "</strong>: " << escaped(family.says) << "</li>\n";
  out << "</ul>\n</main>\n<script type=\"application/json\" id=\"data\">" << data << "</script>\n<script>"
      << kMapsScript << kAtlasScript << "</script>\n</body>\n</html>\n";
  return out.str();
}

}  // namespace attest
