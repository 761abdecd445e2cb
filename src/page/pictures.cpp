#include "page/pictures.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <map>
#include <regex>
#include <sstream>

#include "problem/numbers.hpp"
#include "search/arithmetic/equal_rows.hpp"
#include "search/binary64.hpp"
#include "search/character_z.hpp"
#include "words/markup.hpp"

extern char** environ;

namespace attest {
namespace {

constexpr int kWidth = 480;
// Readable on white and on near-black alike; the grey is half transparent (#AARRGGBB).
constexpr const char *kBlue = "#0072b2", *kOrange = "#d55e00", *kGrey = "#808a8f98";

constexpr std::size_t kFewestCells = 8;           // T H, below which it would show nothing
constexpr std::size_t kFewestValues = 4;          // singular values
constexpr std::size_t kMostSquares = 1000000000;  // operations of about a second
constexpr std::size_t kMostEntries = 10000000;    // of tokens that are compared
constexpr double kSaturated = 0.99;               // Appendix H

// gnuplot's output for a script on its standard input.
std::string run_gnuplot(const std::string& script) {
  // A file as standard input: neither side ever waits for the other to read.
  std::FILE* input = std::tmpfile();
  if (input == nullptr) return "";
  std::fwrite(script.data(), 1, script.size(), input);
  std::fflush(input);
  std::rewind(input);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    std::fclose(input);
    return "";
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ::fileno(input), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  // -d: the user's settings must not change the picture.
  std::string name = "gnuplot", defaults = "-d";
  char* arguments[] = {name.data(), defaults.data(), nullptr};
  pid_t pid = -1;
  const bool started = ::posix_spawnp(&pid, "gnuplot", &actions, nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string output;
  char buffer[1 << 16];
  for (ssize_t got; started && (got = ::read(ends[0], buffer, sizeof buffer)) != 0;) {
    if (got > 0)
      output.append(buffer, static_cast<std::size_t>(got));
    else if (errno != EINTR)
      break;
  }
  ::close(ends[0]);
  std::fclose(input);
  int status = 0;
  if (!started) return "";
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? output : "";
}

// Only the drawing: no definitions and ids (they would clash), no titles of gnuplot's (they would pop up),
// colours of the page.
std::string tidy(const std::string& svg, int width, int height) {
  const std::size_t begin = svg.find("</defs>"), end = svg.rfind("</g>");
  if (begin == std::string::npos || end == std::string::npos || begin > end) return "";
  std::string body = svg.substr(begin + 7, end - begin - 7);
  auto replace = [&](const char* pattern, const char* by) {
    body = std::regex_replace(body, std::regex(pattern), by);
  };
  // Marks of the types 7 (disc) and 4 (square) as shapes of their own.
  replace("<use xlink:href='#gpPt6' transform='(translate\\([^)]*\\)) scale\\([^)]*\\)' color='([^']*)'/>",
          "<circle transform='$1' r='4' fill='$2' stroke='none'/>");
  replace("<use xlink:href='#gpPt3' transform='(translate\\([^)]*\\)) scale\\([^)]*\\)' color='([^']*)'/>",
          "<rect transform='$1' x='-4' y='-4' width='8' height='8' stroke='$2' stroke-width='2'/>");
  replace("<title>[^<]*</title>", "");
  replace(" id=\"[^\"]*\"", "");
  replace(" color=\"[^\"]*\"", "");
  replace("stroke='black'", "stroke='currentColor'");
  replace("fill=\"black\"", "fill=\"currentColor\"");
  replace("rgb\\( *([0-9]+), *([0-9]+), *([0-9]+)\\)", "rgb($1,$2,$3)");
  replace("<image ", "<image image-rendering=\"pixelated\" ");  // each cell its own colour
  replace(" font-family=\"[^\"]*\"", "");
  replace(" stroke-width=\"1.00\" stroke-linecap=\"butt\" stroke-linejoin=\"miter\"", "");
  replace("<g fill=\"none\" stroke=\"[^\"]*\"[^>]*>\\s*</g>\n", "");
  replace("\\s*\n\\s*", "\n");
  return "<svg viewBox=\"0 0 " + std::to_string(width) + " " + std::to_string(height) +
         "\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" role=\"img\">" + body + "</svg>";
}

// Ticks at integers, at most about eight: "1,2" for set xtics.
std::string integer_ticks(std::size_t from, std::size_t to) {
  std::size_t step = 1;
  for (const std::size_t factor : {2, 5, 10})
    if ((to - from) / step > 8) step = factor;
  while ((to - from) / step > 8) step *= 2;
  return std::to_string(from / step * step) + "," + std::to_string(step);
}

std::string common_settings() {
  return "set encoding utf8\nset border 3\nset lmargin 8\nset rmargin 2\nset tics nomirror out scale "
         "0.6\nset key tmargin left Left reverse vertical samplen 2\n";
}

std::string superscript(long exponent) {
  static const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::labs(exponent))) text += kDigits[digit - '0'];
  return text;
}

// "'10⁻⁴' -4, '10⁻²' -2" for exponents in an interval, multiples of some of `unit`s: at most about eight.
std::string power_ticks(const std::string& base, double lower, double upper, long unit) {
  const long first = static_cast<long>(std::floor(lower)), last = static_cast<long>(std::ceil(upper));
  const long step = std::max(unit, (last - first) / (8 * unit) * unit);
  std::string ticks;
  for (long e = first - (first % step + step) % step; e <= last; e += step)
    if (e >= first) ticks += (ticks.empty() ? "'" : ", '") + base + superscript(e) + "' " + std::to_string(e);
  return ticks;
}

std::string joined(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (std::size_t k = 0; k < numbers.size(); ++k) text += (k == 0 ? "" : ", ") + std::to_string(numbers[k]);
  return text;
}

// The least proved upper bound of a quantity, by the facts of the steps.
std::optional<std::size_t> proved_upper(const Json& steps, const std::string& quantity) {
  std::optional<std::size_t> least;
  const std::string start = quantity + " <= ";
  for (const Json& step : steps) {
    const std::string fact = step["fact"].get<std::string>();
    if (!fact.starts_with(start)) continue;
    const std::size_t bound = std::stoul(fact.substr(start.size()));
    least = std::min(least.value_or(bound), bound);
  }
  return least;
}

// How many different tokens there are; d + 1 when there are more than d, or too many to look at.
std::size_t few_tokens(const Case& c) {
  const std::size_t d = c.layer->embed_dim;
  if (!c.data.contexts || c.data.contexts->size() > kMostEntries) return d + 1;
  return std::min(d + 1, count_distinct_rows(*c.data.contexts, d));
}

// The affine hull bound with 1, ..., `heads` heads.
std::vector<std::size_t> hull_bounds(const Case& c, const Json& steps, std::size_t heads) {
  const std::size_t tokens = few_tokens(c), d = c.layer->embed_dim,
                    affine = std::min(tokens, proved_upper(steps, "rank(affine-tokens)").value_or(d + 1)),
                    linear = std::min({tokens, d, proved_upper(steps, "rank(tokens)").value_or(d)});
  std::vector<std::size_t> bounds;
  for (std::size_t h = 1; h <= heads; ++h)
    bounds.push_back(
        std::min({c.layer->examples, h * linear, h * (std::max<std::size_t>(affine, 1) - 1) + 1}));
  return bounds;
}

RationalVector vector_of(const Json& vector) {
  RationalVector result;
  result.den = mpz_class(vector["den"].get<std::string>());
  for (const Json& x : vector["num"]) result.num.emplace_back(x.get<std::string>());
  return result;
}

// The layer that a `let` defines by its heads; with `lambda`, that in place of the lambda of every separator.
AttentionLayer layer_of(const Case& c, const Json& let, const std::optional<mpq_class>& lambda) {
  std::vector<HeadFactors> heads;
  for (const Json& head : let["layer"]["heads"]) {
    HeadFactors& factors = heads.emplace_back();
    for (const Json& key : head["key"]) factors.key.push_back(vector_of(key));
    for (const Json& query : head["query"]) factors.query.push_back(vector_of(query));
    if (!head.contains("separator")) continue;
    const Json& separator = head["separator"];
    const mpq_class factor = lambda.value_or(parse_number(separator["lambda"].get<std::string>()));
    factors.key.push_back(vector_of(separator["u"]));
    factors.query.push_back(vector_of(separator["v"]));
    for (mpz_class& x : factors.query.back().num) x *= factor.get_num();
    factors.query.back().den *= factor.get_den();
  }
  return {c, std::move(heads)};
}

double share(std::size_t part, std::size_t all) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

std::string percent(std::size_t part, std::size_t all) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(part == 0 || part == all ? 0 : 1) << share(part, all) << "%";
  return out.str();
}

}  // namespace

