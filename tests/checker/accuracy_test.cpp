// Accuracy of whole layers near ties: what an enclosure of the scores decides, and what it does not.
#include "tests/checker/rejections.hpp"

using namespace attest;
using namespace attest::test;

namespace {

/// What the checker says of a single step, that the only example is right or else wrong.
std::string one_example(const std::string& text, bool right, int precision, int context = 2) {
  const Json step = {
      {"rule", "ball"}, {"of", "accurate"},       {"side", right ? "above" : "below"},
      {"count", 1},     {"precision", precision}, {"fact", right ? "accurate >= 1" : "accurate <= 0"}};
  return verdict_of("format = 1\n[layer]\ncontext = " + std::to_string(context) +
                        "\nembed_dim = 1\nhead_dim = 1\nexamples = 1\n" + text,
                    {{{"statement", "accuracy"}, {"steps", {step}}}});
}

void accepts(const std::string& text, bool right, int precision, int context = 2) {
  CHECK(one_example(text, right, precision, context).starts_with("valid"));
}

void rejects(const std::string& text, bool right, int precision, int context = 2) {
  check_rejected(one_example(text, right, precision, context), "expected 1 examples, found 0");
}

}  // namespace

TEST_CASE("scores next to another one, or to a distance, by more and by less than their enclosures") {
  // The means of the heads are 3/7 e / (e + 1) and 3/14. Without a read-out, with one that has at most as
  // many scores as there are outputs, and with ones that have more.
  struct Form {
    const char* rest;
    std::size_t scores;
    const char *factor, *term;  // the first score is that times 3/7 e / (e + 1), plus that
    const char* second;         // the second score, without its bias
  };
  const std::vector<Form> forms = {
      {"skip = [[\"1/3\", 0]]\nreadout_bias = [2, \"BIAS\"]\n", 2, "1", "7/3", "3/14"},
      {"skip = [[\"1/1208925819614629174706176\", 0]]\nreadout_bias = [2, \"BIAS\"]\n", 2, "1",
       "2417851639229258349412353/1208925819614629174706176", "3/14"},
      {"value = [[[\"1/5\", 3]], [[1, 1]]]\noutput = [[1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 0, -1]]\n"
       "readout = [[5, 0], [0, 0], [9, 0]]\nreadout_bias = [1, \"BIAS\"]\n",
       2, "16", "1", "0"},
      {"readout = [[-5, 0, 0], [9, 0, 0]]\nreadout_bias = [4, \"BIAS\", -9]\n", 3, "-5", "83/14", "0"},
      {"readout = [[5, 0, 0], [-5, 0, 0]]\nreadout_bias = [4, \"BIAS\", -9]\n", 3, "5", "41/14", "0"},
      {"skip = [[\"1/3\", 0]]\nreadout = [[11, 0, 0], [0, 0, 0]]\nreadout_bias = [0, \"BIAS\", -9]\n", 3,
       "11", "11/3", "0"},
      {"skip = [[\"1/3\", 0]]\nvalue = [[[\"1/5\"]], [[\"-2/3\"]]]\nreadout = [[\"-11/7\", 0, 0], [\"2/9\", "
       "0, 0]]\n"
       "readout_bias = [4, \"BIAS\", -9]\n",
       3, "-11/35", "31/9", "0"},
  };
  const mpq_class digits("73105857863000487925115924182183627436/100000000000000000000000000000000000000");
  const mpq_class last("1/100000000000000000000000000000000000000"), many("1/1000000000000000");
  struct Distance {
    mpq_class coefficient;  // beside e / (e + 1)
    bool more, near;
  };
  const std::vector<Distance> distances = {{digits, false, true},
                                           {digits + last, true, true},
                                           {digits - many, false, false},
                                           {digits + many, true, false}};
  for (const Form& form : forms)
    for (const Distance& distance : distances)
      for (const std::string kind : {"epsilon", "class 0", "class 1"}) {
        const mpq_class other =
            mpq_class(form.factor) * mpq_class(3, 7) * distance.coefficient + mpq_class(form.term);
        const bool more = distance.more == (form.factor[0] != '-');  // than the first score
        mpq_class bias;
        if (kind != "epsilon") bias = other - mpq_class(form.second);
        std::string rest = form.rest;
        rest.replace(rest.find("BIAS"), 4, bias.get_str());
        CAPTURE(rest);
        CAPTURE(kind);
        CAPTURE(other.get_str());
        const std::string text =
            "heads = 2\noutput_dim = " + std::to_string(form.scores) +
            "\n[data]\ncontexts = [[\"3/7\"], [0]]\nlabels = [[0, 0" + (form.scores == 3 ? ", -9" : "") +
            "]]\n[weights]\nlogits = [[[1, 0], [0, 0]]]\n" + rest + "[[claim]]\nstatement = \"accuracy\"\n" +
            (kind == "epsilon" ? "epsilon = \"" + other.get_str() + "\""
                               : "classes = [" + kind.substr(6) + "]") +
            "\n";
        const bool right = more == (kind != "class 0");
        for (const int precision : {64, 256}) {
          CAPTURE(precision);
          rejects(text, !right, precision);
          if (distance.near && precision == 64)
            rejects(text, right, precision);
          else
            accepts(text, right, precision);
        }
      }
}

