// The page of a survey: heat maps of layers and of their heads, and beside each number what proves it. All of
// it is there without scripts.
#include <algorithm>
#include <map>
#include <sstream>

#include "farm/explore/atlas_style.hpp"
#include "farm/explore/results.hpp"
#include "farm/survey/survey.hpp"
#include "words/markup.hpp"

namespace attest {
namespace {

std::string text_of(const Json& json) {
  return escaped(json.is_string() ? json.get<std::string>() : json.dump());
}

// A path as an address.
std::string address_of(const std::string& path) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string address;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string("._-/").find(c) != std::string::npos;
    address += plain ? std::string(1, c) : std::string{'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return address;
}

// "numerical rank"
std::string in_words(std::string quantity) {
  std::replace(quantity.begin(), quantity.end(), '_', ' ');
  return escaped(quantity);
}

std::string number_text(const Json& cell) {
  return text_of(cell["lower"]) + (cell["lower"] == cell["upper"] ? "" : "–" + text_of(cell["upper"]));
}

// A map: a row for each layer, columns by name, and the number of the cell at each place.
struct HeatMap {
  std::string title, corner;
  std::vector<std::string> columns;
  std::map<std::pair<std::string, std::string>, std::size_t> cells;  ///< by layer and column

  void add(const std::string& layer, const std::string& column, std::size_t cell) {
    if (std::ranges::count(columns, column) == 0) columns.push_back(column);
    cells[{layer, column}] = cell;
  }
};

// The shade: the middle of the bounds as a share of the largest in the column, or in the whole map.
double share(const Json& cell, double most) {
  const auto value = [&](const char* key) { return cell[key].is_number() ? cell[key].get<double>() : most; };
  return most > 0 ? (value("lower") + value("upper")) / 2 / most : 0;
}

void write_map(std::ostream& out, const HeatMap& map, const Json& survey, bool by_column) {
  const Json& cells = survey["cells"];
  std::map<std::string, double> most;
  for (const auto& [place, cell] : map.cells) {
    double& largest = most[by_column ? place.second : ""];
    const Json& upper = cells[cell]["upper"];
    if (upper.is_number()) largest = std::max(largest, upper.get<double>());
  }
  out << "<section><h3>" << map.title
      << "</h3>\n<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">" << map.corner
      << "</th>";
  for (const std::string& column : map.columns) out << "<th scope=\"col\">" << in_words(column) << "</th>";
  out << "</tr></thead>\n<tbody>\n";
  for (const Json& layer : survey["layers"]) {
    const std::string name = layer["name"].get<std::string>();
    if (std::ranges::none_of(map.cells, [&](const auto& c) { return c.first.first == name; })) continue;
    out << "<tr><th scope=\"row\" class=\"name\"><bdi>" << escaped(name) << "</bdi></th>";
    for (const std::string& column : map.columns) {
      const auto found = map.cells.find({name, column});
      if (found == map.cells.end()) {
        out << "<td></td>";
        continue;
      }
      const Json& cell = cells[found->second];
      out << "<td><a id=\"m" << found->second << "\" href=\"#c" << found->second << "\""
          << (cell["lower"] == cell["upper"] ? "" : " class=\"open\"")
          << " style=\"--f:" << share(cell, most[by_column ? column : ""]) << "\" aria-label=\""
          << escaped(name) << ", " << map.title << ", " << in_words(column) << ": " << number_text(cell)
          << "\">" << number_text(cell) << "</a></td>";
    }
    out << "</tr>\n";
  }
  out << "</tbody></table></div></section>\n";
}

void write_detail(std::ostream& out, const Json& cell, std::size_t k) {
  const std::string certificate = cell["certificate"].get<std::string>();
  out << "<section class=\"detail\" id=\"c" << k << "\"><a class=\"up\" href=\"#m" << k
      << "\">to the map</a><h3><bdi>" << text_of(cell["layer"]) << "</bdi>"
      << (cell["head"].is_null() ? "" : ", head " + text_of(cell["head"])) << "</h3>\n<p class=\"words\">"
      << text_of(cell["words"]) << "</p>\n<p>Proved by <a href=\"" << address_of(certificate) << "\">claim "
      << text_of(cell["claim"]) << " of <bdi>" << escaped(certificate) << "</bdi>"
      << "</a> beside this page, which the independent checker has accepted"
      << ".</p></section>\n";
}

}  // namespace

std::string survey_page(const Json& survey) {
  const Json& cells = survey["cells"];
  HeatMap layers{"Layers", "layer", {}, {}};
  std::vector<HeatMap> heads;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const std::string layer = cells[k]["layer"].get<std::string>(),
                      quantity = cells[k]["quantity"].get<std::string>();
    if (cells[k]["head"].is_null()) {
      layers.add(layer, quantity, k);
      continue;
    }
    const std::string title = in_words(quantity) + " by head";
    auto map = std::ranges::find(heads, title, &HeatMap::title);
    if (map == heads.end()) map = heads.insert(map, {title, "layer \\ head", {}, {}});
    map->add(layer, cells[k]["head"].dump(), k);
  }
  std::ostringstream out;
  out << head_of_maps("A survey of attention layers")
      << "<body>\n<header>\n<h1>A survey of attention layers</h1>\n<p>Row t of Z holds, head by head, the "
         "means of the tokens that the softmax weights of example t give; the capacity is its largest rank "
         "over all keys and queries without biases. Every number is proved in exact "
         "arithmetic by attest "
      << text_of(survey["attest"])
      << "; an interval stands where its proved bounds do not meet. The shade is the share of the largest "
         "number of the column, or of the map by heads. <code>attest check layers</code> checks all "
         "certificates again.</p>\n</header>\n<main>\n<div id=\"maps\">\n";
  write_map(out, layers, survey, true);
  for (const HeatMap& map : heads) write_map(out, map, survey, false);
  out << "</div>\n";
  for (std::size_t k = 0; k < cells.size(); ++k) write_detail(out, cells[k], k);
  out << "<h2>The layers</h2>\n<div class=\"scroll\" tabindex=\"0\"><table id=\"summary\">\n<thead><tr><th "
         "scope=\"col\">layer</th><th scope=\"col\">T</th><th scope=\"col\">n</th><th "
         "scope=\"col\">d</th><th scope=\"col\">H</th></tr></thead>\n<tbody>\n";
  for (const Json& layer : survey["layers"]) {
    out << "<tr><th scope=\"row\"><bdi>" << text_of(layer["name"]) << "</bdi></th>";
    for (const char* const size : {"examples", "context", "embed_dim", "heads"})
      out << "<td>" << (layer.contains("shape") ? text_of(layer["shape"][size]) : "") << "</td>";
    out << "</tr>\n";
  }
  out << "</tbody>\n</table></div>\n<ul class=\"quiet\">\n";
  for (const Json& layer : survey["layers"])
    for (const char* const list : {"notes", "not_asked"})
      for (const Json& line : layer[list])
        out << "<li><bdi>" << text_of(layer["name"])
            << "</bdi>: " << (list == std::string("notes") ? "" : "not asked: ") << text_of(line)
            << "</li>\n";
  out << "</ul>\n</main>\n<script>" << kMapsScript << "</script>\n</body>\n</html>\n";
  return out.str();
}

}  // namespace attest
