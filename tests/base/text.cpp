#include "base/text.hpp"

#include <doctest/doctest.h>

#include <string>

namespace attest {
namespace {

struct Row {
  const char *text, *line;
};

TEST_CASE("what is printed shows itself for what it is") {
  const Row rows[] = {
      {"a b\"'\\~", "a b\"'\\~"},
      // Letters of all languages stay readable.
      {
          "Stra\u00dfe, \u017d\u00eddn\u00fd",
          "Stra\u00dfe, \u017d\u00eddn\u00fd",
      },
      {
          "\u03bb \u2264 \u221e \u2192 \u4e2d\u6587 \u2030 \U0001F600",
          "\u03bb \u2264 \u221e \u2192 \u4e2d\u6587 \u2030 \U0001F600",
      },
      // Control characters, and bytes that are no UTF-8: cut, overlong, a surrogate, beyond the last
      // character.
      {"\x1b[1m\n\x7f", "\\x1b[1m\\x0a\\x7f"},
      {"\xff\xc3", "\\xff\\xc3"},
      {"\xc0\xaf\xe0\x80\xaf", "\\xc0\\xaf\\xe0\\x80\\xaf"},
      {"\xed\xa0\x80\xf4\x90\x80\x80", "\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80"},
      {"\u0085\u202e\u200b\ufeff", "\\xc2\\x85\\xe2\\x80\\xae\\xe2\\x80\\x8b\\xef\\xbb\\xbf"},
      // What GitHub's runner would obey, also where a line is broken before it.
      {"::error file=x::", "\\x3a:error file=x::"},
      {"a ::stop-commands::b", "a \\x3a:stop-commands::b"},
      {"x##[add-mask]y ##vso[z] ###[z]", "x\\x23#[add-mask]y \\x23#vso[z] #\\x23#[z]"},
      {"a::b : c# #d ## ### 4 ##", "a::b : c# #d ## ### 4 ##"},
  };
  for (const Row& row : rows) {
    CHECK(one_line(row.text) == row.line);
    CHECK(path_line(row.text) == row.line);
  }
  CHECK(one_line("12345678", 4) == "1234...");
  CHECK(one_line("\u00fc\u00fc\u00fc", 3) == "\u00fc\u00fc...");  // not within a character
}

TEST_CASE("no blank but the space, nothing without form, and no quotation mark but \" and '") {
  for (const std::uint32_t hidden :
       {0xa0,   0xad,   0x34f,  0x115f, 0x1160, 0x1680, 0x17b4, 0x180e, 0x2000, 0x2003,
        0x200a, 0x2028, 0x202f, 0x205f, 0x2060, 0x2800, 0x3000, 0x3164, 0xffa0, 0xfe0f,
        0xab,   0xbb,   0x2018, 0x2019, 0x201c, 0x201d, 0x201e, 0x2032, 0x2033, 0x2039,
        0x203a, 0x275d, 0x300c, 0x301d, 0xff02, 0xff07, 0xe000, 0xe0041}) {
    CAPTURE(hidden);
    CHECK_FALSE(shows(hidden));
  }
  for (const std::uint32_t shown : {0x20, 0x22, 0x27, 0x41, 0xe9, 0x3b1, 0x2010, 0x2022, 0x2260, 0x2801,
                                    0x3001, 0x4e00, 0xac00, 0xfffd, 0x1f600})
    CHECK(shows(shown));
}

}  // namespace
}  // namespace attest
