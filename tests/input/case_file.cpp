#include "readers/case_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cmath>

#include "problem/digest.hpp"
#include "problem/numbers.hpp"
#include "readers/generate.hpp"
#include "tests/input/support.hpp"
#include "theory/statements.hpp"

namespace attest {
namespace {

using test::check_matches;
using test::check_outcome;
using test::Folder;
using test::matches;
using test::outcome;

// H = 2, n = 2, d = 3, d_h = 2, T = 2. The line numbers of the tests refer to this text.
const char* const kCase = R"toml(format = 1
title = "A case"
[layer]
heads = 2
context = 2
embed_dim = 3
head_dim = 2
examples = 2
[data]
contexts = [[1, 0, "1/2"], [0, "0.25", "-0x1.8p-3"]]
queries = [[1, 2, 3], [4, 5, 6]]
labels = [[7], [8]]
[weights]
key = [[[1, 0], [0, 1], [0, 0]], [[1, 1], [0, 1], [0, 0]]]
query = [[[1, 0], [0, 1], [0, 0]], [[1, 1], [0, 1], [0, 2]]]
[[claim]]
statement = "rank"
)toml";

struct Edit {
  const char* from;  // replaced once; "" appends
  const char* to;
};

std::string edited(const std::vector<Edit>& edits) {
  std::string text = kCase;
  for (const Edit& edit : edits) {
    const std::string from = edit.from;
    const std::size_t at = from.empty() ? text.size() : text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), edit.to);
  }
  return text;
}

struct Refused {
  std::vector<Edit> edits;
  const char* pattern;  // after "FILE: "
};

/// Every edited case must be refused with an InputError (or, if `kind` says so, a LimitError) at the place.
void check_refused(const std::vector<Refused>& rows, const std::string& kind = "input",
                   ReadOptions options = {}) {
  for (const Refused& row : rows) {
    const Folder folder;
    const auto file = folder.write("case.toml", edited(row.edits));
    const std::string got = outcome([&] { read_case(file, options); });
    CAPTURE(std::string(row.pattern));
    CAPTURE(got);
    CHECK(got.starts_with(kind + ": " + file.string() + ": "));
    CHECK(matches(got, std::string("case.toml: ") + row.pattern));
  }
}

Case read_edited(const std::vector<Edit>& edits) {
  const Folder folder;
  return read_case(folder.write("case.toml", edited(edits)));
}

TEST_CASE("a complete case") {
  const Case c = read_edited({});
  CHECK(c.title == "A case");
  REQUIRE(c.layer);
  CHECK(c.layer->heads == 2);
  CHECK(c.layer->context == 2);
  CHECK(c.layer->embed_dim == 3);
  CHECK(c.layer->head_dim == 2);
  CHECK(c.layer->examples == 2);
  CHECK(c.layer->output_dim == 1);
  CHECK(c.layer->base == Base::e);
  CHECK(c.layer->logit_scale.rational == 1);
  CHECK_FALSE(c.layer->logit_scale.irrational());
  CHECK(c.data.shared_context);
  CHECK(c.data.contexts->at(2) == mpq_class(1, 2));
  CHECK(c.data.contexts->at(5) == mpq_class(-3, 16));
  CHECK(std::holds_alternative<std::vector<std::int64_t>>(c.data.queries->storage()));
  CHECK(c.data.labels->shape() == std::vector<std::size_t>{2, 1});
  CHECK(c.weights->key->shape() == std::vector<std::size_t>{2, 3, 2});
  CHECK(c.weights->query->at(11) == 2);
  CHECK_FALSE(c.weights->combined);
  REQUIRE(c.claims.size() == 1);
  CHECK(c.claims[0].statement == "rank");
  CHECK(c.claims[0].place == "line 16, column 1");
  CHECK(c.claims[0].expect == Verdict::verified);
  CHECK_FALSE(c.claims[0].has("value"));
}