std::string gnuplot_svg(const std::string& script, int width, int height) {
  std::ostringstream all;
  all << "set terminal svg size " << width << "," << height << " dynamic noenhanced font 'sans-serif,14'\n"
      << script;
  return tidy(run_gnuplot(all.str()), width, height);
}

namespace {

struct RanksByHead {
  std::vector<std::size_t> ranks, paper, hull;
};

// With the bounds of the paper and of the affine hull for as many heads.
RanksByHead with_bounds(const Case& c, const Json& steps, std::size_t r, std::vector<std::size_t> ranks) {
  RanksByHead all{std::move(ranks), {}, {}};
  all.hull = hull_bounds(c, steps, all.ranks.size());
  for (std::size_t h = 1; h <= all.ranks.size(); ++h)
    all.paper.push_back(r == 0 ? 0 : std::min(c.layer->examples, h * (r - 1) + 1));
  return all;
}

Picture draw(const RanksByHead& all, const std::string& title, const std::string& dots, std::size_t r) {
  const std::size_t heads = all.ranks.size();
  Picture picture;
  picture.title = title;
  picture.caption = "Dots: " + dots +
                    " Grey: the paper's bound min(T, h(r − 1) + 1), r = " + std::to_string(r) +
                    ". Dashes: the least of T, hd and the affine hull bound, which no weights exceed. Where "
                    "a dot lies on the dashes, the rank is the largest possible.";
  picture.data =
      (heads == 1 ? "After the only head: rank " : "After heads 1 to " + std::to_string(heads) + ": rank ") +
      joined(all.ranks) + "; the paper's bound " + joined(all.paper) + "; the affine hull bound " +
      joined(all.hull) + ".";
  std::ostringstream script;
  script << common_settings() << "$data << EOD\n";
  for (std::size_t h = 0; h < heads; ++h)
    script << h + 1 << " " << all.ranks[h] << " " << all.paper[h] << " " << all.hull[h] << "\n";
  const std::size_t top = std::max({all.ranks.back(), all.paper.back(), all.hull.back()});
  script << "EOD\nset xrange [0.5:" << heads << ".5]\nset yrange [0:" << static_cast<double>(top) * 1.06
         << "]\nset xtics " << integer_ticks(1, heads) << "\nset ytics " << integer_ticks(0, top)
         << "\nset xlabel 'h, number of heads'\nset ylabel 'rank'\n"
         << "plot $data using 1:3 with linespoints lw 9 pt 7 ps 0.9 lc rgb '" << kGrey
         << "' title 'the paper: min(T, h(r − 1) + 1)', "
         << "$data using 1:4 with lines lw 2 dt (6,4) lc rgb '" << kOrange
         << "' title 'at most, by the affine hull of the tokens', "
         << "$data using 1:2 with points pt 7 ps 0.9 lc rgb '" << kBlue
         << "' title 'rank reached with h heads'\n";
  picture.svg = gnuplot_svg(script.str(), kWidth, 330);
  return picture;
}

}  // namespace

