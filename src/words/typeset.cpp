#include "words/typeset.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "words/markup.hpp"
#include "words/step_words.hpp"

namespace attest {
namespace {

constexpr std::array<std::string_view, 26> kFunctions = {
    "rank",  "min",  "max",  "kruskal", "distinct", "size",     "sum",     "log",       "exp",
    "dim",   "rows", "cols", "heads",   "moving",   "in_shape", "network", "fractions", "varying",
    "equal", "sqrt", "log2", "decided", "softmax",  "mean",     "spread",  "parameters"};
// Quantities that have names of several letters and no arguments.
constexpr std::array<std::string_view, 14> kNames = {
    "capacity", "tail_rank", "value",   "at_least",  "at_most",      "off_moment_curve", "vertex_limit",
    "one_hot",  "readout",   "neurons", "separator", "perturbation", "output_bias",      "weights"};
constexpr std::array<std::string_view, 7> kRelations = {"≤", "≥", "=", "<", ">", "≠", "→"};
constexpr std::array<std::string_view, 7> kGreek = {"λ", "ε", "γ", "α", "σ", "φ", "μ"};

template <typename Words>
bool among(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool digit(char c) {
  return c >= '0' && c <= '9';
}
bool letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string mark(const char* tag, std::string_view content) {
  return std::string("<") + tag + ">" + escaped(std::string(content)) + "</" + tag + ">";
}

std::string fence(char sign) {
  return std::string("<mo stretchy=\"false\">") + sign + "</mo>";
}

// One formula from a place of a text on. Each reader returns MathML, or nothing and leaves the place alone.
class Formula {
public:
  Formula(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  std::string read() { return relation(); }
  std::size_t end() const { return at_; }
  /// Whether it is more than a letter or number, which might be anything.
  bool certain() const { return certain_; }

private:
  static constexpr int kDepth = 24;

  bool next(std::string_view sign) const { return text_.substr(at_).starts_with(sign); }
  bool take(std::string_view sign) {
    if (!next(sign)) return false;
    at_ += sign.size();
    return true;
  }
  // A sign with blanks around it, or with none.
  bool take_spaced(std::string_view sign) { return take(" " + std::string(sign) + " ") || take(sign); }

  std::string relation() {
    std::string out = sum();
    while (!out.empty()) {
      const std::size_t before = at_;
      std::string_view sign;
      for (const std::string_view one : kRelations)
        if (take_spaced(one)) {
          sign = one;
          break;
        }
      const std::string right = sign.empty() ? "" : sum();
      if (right.empty()) {
        at_ = before;
        break;
      }
      out += mark("mo", sign) + right;
      certain_ = true;
    }
    return out;
  }

  std::string sum() {
    const std::size_t start = at_;
    std::string out = take("-") ? mark("mo", "−") : "";
    const std::string first = product();
    if (first.empty()) {
      at_ = start;
      return "";
    }
    out += first;
    while (true) {
      const std::size_t before = at_;
      const char* sign = nullptr;
      if (take(" + ") || ((depth_ > 0 || certain_) && take("+")))
        sign = "+";
      else if (take(" - ") || ((depth_ > 0 || certain_) && take("-")))
        sign = "−";
      const std::string right = sign == nullptr ? "" : product();
      if (right.empty()) {
        at_ = before;
        return out;
      }
      out += mark("mo", sign) + right;
      certain_ = true;
    }
  }

  std::string product() {
    bool word = false;
    std::string out = factor(word);
    while (!out.empty()) {
      const std::size_t before = at_;
      const char* sign = take("*")       ? "⋅"
                         : take("/")     ? "/"
                         : take(" . ")   ? "⋅"
                         : take(" mod ") ? "mod"
                                         : nullptr;
      // A blank multiplies only what cannot be a word of the sentence.
      const bool blank = sign == nullptr && !word && take(" ");
      bool also_word = false;
      const std::string right = sign != nullptr || blank ? factor(also_word) : "";
      if (right.empty() || (blank && (also_word || digit(text_[before + 1]) || article(before + 1)))) {
        at_ = before;
        break;
      }
      out += mark("mo", blank ? "\u2062" : sign) + right;
      word = also_word;
      certain_ = true;
    }
    return out;
  }

  // "a" and "I" followed by a word.
  bool article(std::size_t at) const {
    return (text_[at] == 'a' || text_[at] == 'I') && at + 2 < text_.size() && text_[at + 1] == ' ' &&
           letter(text_[at + 2]) && at + 3 < text_.size() && letter(text_[at + 3]);
  }

  std::string parenthesis(char open, char close) {
    const std::size_t start = at_;
    const bool certain = certain_;
    ++at_;
    ++depth_;
    std::string out = fence(open);
    bool good = depth_ < kDepth;
    while (good) {
      const std::string item = relation();
      good = !item.empty();
      out += item;
      if (take(", ") || take(",")) {
        out += mark("mo", ",");
        continue;
      }
      break;
    }
    --depth_;
    if (good && take(std::string(1, close))) return out + fence(close);
    at_ = start;
    certain_ = certain;
    return "";
  }

  // `word`: set for names of several letters, which do not multiply what follows.
  std::string factor(bool& word) {
    if (at_ >= text_.size()) return "";
    const std::size_t start = at_;
    std::string out;
    if (digit(text_[at_])) {
      while (at_ < text_.size() && digit(text_[at_])) ++at_;
      if (at_ + 1 < text_.size() && text_[at_] == '.' && digit(text_[at_ + 1]))
        for (++at_; at_ < text_.size() && digit(text_[at_]);) ++at_;
      if (at_ < text_.size() && letter(text_[at_])) {  // 2T, 0x1p3: not a number of a formula
        at_ = start;
        return "";
      }
      out = mark("mn", text_.substr(start, at_ - start));
    } else if (text_[at_] == '(') {
      out = "<mrow>" + parenthesis('(', ')') + "</mrow>";
      if (out == "<mrow></mrow>") return "";
    } else {
      out = name(word);
      if (out.empty()) return "";
    }
    return "<mrow>" + scripts(std::move(out)) + "</mrow>";
  }

  std::string name(bool& word) {
    for (const std::string_view greek : kGreek)
      if (next(greek)) {
        at_ += greek.size();
        return mark("mi", greek);
      }
    std::size_t end = at_;
    while (end < text_.size() && (letter(text_[end]) || (end > at_ && digit(text_[end])))) ++end;
    // Names with further words.
    std::size_t longer = end;
    while (longer + 1 < text_.size() && longer > at_ + 1 &&
           (text_[longer] == '_' || (depth_ > 0 && text_[longer] == '-')) && letter(text_[longer + 1]))
      for (++longer; longer < text_.size() && letter(text_[longer]);) ++longer;
    const std::string_view short_name = text_.substr(at_, end - at_),
                           long_name = text_.substr(at_, longer - at_);
    if (long_name.empty()) return "";
    const std::size_t start = at_;
    if (among(kFunctions, long_name) && longer < text_.size() && text_[longer] == '(') {
      at_ = longer;
      const std::string arguments = parenthesis('(', ')');
      if (arguments.empty()) {
        at_ = start;
        return "";
      }
      certain_ = true;
      return mark("mi", long_name) + "<mo>\u2061</mo><mrow>" + arguments + "</mrow>";
    }
    if (short_name == "sum" && end < text_.size() && text_[end] == '_') {
      at_ = end;
      return mark("mo", "∑");
    }
    if ((short_name == "key" || short_name == "query") && end < text_.size() && text_[end] == '_') {
      at_ = end;
      return mark("mi", short_name);
    }
    if (short_name.size() == 1) {
      // A letter that a blank and a word follow may be an article.
      at_ = end;
      if (at_ < text_.size() && text_[at_] == '(' && depth_ < kDepth) {
        const std::string arguments = parenthesis('(', ')');
        if (!arguments.empty())
          return mark("mi", short_name) + "<mo>\u2061</mo><mrow>" + arguments + "</mrow>";
      }
      return mark("mi", short_name);
    }
    if (short_name == "Hd" || among(kNames, long_name) || depth_ > 0) {
      word = true;
      at_ = longer;
      return mark("mi", long_name);
    }
    return "";
  }

  // A subscript or power: one name or number, or something in braces.
  std::string script() {
    const std::size_t start = at_;
    ++at_;
    if (at_ < text_.size() && text_[at_] == '{') {
      std::size_t end = text_.find('}', at_);
      if (end == std::string_view::npos || end - at_ > 12) end = at_;
      if (end > at_ + 1) {
        const std::string out = mark("mtext", text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return out;
      }
    } else if (at_ < text_.size() && text_[at_] == '(') {
      const std::string inside = parenthesis('(', ')');
      if (!inside.empty()) return "<mrow>" + inside + "</mrow>";
    } else {
      const std::size_t first = at_ + (text_.substr(at_).starts_with("-") ? 1 : 0);
      std::size_t end = first;
      while (end < text_.size() && (letter(text_[end]) || digit(text_[end]))) ++end;
      if (end > first) {
        const std::string_view content = text_.substr(first, end - first);
        std::string out = mark(digit(content[0]) ? "mn" : "mi", content);
        if (first > at_) out = "<mrow>" + mark("mo", "−") + out + "</mrow>";
        at_ = end;
        return out;
      }
    }
    at_ = start;
    return "";
  }

  std::string scripts(std::string base) {
    if (next("'") && !(at_ + 1 < text_.size() && letter(text_[at_ + 1]))) {
      ++at_;
      base = "<msup><mrow>" + base + "</mrow>" + mark("mo", "′") + "</msup>";
    }
    for (const auto& [sign, tag] : {std::pair{"_", "msub"}, {"^", "msup"}}) {
      if (!next(sign)) continue;
      const std::string content = script();
      if (content.empty()) continue;
      base = std::string("<") + tag + "><mrow>" + base + "</mrow>" + content + "</" + tag + ">";
      certain_ = true;
    }
    return base;
  }

  std::string_view text_;
  std::size_t at_;
  int depth_ = 0;
  bool certain_ = false;
};

}  // namespace

std::string typeset(const std::string& sentence) {
  // Long lists of numbers gain nothing.
  constexpr std::size_t kLongest = 160;
  const std::string text = formulas(sentence);
  std::string out, plain;
  const auto flush = [&] {
    out += escaped(plain);
    plain.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const bool inside_word = at > 0 && (letter(text[at - 1]) || digit(text[at - 1]) || text[at - 1] == '_' ||
                                        text[at - 1] == '-' || text[at - 1] == '.' || text[at - 1] == '/');
    const bool may_start = letter(text[at]) || digit(text[at]) || text[at] == '(' || text[at] == '-' ||
                           (static_cast<unsigned char>(text[at]) >= 0xc0);
    if (!inside_word && may_start) {
      Formula formula(std::string_view(text).substr(0, std::min(text.size(), at + 4 * kLongest)), at);
      const std::string found = formula.read();
      const std::size_t end = formula.end();
      const bool cut = end < text.size() && (letter(text[end]) || digit(text[end]) || text[end] == '_' ||
                                             text[end] == '^' || text.compare(end, 3, "...") == 0);
      if (!found.empty() && formula.certain() && !cut && end - at <= kLongest) {
        flush();
        out += "<math>" + found + "</math>";
        at = end;
        continue;
      }
    }
    plain += text[at++];
  }
  flush();
  return out;
}

}  // namespace attest