TEST_CASE("contexts of each example") {
  const Case c = read_edited(
      {{"[[1, 0, \"1/2\"], [0, \"0.25\", \"-0x1.8p-3\"]]", "[[[1,2,3],[4,5,6]],[[7,8,9],[10,11,12]]]"}});
  CHECK_FALSE(c.data.shared_context);
  CHECK(c.data.contexts->shape() == std::vector<std::size_t>{2, 2, 3});
  CHECK(c.data.contexts->at(11) == 12);
}

TEST_CASE("claims and their arguments") {
  const Case c = read_edited({{"", R"(value = -3
expect = "refuted"
[[claim]]
statement = "rank"
at_least = "123456789012345678901234567890"
[[claim]]
statement = "kruskal-rank"
at_most = "1e1"
expect = "undecided"
[[claim]]
statement = "claim-1"
subset = [1, 0]
coefficients = [["1/3", "2/3"], ["0.1", "0.9"]]
expect = "inapplicable"
[[claim]]
statement = "claim-2"
subset = [0]
coefficients = [["0x1p-1", "0.5"]]
epsilon = "1e-9"
[[claim]]
statement = "theorem-1"
)"}});
  REQUIRE(c.claims.size() == 6);
  CHECK(c.claims[0].integer("value") == -3);
  CHECK(c.claims[0].expect == Verdict::refuted);
  CHECK(c.claims[1].integer("at_least").get_str() == "123456789012345678901234567890");
  CHECK(c.claims[2].integer("at_most") == 10);
  CHECK(c.claims[2].expect == Verdict::undecided);
  CHECK(c.claims[3].subset() == std::vector<std::size_t>{1, 0});
  CHECK(c.claims[3].array("coefficients").at(2) == mpq_class(1, 10));
  CHECK(c.claims[3].expect == Verdict::inapplicable);
  CHECK(c.claims[4].number("epsilon") == mpq_class(1, 1000000000));
  CHECK(c.claims[5].index == 5);
  CHECK(std::string(verdict_name(Verdict::inapplicable)) == "inapplicable");
}

TEST_CASE("every statement is accepted when it has what it needs, and refused when it has not") {
  for (const Statement& each : statements()) {
    const ClaimSpec& needs = each.spec;
    CAPTURE(needs.name);
    std::string claim = "statement = \"" + needs.name + "\"\n";
    for (const ArgumentSpec& argument : needs.arguments) {
      const std::string& key = argument.key;
      if (!argument.required) continue;
      if (key == "subset") claim += "subset = [0]\n";
      if (key == "coefficients") claim += "coefficients = [[\"1/2\", \"1/2\"]]\n";
      if (key == "epsilon") claim += "epsilon = 1\n";
      if (key == "a" || key == "b" || key == "vectors" || key == "matrix") claim += key + " = [[1]]\n";
      if (key == "c") claim += needs.name == "lemma-1" ? "c = [[1]]\n" : "c = 1\n";
      if (key == "example") claim += "example = 1\n";
      if (key == "w_star" || key == "w_prime") claim += key + " = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n";
      if (key == "threshold" || key == "tolerance") claim += key + " = 1\n";
      if (key == "neurons") claim += "neurons = 1\n";
      if (key == "sequences") claim += "sequences = [[0, 1], [1, 0]]\n";
    }
    if (std::ranges::count(needs.arguments, "classes", &ArgumentSpec::key) > 0) claim += "classes = [0, 1]\n";
    // Exactly what it needs.
    const std::string text = edited({});
    const auto lines = [&](const char* begin, const char* end) {
      return text.substr(text.find(begin), text.find(end) - text.find(begin));
    };
    const std::string head = lines("format", "[data]");
    const std::string contexts = lines("contexts =", "queries ="), queries = lines("queries =", "labels");
    const std::string readout = needs.needs_part("whole") ? "readout = [[1], [1], [1], [1], [1], [1]]\n" : "";
    const std::string values =
        needs.needs_part("values") ? "value = [[[1], [1], [1]], [[1], [1], [1]]]\n" : "";
    const std::string weights = lines("[weights]", "[[claim]]") + readout + values,
                      labels = lines("labels =", "[weights]");
    const bool own_data = needs.name == "proposition-3";
    const auto result = [&](bool with_contexts, bool with_queries, bool with_weights, bool with_layer) {
      const bool no_data = !with_contexts && !with_queries && !needs.needs_part("labels");
      const Folder folder;
      return outcome([&] {
        read_case(folder.write("c.toml", (with_layer ? head : "format = 1\n") + (no_data ? "" : "[data]\n") +
                                             (with_contexts ? contexts : "") + (with_queries ? queries : "") +
                                             (needs.needs_part("labels") ? labels : "") +
                                             (with_weights ? weights : "") + "[[claim]]\n" + claim));
      });
    };
    const std::string name = needs.name;
    CHECK(result(needs.needs_part("contexts"), needs.needs_part("queries"), needs.needs_part("weights"),
                 true) == "ok");
    CHECK(result(true, true, true, true) == "ok");
    if (needs.needs_part("layer")) {
      CHECK(matches(result(true, true, true, false), name + " needs [layer]; give heads"));
    } else {
      CHECK(result(false, false, false, false) == "ok");
      CHECK(matches(result(true, true, true, false), "[data] needs [layer]; give the sizes there"));
      CHECK(matches(result(false, false, true, false), "[weights] needs [layer]; give the sizes there"));
    }
    if (own_data) {
      CHECK(matches(result(true, false, true, true),
                    "proposition-3 needs contexts and queries in [data], or no"));
    }
    if (needs.needs_part("contexts"))
      CHECK(matches(result(false, true, true, true),
                    "line ... column 1: " + name + " needs the contexts of [data]; give contexts"));
    if (needs.needs_part("queries"))
      CHECK(matches(result(true, false, true, true), name + " needs the queries of [data]; give queries"));
    if (needs.needs_part("weights"))
      CHECK(matches(result(true, true, false, true), name + " needs [weights]; give key and query, combined, "
                                                            "generate, layout and file, projected_queries"));
  }
}

// Other refusals: refusals.py, for both readers.
TEST_CASE("refused: what would exhaust a parser, or is no text") {
  const std::string dots = [] {
    std::string out = "a";
    for (int i = 0; i < 200000; ++i) out += ".a";
    return out;
  }();
  const std::string brackets(100000, '['), braces(100000, '{');
  check_refused({
      {{{"\"A case\"", "\"A \xff case\""}}, "line 2, column ... not valid TOML: "},
      {{{"title", (dots + " = 1\ntitle").c_str()}}, "line 2, column ... more than 8 dots"},
      {{{"[data]", ("[" + dots + "]\n[data]").c_str()}}, "line 9, column ... more than 8 dots"},
      {{{"[[1, 2, 3], [4, 5, 6]]", brackets.c_str()}}, "line 11, column ... not valid TOML: "},
      {{{"[[1, 2, 3], [4, 5, 6]]", braces.c_str()}}, "line 11, column ... not valid TOML: "},
      {{{"[[1, 2, 3], [4, 5, 6]]", "[[[[[[[[[1]]]]]]]]]"}},
       "line 11, column 19: queries is nested too deeply"},
  });
  // Dots in strings and comments are no keys.
  CHECK(read_edited({{"A case", "1.2.3.4.5.6.7.8.9.10.11"}}).title == "1.2.3.4.5.6.7.8.9.10.11");
  CHECK(read_edited({{"\"A case\"", "'a' # 'quote \" 1.2.3.4.5.6.7.8.9.10.11"}}).title == "a");
  CHECK(read_edited({{"\"A case\"", "\"\"\"\\\"\"\" ' \\\n  1.2.3.4.5.6.7.8.9.10.11\"\"\"\""}}).title ==
        "\"\"\" ' 1.2.3.4.5.6.7.8.9.10.11\"");
  CHECK(read_edited({{"\"A case\"", "'''a''.2.3.4.5.6.7.8.9.10.11'''"}}).title ==
        "a''.2.3.4.5.6.7.8.9.10.11");
}

TEST_CASE("table headers must start with a key") {
  for (const char* const header : {"[/ata]", "[]", "[ ]", "[[[data]]]", "[ [data]]", "[{}]", "[#", "[",
                                   "[[ ]]", "[.a]", "  [+a]", "[/]"}) {
    CAPTURE(std::string(header));
    check_refused({{{{"[data]", header}},
                    "line 9, column ... not valid TOML: the table header does not start with a key"}});
  }
  CHECK(read_edited({{"[data]", "  [ \t\"data\" ]"}, {"[[claim]]", "[[ claim ]]"}}).claims.size() == 1);
  check_refused({
      {{{"[4, 5, 6]", "[4, 5, }]"}}, "line 11, column 30: not valid TOML: '}' does not close '['"},
      {{{"[4, 5, 6]", "{ a = ] }"}}, "line 11, column 29: not valid TOML: ']' does not close '{'"},
      {{{"[4, 5, 6]", "[4,\xc2\xa0 5, 6]"}},
       "line 11, column 26: not valid TOML: a character that is not ASCII outside"},
      {{{"[1, 2, 3], [4, 5, 6]", "[\"\xc3\xa9\", \xe2\x80\xa8 5, 6]"}},
       "line 11, column 18: not valid TOML: a character that is not ASCII"},
  });
  CHECK(read_edited({{"A case", "\xc3\xa9"}, {"heads = 2", "heads = 2 # \xc3\xa9"}}).title == "\xc3\xa9");
  CHECK(read_edited({{"format",
                      "\xef\xbb\xbf"
                      "format"}})
            .layer->heads == 2);
  // Arrays over several lines begin lines with brackets too.
  CHECK(read_edited({{"[[1, 2, 3], [4, 5, 6]]", "[\n[\n1, 2, # ] [\n3], [4,\n\"5\", 6\n]\n]"}})
            .data.queries->at(4) == 5);
}

TEST_CASE("refused: files that cannot be read") {
  const Folder folder;
  check_outcome("input: ... none.toml: cannot be read: there is no such file",
                [&] { read_case(folder / "none.toml"); });
  check_outcome("input: ... cannot be read: it is a folder", [&] { read_case(folder / "."); });
  check_outcome("line 1, column 1: there is no key \"format\"",
                [&] { read_case(folder.write("empty.toml", "")); });
}

TEST_CASE("the layer") {
  CHECK(read_edited({{"head_dim = 2", "head_dim = 2\nbase = \"2\""}}).layer->base == Base::two);
  const struct {
    const char* text;
    const char* rational;
    std::size_t radicand;
  } rows[] = {{"2", "2", 0},
              {"\"-1/8\"", "-1/8", 0},
              {"\"0x1p-3\"", "1/8", 0},
              {"\"1/sqrt(d)\"", "1", 3},
              {"\"1/sqrt(d_h)\"", "1", 2},
              {"\"1/sqrt(64)\"", "1/8", 0},
              {"\"1/sqrt(1)\"", "1", 0},
              {"\"1/sqrt(10000000000000000000000000000000000000000)\"", "1/100000000000000000000", 0},
              {"\"1/sqrt(18446744073709551615)\"", "1", 18446744073709551615U}};
  for (const auto& row : rows) {
    CAPTURE(std::string(row.text));
    for (const char* const table : {"[data]", "[[claim]]"}) {  // at the end of [layer], and of [weights]
      const std::string line = std::string("logit_scale = ") + row.text + "\n" + table;
      const LogitScale scale = read_edited({{table, line.c_str()}}).layer->logit_scale;
      CHECK(number_text(scale.rational) == row.rational);
      CHECK(scale.radicand == row.radicand);
      CHECK(scale.irrational() == (row.radicand != 0));
    }
  }
}

TEST_CASE("weights") {
  const Case combined = read_edited(
      {{"key = ", "combined = [[[1,0,0],[0,1,0],[0,0,1]],[[1,0,0],[0,1,0],[0,0,2]]]\n#"}, {"query = ", "#"}});
  CHECK(combined.weights->combined->at(17) == 2);
  CHECK_FALSE(combined.weights->key);
  const Case biased = read_edited(
      {{"[[claim]]", "key_bias = [[1, 2], [3, 4]]\nquery_bias = [[5, 6], [7, \"1/8\"]]\n[[claim]]"}});
  CHECK(biased.weights->key_bias->at(3) == 4);
  CHECK(biased.weights->query_bias->at(3) == mpq_class(1, 8));
}

TEST_CASE("generated data and weights") {
  const std::vector<Edit> no_arrays = {
      {"contexts =", "#"},
      {"queries =", "#"},
      {"labels =", "generate = { kind = \"integers\", bound = 9, seed = 7 } #"}};
  const Case integers = read_edited(no_arrays);
  CHECK_FALSE(integers.data.shared_context);
  CHECK(integers.data.contexts->shape() == std::vector<std::size_t>{2, 2, 3});
  const Generator generator{Generator::Kind::integers, 7, 9, 9, 1};
  CHECK(integers.data.contexts->storage() == generator.draw({2, 2, 3}, 1).storage());
  CHECK(integers.data.queries->storage() == generator.draw({2, 3}, 2).storage());
  CHECK(integers.data.labels->storage() == generator.draw({2, 1}, 3).storage());

  std::vector<Edit> floats = no_arrays;
  floats[2].to = "generate = { kind = \"normal-f64\", scale = \"1/3\", shared_context = true, seed = 7 } #";
  const Case normal = read_edited(floats);
  CHECK(normal.data.shared_context);
  CHECK(normal.data.contexts->shape() == std::vector<std::size_t>{2, 3});
  CHECK(normal.data.contexts->at(5) ==
        (Generator{Generator::Kind::normal_f64, 7, 9, 9, mpq_class(1, 3)}.draw({2, 3}, 1).at(5)));
  CHECK(normal.data.labels->storage() == generator.draw({2, 1}, 3).storage());

  std::vector<Edit> weights = {{"key =",
                                "generate = { kind = \"rationals\", bound = 3, denominator = 4, seed = 1 "
                                "}\nkey_bias = [[1, 2], [3, 4]] #"},
                               {"\nquery =", "\n#"}};
  const Case drawn = read_edited(weights);
  const Generator rational{Generator::Kind::rationals, 1, 3, 4, 1};
  CHECK(drawn.weights->key->storage() == rational.draw({2, 3, 2}, 4).storage());
  CHECK(drawn.weights->query->storage() == rational.draw({2, 3, 2}, 5).storage());
  CHECK(drawn.weights->key_bias->at(1) == 2);
}

TEST_CASE("array files") {
  const Folder folder;
  const std::string npy =
      test::npy(test::npy_header("<f8", "(2, 3)"), test::raw(std::vector<double>{1, 2, 3, 4, 5, 0.1}));
  const std::string tensors = test::safetensors("{" + test::tensor("contexts", "I32", "[2,3]", 0, 24) + "," +
                                                    test::tensor("labels", "I32", "[2]", 24, 32) + "}",
                                                test::raw(std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7, 8}));
  folder.write("case/q.npy", npy);
  folder.write("case/sub/d.safetensors", tensors);
  folder.write("outside.npy", npy);
  const auto read = [&](const std::string& queries, bool allow_outside = false) {
    const std::string queries_line = "\nqueries = " + queries + " #";
    ReadOptions options;
    options.allow_outside = allow_outside;
    return read_case(
        folder.write(
            "case/case.toml",
            edited({{"contexts = ", "contexts = { file = \"sub/d.safetensors\", tensor = \"contexts\" } #"},
                    {"\nqueries = ", queries_line.c_str()},
                    {"labels = ", "labels = { file = \"./sub//d.safetensors\", tensor = \"labels\" } #"}})),
        options);
  };
  const Case c = read("{ file = \"q.npy\" }");
  CHECK(c.data.shared_context);
  CHECK(c.data.contexts->at(5) == 6);
  CHECK(c.data.queries->at(5) == mpq_class(0.1));
  CHECK(c.data.labels->shape() == std::vector<std::size_t>{2, 1});
  CHECK(c.data.labels->at(1) == 8);

  // Outside the folder, directly and through links.
  std::filesystem::create_symlink("../outside.npy", folder / "case/link.npy");
  std::filesystem::create_directory_symlink("..", folder / "case/up");
  std::filesystem::create_symlink("q.npy", folder / "case/inner.npy");
  const std::string absolute = (folder / "outside.npy").string();
  CHECK(read("{ file = \"inner.npy\" }").data.queries->at(5) == mpq_class(0.1));
  for (const std::string& name :
       {std::string("../outside.npy"), std::string("link.npy"), std::string("up/outside.npy"), absolute}) {
    CAPTURE(name);
    const std::string got = outcome([&] { read("{ file = \"" + name + "\" }"); });
    CAPTURE(got);
    CHECK(matches(got,
                  "input: ... case.toml: line 11, column 20: the file ... ; array files lie below the folder "
                  "of the case (or give --allow-outside)"));
    CHECK(read("{ file = \"" + name + "\" }", true).data.queries->at(4) == 5);
  }

  const struct {
    const char* table;
    const char* pattern;
  } rows[] = {
      {"{ tensor = \"x\" }", "line 11, column 11: queries has no key \"file\"; write { file = \"x.npy\" }"},
      {"{ file = \"none.npy\" }",
       "line 11, column 20: the file \"none.npy\" cannot be read: there is no such file; name a regular "
       "file, "
       "relative to the folder of the case"},
      {"{ file = \"q.npy\", tensor = \"x\" }",
       "line 11, column 38: a .npy file holds one array and has no tensor names; leave out"},
      {"{ file = \"sub/d.safetensors\" }",
       "line 11, column 11: the file \"sub/d.safetensors\" holds several arrays, and none is named; write { "
       "file = \"sub/d.safetensors\", tensor"},
      {"{ file = \"q.txt\" }",
       "line 11, column 20: the file name \"q.txt\" ends neither in .npy nor in .npz nor in "
       ".safetensors"},
      {"{ file = \"q.pt\" }", "line 11, column 20: the file \"q.pt\" is a pickle ... import numpy, torch"},
      {"{ file = 7 }", "line 11, column 20: file is the integer 7; it must be a string"},
      {"{ file = \"q.npy\\u0000\" }", "line 11, column 20: file contains a control character"},
      {"{ file = \"q.npy\", tenser = \"x\" }",
       "line 11, column 29: unknown key \"tenser\" in the table of queries; did you mean \"tensor\"?"},
      {"{ file = \"sub/d.safetensors\", tensor = \"x\" }",
       "d.safetensors: there is no tensor \"x\"; the file has contexts and labels"},
      {"{ file = \"sub/d.safetensors\", tensor = \"labels\" }",
       "line 11, column 11: queries has shape (2,), but [layer] says examples = 2 and embed_dim = 3: "
       "expected (2, 3)"},
      {"{ file = \"dir.npy\" }", "line 11, column 20: the file \"dir.npy\" cannot be read: it is a folder"},
      {"{ file = \"pipe.npy\" }",
       "line 11, column 20: the file \"pipe.npy\" cannot be read: it is not a regular file but a FIFO"},
      {"{ file = \"loop.npy\" }",
       "line 11, column 20: the file \"loop.npy\" cannot be read: Too many levels"},
      {"{ file = \"dangling.npy\" }",
       "line 11, column 20: the file \"dangling.npy\" cannot be read: there is no such file"},
  };
  std::filesystem::create_directory(folder / "case/dir.npy");
  std::filesystem::create_symlink("loop.npy", folder / "case/loop.npy");
  std::filesystem::create_symlink("nowhere.npy", folder / "case/dangling.npy");
  REQUIRE(::mkfifo((folder / "case/pipe.npy").c_str(), 0600) == 0);
  for (const auto& row : rows) {
    const std::string got = outcome([&] { read(row.table); });
    check_matches(got, std::string("input: ") + " ... " + row.pattern);
  }
  folder.write("case/q.npy", test::npy(test::npy_header("<f8", "(2, 3)"),
                                       test::raw(std::vector<double>{1, 2, 3, 4, 5, HUGE_VAL})));
  check_outcome("input: ... case/q.npy: index [1, 2]: the entry is infinite",
                [&] { read("{ file = \"q.npy\" }"); });
}

TEST_CASE("one file under two names is one file, two files are two") {
  const auto npy = [](double first) {
    return test::npy(test::npy_header("<f8", "(2, 3)"), test::raw(std::vector<double>{first, 2, 3, 4, 5, 6}));
  };
  const Folder folder;
  folder.write("real/inner/x.npy", "");
  folder.write("contexts.npy", npy(7));
  folder.write("real/contexts.npy", npy(8));
  std::filesystem::create_directory_symlink("real/inner", folder / "link");
  const auto read = [&](const std::string& queries) {
    const std::string line = "\nqueries = { file = \"" + queries + "\" } #";
    return read_case(
        folder.write("case.toml", edited({{"contexts = ", "contexts = { file = \"contexts.npy\" } #"},
                                          {"\nqueries = ", line.c_str()}})));
  };
  // link/../contexts.npy is real/contexts.npy, although its dots cancel to contexts.npy.
  const Case two = read("link/../contexts.npy");
  CHECK(two.data.contexts->at(0) == 7);
  CHECK(two.data.queries->at(0) == 8);
  // A change of the second file changes the digest, though the first stays.
  folder.write("real/contexts.npy", npy(9));
  const Case changed = read("link/../contexts.npy");
  CHECK(problem_digest(changed) != problem_digest(two));
  // Real dots and links to the same file, which counts once towards the memory.
  const Case one = read("real/../contexts.npy");
  CHECK(one.data.queries->at(0) == 7);
  std::filesystem::create_hard_link(folder / "contexts.npy", folder / "hard.npy");
  CHECK(read("hard.npy").data.queries->at(0) == 7);
  // Out of the folder by a link and dots.
  const Folder other;
  other.write("contexts.npy", npy(1));
  std::filesystem::create_directory(other / "inner");
  std::filesystem::create_directory_symlink(other / "inner", folder / "away");
  check_outcome("leads outside the case's folder", [&] { read("away/../contexts.npy"); });
}

TEST_CASE("cases that are no regular files are refused at once") {
  const Folder folder;
  REQUIRE(::mkfifo((folder / "pipe.toml").c_str(), 0600) == 0);
  check_outcome("input: ... not a regular file but a FIFO", [&] { read_case(folder / "pipe.toml"); });
  check_outcome("input: ... not a regular file but a device", [&] { read_case("/dev/zero"); });
  std::filesystem::create_symlink("nowhere", folder / "dangling.toml");
  check_outcome("input: ... there is no such file", [&] { read_case(folder / "dangling.toml"); });
}

TEST_CASE("sizes are compared with the limit before anything is read") {
  const Folder folder;
  const std::string header = test::npy_header("<f2", "(2, 536870912)");
  const auto big = folder.write("big.npy", test::npy(header, ""));
  std::filesystem::resize_file(big, 10 + header.size() + (std::uint64_t{1} << 31));  // sparse
  ReadOptions options;
  options.memory_limit = std::size_t{1} << 30;
  const auto file =
      folder.write("case.toml", edited({{"\nqueries = ", "\nqueries = { file = \"big.npy\" } #"}}));
  check_outcome("limit: ... line 11, column ... with queries the case needs about 42949",
                [&] { read_case(file, options); });
  std::filesystem::resize_file(file, std::uint64_t{1} << 40);
  check_outcome("limit: ... the file has 1099511627776 bytes; the memory limit allows 21474836",
                [&] { read_case(file, options); });
}

TEST_CASE("limits") {
  const char* const generate = "generate = { kind = \"integers\", bound = 9, seed = 7 } #";
  const auto generated = [&](const char* from, const char* to) {
    return std::vector<Edit>{{from, to},
                             {"contexts =", generate},
                             {"\nqueries =", "\n#"},
                             {"\nlabels =", "\n#"},
                             {"\nkey =", "\ngenerate = { kind = \"normal-f64\", seed = 1 } #"},
                             {"\nquery =", "\n#"}};
  };
  check_refused(
      {
          {{{"examples = 2", "examples = 1099511627777"}},
           "line 8, column 12: examples is 1099511627777; the limit is 2^40"},
          {{{"examples = 2", "examples = 9223372036854775807"}},
           "line 8, column 12: examples is 9223372036854775807; the limit is 2^40"},
          {{{"heads = 2\ncontext = 2\nembed_dim = 3\nhead_dim = 2\nexamples = 2",
             "heads = 1099511627776\ncontext = 1099511627776\nembed_dim = 1099511627776\nhead_dim = "
             "1\nexamples = 1099511627776"}},
           "line 3, column 1: with indices of the examples (64 T) and a basis of Z (8 min(T, Hd) Hd) the "
           "case needs "
           "about 10633823966279326983230526850986934272 bytes of memory; the limit is 8589934592 bytes"},
          {{{"examples = 2", "examples = 900000000"}},
           "line 3, column 1: ... the case needs about 57600000288 bytes of memory"},
          {generated("head_dim = 2", "head_dim = 1000000000"),
           "line 14, column 12: with key the case needs about ... the limit is 8589934592 bytes"},
      },
      "limit");
}

TEST_CASE("limits of memory") {
  ReadOptions options;
  options.memory_limit = 100'000;
  // 64 bytes for each of 2 examples, a basis of 2 rows of 6 entries, then 6 rationals of 41 kB.
  check_refused({{{{"[[1, 2, 3], [4, 5, 6]]", "[[\"1e100000\", \"1e100000\", 1], [\"1e-100000\", 2, 3]]"}},
                  "line 11, column 42: with queries the case needs about "}},
                "limit", options);
  options.memory_limit = 5000;
  check_refused({{{}, "the file has ... bytes; the memory limit allows 100"}}, "limit", options);
}

TEST_CASE("large numbers in a case") {
  const std::string numerator(81000, '7'), denominator(80586, '3');
  const std::string row = "[[1, 2, \"" + numerator + "/" + denominator + "\"], [4, 5, 6]] #";
  const Case c = read_edited({{"[[1, 2, 3], [4, 5, 6]]", row.c_str()}});
  CHECK(c.data.queries->at(2) * mpz_class(denominator) == mpq_class(mpz_class(numerator)));
}

TEST_CASE("windows line ends, comments and dotted keys") {
  std::string text = edited({{"[layer]\nheads = 2", "[layer]  # H\nheads = 2"}});
  std::string windows;
  for (const char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const Folder folder;
  CHECK(read_case(folder.write("case.toml", windows)).layer->heads == 2);
  check_outcome(
      "case.toml: line 3, column 7: unknown key \"contxt\" in [layer]; did you mean \"context\"?",
      [&] { read_case(folder.write("case.toml", "format = 1\r\nlayer.heads = 1\r\nlayer.contxt = 2\r\n")); });
}

}  // namespace
}  // namespace attest
