#include "words/typeset.hpp"

#include <cctype>
#include <stdexcept>

#include "words/markup.hpp"
#include "words/step_words.hpp"

namespace attest {
namespace {

bool letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}
bool of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string mark(const char* tag, const std::string& content) {
  return std::string("<") + tag + ">" + content + "</" + tag + ">";
}

std::string number_or_name(const std::string& word) {
  if (!letter(word[0])) return mark("mn", word);
  return word.size() > 2 && word[1] == '_'
             ? mark("msub", mark("mi", word.substr(0, 1)) + mark("mi", word.substr(2)))
             : mark("mi", word);
}

/// A comparison, sign by sign. Precondition: it can be read (statements/proposition.hpp).
std::string comparison(const std::string& text) {
  std::string out, word;
  std::vector<bool> in_name;  // of the open parentheses: what they hold is part of the name of a quantity
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool hyphen = c == '-' && !in_name.empty() && in_name.back();
    if (of_word(c) || hyphen) {
      word += c;
      continue;
    }
    if (!word.empty()) out += number_or_name(word);
    if (c == '(') {
      const bool function = word == "min" || word == "max" || word == "decided";
      in_name.push_back(!word.empty() && !function);
      out += word.empty() ? "" : "<mo>\u2061</mo>";
    }
    word.clear();
    if (c == ')') in_name.pop_back();
    if (c == '(' || c == ')') {
      out += std::string("<mo stretchy=\"false\">") + c + "</mo>";
    } else if (c == '>' || c == '<') {
      out += mark("mo", c == '>' ? "≥" : "≤");
      ++at;
    } else if (c != ' ') {
      out += mark("mo", c == '*' ? "⋅" : c == '-' ? "−" : std::string(1, c));
    }
  }
  return mark("math", out + (word.empty() ? "" : number_or_name(word)));
}

/// Empty when it is no proposition, such as `rank(Z) = ?`.
std::string proposition(const std::string& text) {
  try {
    quantities_in(text);
  } catch (const std::logic_error&) {
    return "";
  }
  std::string out;
  std::size_t at = 0;
  for (std::size_t end; (end = text.find(" and ", at)) != std::string::npos; at = end + 5)
    out += comparison(text.substr(at, end - at)) + " and ";
  return out + comparison(text.substr(at));
}

}  // namespace

std::string typeset(const Line& line) {
  const std::string text = formulas(line.text);
  std::string out, plain;
  for (std::size_t at = 0; at < text.size();) {
    std::string longest, found;
    for (const std::string& each : line.propositions) {
      const std::string written = formulas(each);
      const std::size_t end = at + written.size();
      if (text.compare(at, written.size(), written) == 0 && written.size() > longest.size() &&
          (at == 0 || !of_word(text[at - 1])) && (end == text.size() || !of_word(text[end]))) {
        longest = written;
        found = proposition(each);
      }
    }
    if (found.empty()) {
      plain += text[at++];
      continue;
    }
    out += escaped(plain) + found;
    plain.clear();
    at += longest.size();
  }
  return out + escaped(plain);
}

}  // namespace attest