std::optional<Picture> construction_picture(const Case& c, const Json& steps) {
  if (!c.layer) return std::nullopt;
  // Heads with separators are the paper's. The rank is that of the minor which follows.
  const auto let = std::find_if(steps.begin(), steps.end(), [](const Json& step) {
    return step["rule"] == "let" && step["layer"].contains("heads") &&
           std::ranges::any_of(step["layer"]["heads"],
                               [](const Json& head) { return head.contains("separator"); });
  });
  if (let == steps.end() || let + 1 == steps.end() || !(let + 1)->contains("g")) return std::nullopt;
  const Json& minor = *(let + 1);
  const std::uint64_t p = minor["p"].get<std::uint64_t>();
  const Character character{p, (p - 1) / 2, minor["g"].get<std::uint64_t>()};
  const auto found = rank_under(layer_of(c, *let, std::nullopt), character, minor["rows"].size());
  if (!found) return std::nullopt;
  std::size_t r = std::min(c.layer->context, c.layer->head_dim);
  // Remark 1: the Kruskal rank counts when it is smaller.
  if (const auto kruskal = proved_upper(steps, "kruskal(queries)")) r = std::min(r, *kruskal);
  return draw(with_bounds(c, steps, r, found->after_head), "Rank of Z after each head of the construction",
              "the rank that the first h heads reach, of which the certificate proves the last.", r);
}