TEST_CASE("where all tokens have the entry 0, ties and distances of exactly epsilon are told") {
  const auto text = [](const std::string& token, const std::string& claim) {
    return "heads = 1\noutput_dim = 2\n[data]\ncontexts = [[\"" + token +
           "\"], [0]]\nlabels = [[-1, 1]]\n[weights]\nlogits = [[[1, 0]]]\nreadout = [[1, 0]]\n"
           "[[claim]]\nstatement = \"accuracy\"\n" +
           claim + "\n";
  };
  const std::string near = "0x1p-200";  // scores (near, 0)
  for (const int precision : {64, 256}) {
    CAPTURE(precision);
    accepts(text("0", "epsilon = 1"), true, precision);
    rejects(text("0", "epsilon = 1"), false, precision);
    for (const char* claim : {"classes = [0]", "classes = [1]"}) {
      accepts(text("0", claim), false, precision);
      rejects(text("0", claim), true, precision);
    }
    for (const bool right : {true, false}) {
      const auto told = precision == 256 && !right ? accepts : rejects;
      told(text(near, "epsilon = 1"), right, precision, 2);
      told(text(near, "classes = [1]"), right, precision, 2);
    }
  }
}

TEST_CASE("means of large tokens that nearly cancel") {
  // The mean is 2^100 (e - r) over the sum of the powers, r being e to 37 decimals, or a bit more.
  const mpq_class size("1267650600228229401496703205376"), near("1/10000000000000000000000000000000000000"),
      digits(mpq_class("27182818284590452353602874713526624977") * near);
  for (const bool more : {false, true}) {
    const mpq_class ratio = more ? mpq_class(digits + near) : digits, other = -size * ratio,
                    mean = (size + other) / 3;  // of a second head with equal logits
    for (const std::string& rest : {
             std::string(),
             std::string("readout = [[1000000007]]\n"),
             std::string("value = [[[1]]]\nvalue_bias = [[-1]]\noutput_bias = [1]\nreadout = [[1]]\n"),
             std::string("skip = [[\"1/1208925819614629174706176\"]]\n"
                         "readout_bias = [\"-1/1208925819614629174706176\"]\n"),
             "value = [[[1]], [[-1]]]\noutput = [[1], [1]]\noutput_bias = [\"" + mean.get_str() + "\"]\n",
         })
      for (const int own : {0, 1}) {
        const bool two = rest.find("]], [[") != std::string::npos, right = (own == 1) != more;
        CAPTURE(rest);
        CAPTURE(more);
        CAPTURE(own);
        const std::string text = std::string("heads = ") + (two ? "2" : "1") + "\n[data]\ncontexts = [[\"" +
                                 size.get_str() + "\"], [\"" + other.get_str() +
                                 "\"], [0]]\n[weights]\nlogits = [[[1, 0, -5]" + (two ? ", [0, 0, 0]" : "") +
                                 "]]\n" + rest + "[[claim]]\nstatement = \"accuracy\"\nclasses = [" +
                                 std::to_string(own) + "]\n";
        rejects(text, false, 64, 3);
        rejects(text, true, 64, 3);
        rejects(text, !right, 512, 3);
        accepts(text, right, 512, 3);
      }
  }
}

TEST_CASE("a mean that no binary fraction equals, with coefficients that do") {
  const auto within = [](const char* epsilon) {
    return "heads = 1\n[data]\ncontexts = [[\"1/3\"], [0]]\nlabels = [0]\n[weights]\nlogits = [[[0, 0]]]\n"
           "[[claim]]\nstatement = \"accuracy\"\nepsilon = \"" +
           std::string(epsilon) + "\"\n";
  };
  // The mean is 1/6.
  const std::string less = within("0.16666666666666666666666666"),
                    more = within("0.16666666666666666666666667");
  accepts(less, false, 128);
  accepts(more, true, 128);
  for (const bool right : {false, true}) {
    rejects(less, right, 64);
    rejects(more, right, 64);
  }
}

TEST_CASE("denominators of values, outputs and read-outs of several heads") {
  // The means are 7 in both heads.
  const auto at = [](const std::string& label) {
    return "heads = 2\n[data]\ncontexts = [[7], [7]]\nlabels = [\"" + label +
           "\"]\n[weights]\nlogits = [[[0, 0], [0, 1]]]\nvalue = [[[\"1/5\"]], [[\"1/11\"]]]\n"
           "output = [[\"1/3\"], [\"1/13\"]]\nreadout = [[\"1/2\"]]\n"
           "[[claim]]\nstatement = \"accuracy\"\nepsilon = \"1e-9\"\n";
  };
  const attest::kernel::Rational score =
      (attest::kernel::Rational(7, 15) + attest::kernel::Rational(7, 143)) / 2;
  for (const long parts : {0, 1, -1, 1000000000}) {
    const attest::kernel::Rational label = score + attest::kernel::Rational(parts, 500000000);
    const std::string text = at(label.get_str());
    accepts(text, parts == 0, 96);
    rejects(text, parts != 0, 96);
  }
}