Picture heads_picture(const Case& c, const Json& steps, const std::vector<std::size_t>& ranks) {
  const std::size_t r = std::min(c.layer->context, c.layer->head_dim);
  return draw(
      with_bounds(c, steps, r, ranks), "Rank of Z after each head of the given weights",
      "what the rank of the first h heads is at least, by one character; the certificate proves the last.",
      r);
}

std::optional<Picture> capacity_picture(const Json& claims) {
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> bounds;  // by the number of heads
  for (const Json& claim : claims) {
    if (claim["statement"] != "capacity" || !claim.contains("heads")) continue;
    const Json &capacity = claim["capacity"], &heads = claim["heads"];
    if (!capacity["upper"].is_number() || !heads.is_number()) continue;
    bounds[heads.get<std::uint64_t>()] = {capacity["lower"].get<std::uint64_t>(),
                                          capacity["upper"].get<std::uint64_t>()};
  }
  if (bounds.size() < 2) return std::nullopt;
  Picture picture;
  picture.title = "Capacity by the number of heads";
  picture.caption =
      "How many examples H heads can memorize: the largest rank of Z over all key and query weights. A bar "
      "joins its bounds where they do not meet. A further head never adds more than the one before.";
  picture.data = "Capacity";
  std::ostringstream script;
  script << common_settings() << "$data << EOD\n";
  std::uint64_t top = 1;
  for (const auto& [heads, its] : bounds) {
    const auto& [lower, upper] = its;
    script << heads << " " << lower << " " << upper << "\n";
    picture.data += (picture.data == "Capacity" ? " " : ", ") + std::to_string(lower) +
                    (lower == upper ? "" : " to " + std::to_string(upper)) +
                    " with H = " + std::to_string(heads);
    top = std::max(top, upper);
  }
  picture.data += ".";
  const std::uint64_t first = bounds.begin()->first, last = bounds.rbegin()->first;
  script << "EOD\nset xrange [" << static_cast<double>(first) - 0.5 << ":" << static_cast<double>(last) + 0.5
         << "]\nset yrange [0:" << static_cast<double>(top) * 1.06 << "]\nset xtics "
         << integer_ticks(first, last) << "\nset ytics " << integer_ticks(0, top)
         << "\nset xlabel 'H, number of heads'\nset ylabel 'capacity'\nunset key\n"
         << "plot $data using 1:2:2:3 with yerrorbars pt 0 lw 2 lc rgb '" << kOrange
         << "', $data using 1:2 with linespoints lw 2 pt 7 ps 0.9 lc rgb '" << kBlue << "'\n";
  picture.svg = gnuplot_svg(script.str(), kWidth, 330);
  return picture;
}

std::string svg_file(const Picture& picture) {
  const std::string start = "<svg ";
  return start + "xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\" " +
         picture.svg.substr(start.size(), picture.svg.find('>') + 1 - start.size()) + "\n<title>" +
         escaped(picture.title) + "</title>\n<desc>" + escaped(picture.caption + " " + picture.data) +
         "</desc>\n" + picture.svg.substr(picture.svg.find('>') + 1) + "\n";
}

std::optional<Picture> sweep_picture(const Case& c, const Json& steps) {
  if (!c.layer) return std::nullopt;
  struct Point {
    double exponent;  // log2 lambda
    std::size_t lower, upper, binary64;
  };
  std::vector<Point> points;
  std::size_t left_out = 0, top = 1;
  bool exact = true;
  std::optional<mpq_class> all_above;
  const std::size_t most = hull_bounds(c, steps, c.layer->heads).back();
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const Json& step = steps[k];
    if (step["fact"].get<std::string>().starts_with("tail_rank >= "))
      all_above = parse_number(step["lambda"].get<std::string>());
    if (step["rule"] != "let" || !step["layer"].contains("rescaled")) continue;
    const Json& rescaled = step["layer"]["rescaled"];
    const mpq_class lambda = parse_number(rescaled["lambda"].get<std::string>());
    if (lambda <= 0) {
      ++left_out;
      continue;
    }
    std::size_t lower = 0;
    const std::string of = "rank(Z(" + std::to_string(k) + "))";
    for (const Json& other : steps)
      if (other.value("of", "") == of && other["rule"] == "minor")
        lower = std::max(lower, other["rows"].size());
    const AttentionLayer layer = layer_of(c, steps[rescaled["of"].get<std::size_t>()], lambda);
    points.push_back({binary_logarithm(lambda), lower, most, binary64_rank_of_z(layer)});
    exact = exact && lower == most;
    top = std::max({top, most, points.back().binary64});
  }
  if (points.empty()) return std::nullopt;
  std::sort(points.begin(), points.end(),
            [](const Point& a, const Point& b) { return a.exponent < b.exponent; });
  std::size_t lost = 0;
  for (const Point& p : points) lost += p.binary64 < p.lower ? 1 : 0;

  Picture picture;
  picture.title = "Exact rank and binary64 rank over λ";
  picture.caption = "The construction with one λ for all heads. Dots: the exact rank" +
                    std::string(exact ? "" : ", or the interval in which it is proved to lie") +
                    ". Squares: the rank that binary64 reports (singular values above the usual tolerance), "
                    "which decides nothing. " +
                    (lost == 0 ? "Here binary64 loses nothing."
                               : "Binary64 reports too small a rank at " + std::to_string(lost) + " of " +
                                     std::to_string(points.size()) + " values of λ.") +
                    (left_out == 0 ? "" : " A negative λ is not shown.");
  std::ostringstream line;
  if (all_above) {
    const double x = binary_logarithm(*all_above);
    picture.caption += " The rank of the construction is kept for every λ ";
    if (x < points.front().exponent || x > points.back().exponent) {
      std::ostringstream exponent;
      exponent << std::fixed << std::setprecision(1) << x;
      picture.caption += "with log2 λ above " + exponent.str() + ", which is not shown.";
    } else {
      picture.caption += "right of the dashed line.";
      line << "set arrow from " << x << ", graph 0 to " << x << ", graph 1 nohead lw 1 dt (6,4) lc rgb '"
           << kGrey << "'\n";
    }
  }
  std::ostringstream script, data;
  script << common_settings() << "$data << EOD\n";
  for (const Point& p : points) {
    script << std::setprecision(12) << p.exponent << " " << p.lower << " " << p.upper << " " << p.binary64
           << "\n";
    data << (&p == &points[0] ? "" : "; ") << "log2 λ = " << std::setprecision(4) << p.exponent << ": "
         << p.lower;
    if (p.upper != p.lower) data << " to " << p.upper;
    data << " exactly, " << p.binary64 << " in binary64";
  }
  picture.data = data.str() + ".";
  const std::string ticks = power_ticks("2", points.front().exponent, points.back().exponent, 4);
  script << "EOD\nset xrange [" << points.front().exponent - 0.7 << ":" << points.back().exponent + 0.7
         << "]\nset yrange [0:" << static_cast<double>(top) * 1.06 << "]\nset xtics (" << ticks
         << ")\nset ytics " << integer_ticks(0, top) << "\nset xlabel 'λ'\nset ylabel 'rank of Z'\n";
  script << line.str() << "plot ";
  if (!exact)
    script << "$data using 1:2:3 with filledcurves lc rgb '" << kBlue
           << "' fs transparent solid 0.2 noborder title 'exact rank lies here', ";
  script << "$data using 1:2 with linespoints lw 2 pt 7 ps 0.9 lc rgb '" << kBlue << "' title '"
         << (exact ? "exact rank" : "exact rank, at least") << "', "
         << "$data using 1:4 with linespoints lw 1.5 dt (2,3) pt 4 ps 0.9 lc rgb '" << kOrange
         << "' title 'rank in binary64'\n";
  picture.svg = gnuplot_svg(script.str(), kWidth, 320);
  return picture;
}

std::optional<Picture> saturation_picture(const Case& c, std::size_t most) {
  if (!c.weights || !c.layer) return std::nullopt;
  const Dimensions& dims = *c.layer;
  const std::size_t T = dims.examples, H = dims.heads;
  // With one token every coefficient is 1.
  if (dims.context < 2 || T * H < kFewestCells || T * H > most / dims.context) return std::nullopt;
  const std::vector<double> largest = binary64_largest_coefficients(c);
  std::size_t saturated = 0, free_examples = 0;
  for (std::size_t t = 0; t < T; ++t) {
    std::size_t of_example = 0;
    for (std::size_t h = 0; h < H; ++h) of_example += largest[h * T + t] > kSaturated ? 1 : 0;
    saturated += of_example;
    free_examples += of_example < H ? 1 : 0;
  }
  Picture picture;
  picture.title = "Saturation of the given heads by example";
  picture.caption =
      "The largest softmax coefficient of each head at each example. Computed in binary64, for display only; "
      "no verdict rests on it.";
  picture.data = percent(saturated, T * H) +
                 " of the pairs (head, example) are saturated, that is have a coefficient above 0.99; " +
                 percent(free_examples, T) + " of the examples have a head that is not saturated.";
  std::ostringstream script;
  script << "set encoding utf8\n$data << EOD\n" << std::fixed << std::setprecision(4);
  for (std::size_t h = 0; h < H; ++h) {
    for (std::size_t t = 0; t < T; ++t) {
      const double x = largest[h * T + t];
      if (std::isfinite(x))
        script << x << " ";
      else
        script << "NaN ";
    }
    script << "\n";
  }
  // Viridis in twenty steps, so that its legend stays small.
  script << "EOD\nset palette defined (0 '#440154', 0.25 '#3b528b', 0.5 '#21918c', 0.75 '#5ec962', 1 "
            "'#fde725') maxcolors 20\nset cbrange [0:1]\n"
         << "set cbtics 0,0.25 format '%.2f'\nset cblabel 'largest coefficient'\nset xrange [-0.5:" << T - 1
         << ".5]\nset yrange [" << H - 1 << ".5:-0.5]\nset xtics out nomirror " << integer_ticks(0, T - 1)
         << "\nset ytics out nomirror " << integer_ticks(0, H - 1)
         << "\nset xlabel 'example'\nset ylabel 'head'\n"
         << "plot $data matrix with image notitle\n";
  picture.svg = gnuplot_svg(script.str(), kWidth, 190 + static_cast<int>(std::min<std::size_t>(H * 14, 210)));
  return picture;
}

std::optional<Picture> singular_values_picture(const Case& c, const Claim& claim, const std::string& found) {
  if (claim.statement != "numerical-rank" || !c.weights || !c.layer) return std::nullopt;
  const Dimensions& dims = *c.layer;
  const std::size_t T = dims.examples, width = dims.heads * dims.embed_dim, size = std::min(T, width);
  if (size < kFewestValues || T * width > kMostSquares / size) return std::nullopt;
  const std::vector<double> values = binary64_singular_values(c);
  if (values.empty() || values.front() <= 0) return std::nullopt;
  const double tolerance = binary_logarithm(claim.number("tolerance")) * std::log10(2.0);
  // What is below binary64's rounding is drawn on the edge.
  const double top = std::log10(values.front()), least = std::min(top - 17, tolerance - 1);
  const auto above = static_cast<std::size_t>(std::count_if(
      values.begin(), values.end(), [&](double x) { return x > 0 && std::log10(x) > tolerance; }));
  Picture picture;
  picture.title = "Singular values of Z around the tolerance";
  picture.caption =
      "Dots: singular values in binary64, the largest first, which decide nothing; those below its rounding "
      "errors are mere noise. Dashes: the tolerance. Proved: " +
      found + ".";
  std::ostringstream data, script;
  data << std::setprecision(4) << "In binary64 " << above << " of " << size
       << " singular values are above the tolerance; around it";
  for (std::size_t k = above - std::min<std::size_t>(above, 3); k < std::min(size, above + 3); ++k)
    data << (k + 3 <= above || k == 0 ? " " : ", ") << values[k];
  picture.data = data.str() + ".";
  script << common_settings() << "$data << EOD\n" << std::setprecision(6);
  for (std::size_t k = 0; k < size; ++k)
    script << k << " " << (values[k] > 0 ? std::max(std::log10(values[k]), least) : least) << "\n";
  script << "EOD\nset xrange [-0.5:" << size - 1 << ".5]\nset yrange [" << least << ":"
         << std::max(top, tolerance) + 0.5 << "]\nset xtics " << integer_ticks(0, size - 1) << "\nset ytics ("
         << power_ticks("10", least, std::max(top, tolerance), 2) << ")\nset arrow from graph 0, first "
         << tolerance << " to graph 1, first " << tolerance << " nohead lw 2 dt (6,4) lc rgb '" << kOrange
         << "'\nset xlabel 'index'\nset ylabel 'singular value'\nplot $data using 1:2 with points pt 7 ps "
            "0.6 lc rgb '"
         << kBlue << "' title 'singular values in binary64'\n";
  picture.svg = gnuplot_svg(script.str(), kWidth, 320);
  return picture;
}

}  // namespace attest
